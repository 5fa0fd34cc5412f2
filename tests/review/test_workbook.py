"""The spreadsheet goes out, is filled in as people and programs do, and is read back."""

import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock

from isogloss.errors import ItemError
from isogloss.review.accept import accept
from isogloss.review.batch import VERDICTS, Batch
from isogloss.review.differences import LONGEST_SHOWN
from isogloss.review.filled import read_filled
from isogloss.review.workbook import COLUMNS, shown_texts, write_workbook

Edit = Callable[[Any], None]


@pytest.fixture
def book(batch: Batch, tmp_path: Path) -> Path:
    path = tmp_path / "review.xlsx"
    write_workbook(batch, path)
    return path


def edited(path: Path, *edits: Edit) -> Path:
    """Open a workbook, edit its sheet `review`, and save it as a spreadsheet program would."""
    book = openpyxl.load_workbook(path)
    for edit in edits:
        edit(book["review"])
    book.save(path)
    return path


def put(row: int, column: str, value: object) -> Edit:
    def edit(sheet: Any) -> None:
        sheet.cell(row, list(COLUMNS).index(column) + 1).value = value

    return edit


def column(sheet: Any, name: str) -> Any:
    names = [cell.value for cell in sheet[1]]
    return list(sheet.columns)[names.index(name)][1:]


def test_every_cell_is_text_and_none_a_formula(book: Path) -> None:
    for sheet in openpyxl.load_workbook(book):
        cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
        assert {(c.data_type, c.number_format, c.quotePrefix) for c in cells} == {("s", "@", True)}
    with zipfile.ZipFile(book) as archive:
        sheets = [archive.read(n) for n in archive.namelist() if "worksheets/sheet" in n]
    assert len(sheets) == 2
    assert all(b"<f>" not in sheet and b"<f " not in sheet for sheet in sheets)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "=cmd|' /C calc'!A0 "])
def test_no_text_becomes_a_formula(batch: Batch, tmp_path: Path, start: str) -> None:
    pair = replace(
        batch.pairs[0], guise_text=f"{start}1", reference_text=f"{start}2", context=f"{start}3"
    )
    write_workbook(replace(batch, pairs=(pair,), reviewer=f"{start}4"), tmp_path / "r.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx")["review"]
    for name, end in (("guise_text", "1"), ("reference_text", "2"), ("context", "3")):
        [cell] = column(sheet, name)
        assert (cell.data_type, str(cell.value)) == ("s", f"{start}{end}")


def test_texts_come_back_to_the_character(book: Path, batch: Batch) -> None:
    sheet = openpyxl.load_workbook(book)["review"]
    for name in ("context", "reference_text", "guise_text"):
        written = [cell.value or "" for cell in column(sheet, name)]
        assert written == [shown_texts(pair)[name] for pair in batch.pairs]


def test_differences_are_struck_out_and_underlined(book: Path) -> None:
    sheet = openpyxl.load_workbook(book, rich_text=True)["review"]

    def marked(name: str) -> list[tuple[str, bool, bool]]:
        text = column(sheet, name)[0].value
        assert isinstance(text, CellRichText)
        runs = [run for run in text if isinstance(run, TextBlock)]
        return [(r.text, bool(r.font.strike), r.font.u == "single") for r in runs]

    assert marked("guise_text") == [(" think I", False, True)]
    plain = column(sheet, "reference_text")[0].value
    assert str(plain) == "I cut the bill by 40 percent."


def test_the_sheet_helps_whoever_fills_it_in(book: Path) -> None:
    sheet = openpyxl.load_workbook(book)["review"]
    assert sheet.freeze_panes == "A2"
    [choice] = sheet.data_validations.dataValidation
    assert (choice.formula1, str(choice.sqref)) == ('"accept,reject,unsure"', "H2:H7")
    assert all(cell.alignment.wrap_text for cell in column(sheet, "guise_text"))
    hidden = {n for n, d in sheet.column_dimensions.items() if d.hidden}
    assert hidden >= {"J", "L"}
    assert column(sheet, "machine")[-1].value == "failed: <b>a wording is empty</b>"
    assert column(sheet, "measured")[0].value == "similarity: 0.9 (must be >= 0.7)"
    assert column(sheet, "measured")[-1].value == "similarity: not measured (must be >= 0.7) FAILED"


def test_a_blind_file_holds_nothing_of_the_machine_s(batch: Batch, tmp_path: Path) -> None:
    write_workbook(replace(batch, blind=True), tmp_path / "review.xlsx")
    for sheet in openpyxl.load_workbook(tmp_path / "review.xlsx"):
        words = [str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell]
        assert not [w for w in words if "similarity" in w or "is empty" in w or w == "machine"]
    edited(tmp_path / "review.xlsx", put(2, "verdict", "accept"))
    assert all(row.blind for row in read_filled(tmp_path / "review.xlsx").rows)


def test_a_content_note_is_on_the_screen_first(batch: Batch, tmp_path: Path) -> None:
    for note, first in (("", "review"), ("Stereotypes follow.", "about")):
        path = tmp_path / f"{first}.xlsx"
        write_workbook(replace(batch, content_note=note), path)
        assert openpyxl.load_workbook(path).active.title == first


def test_a_text_beyond_what_a_cell_holds_is_cut(batch: Batch, tmp_path: Path) -> None:
    pair = replace(batch.pairs[0], guise_text="word " * 20_000)
    write_workbook(replace(batch, pairs=(pair,)), tmp_path / "r.xlsx")
    [cell] = column(openpyxl.load_workbook(tmp_path / "r.xlsx")["review"], "guise_text")
    assert LONGEST_SHOWN < len(cell.value) < 32_767


def test_what_was_filled_in_comes_back(book: Path, batch: Batch) -> None:
    edited(
        book,
        put(2, "verdict", "Accept "),
        put(3, "verdict", "reject"),
        put(3, "comment", 40.0),
        put(4, "verdict", "unsure"),
        put(4, "comment", datetime(2026, 1, 2)),
    )
    filled = read_filled(book)
    assert filled.reviewer == "Ana"
    assert [row.text_sha256 for row in filled.rows] == [pair.sha256 for pair in batch.pairs]
    assert [(row.place, row.verdict, row.comment) for row in filled.rows][:4] == [
        ("row 2", "Accept ", ""),
        ("row 3", "reject", "40"),
        ("row 4", "unsure", "2026-01-02T00:00:00"),
        ("row 5", "", ""),
    ]
    assert not any(row.blind for row in filled.rows)


def test_rows_may_be_moved_deleted_and_left_empty(book: Path, batch: Batch) -> None:
    def reverse(sheet: Any) -> None:
        rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
        sheet.delete_rows(2, 20)
        for number, row in enumerate(reversed(rows[1:]), start=4):
            for position, value in enumerate(row, start=1):
                sheet.cell(number, position).value = value

    filled = read_filled(edited(book, reverse))
    hashes = [pair.sha256 for pair in batch.pairs[1:]]
    assert [row.text_sha256 for row in filled.rows] == hashes[::-1]
    assert filled.rows[0].place == "row 4"


def test_a_table_of_shared_texts_is_read_as_excel_writes_it(book: Path, batch: Batch) -> None:
    edited(book, put(2, "verdict", "accept"))
    share_texts(book)
    filled = read_filled(book)
    given = accept(filled, batch.pairs, "Ana", datetime(2026, 1, 1, tzinfo=UTC), None)
    assert [(d.item_id, d.verdict) for d in given.decisions] == [("007", "accept")]
    assert [dict(row.texts) for row in filled.rows] == [shown_texts(pair) for pair in batch.pairs]


def share_texts(path: Path) -> None:
    """Move every text of a workbook, runs and all, into one part, as Excel keeps them."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    texts: list[str] = []

    def shared(match: re.Match[str]) -> str:
        texts.append(match[2])
        return f'<c{match[1]} t="s"><v>{len(texts) - 1}</v></c>'

    for name in [name for name in parts if "worksheets/sheet" in name]:
        inline = r'<c((?: [rs]="\w+")*) t="inlineStr"><is>(.*?)</is></c>'
        parts[name] = re.sub(inline, shared, parts[name], flags=re.DOTALL)
        assert "inlineStr" not in parts[name]
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    table = "".join(f"<si>{text}</si>" for text in texts)
    parts["xl/sharedStrings.xml"] = f"<sst {space}>{table}</sst>"
    part = (
        '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.'
        'openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
    )
    types = "[Content_Types].xml"
    parts[types] = parts[types].replace("</Types>", part)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_a_name_that_a_workbook_cannot_hold_is_shown(batch: Batch, tmp_path: Path) -> None:
    odd = replace(batch.pairs[0].key, item_id="a\x07 ")
    pair = replace(batch.pairs[0], key=odd)
    path = tmp_path / "r.xlsx"
    write_workbook(replace(batch, pairs=(pair,), guises={"\x00": "\x01"}), path)
    edited(path, put(2, "verdict", "accept"))
    filled = read_filled(path)
    given = accept(filled, [pair], "Ana", datetime(2026, 1, 1, tzinfo=UTC), None)
    assert given.decisions[0].item_id == "a\x07 "


def test_columns_may_be_moved(book: Path) -> None:
    def move(sheet: Any) -> None:
        for row in sheet.iter_rows():
            row[7].value, row[8].value = row[8].value, row[7].value

    edited(book, put(2, "verdict", "reject"), put(2, "comment", "why"), move)
    first = read_filled(book).rows[0]
    assert (first.verdict, first.comment) == ("reject", "why")


def test_the_three_verdicts_are_the_ones_offered() -> None:
    assert VERDICTS == ("accept", "reject", "unsure")


def drop_about(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    del book["about"]
    book.save(path)


def drop_hashes(path: Path) -> None:
    edited(path, put(1, "text_sha256", "notes"))


def other_book(path: Path) -> None:
    openpyxl.Workbook().save(path)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:2000])


def not_a_zip(path: Path) -> None:
    path.write_text("item_id,verdict\n")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (drop_about, "no sheet 'about'"),
        (other_book, "no sheet 'about'"),
        (drop_hashes, "column 'text_sha256' must be there once"),
        (half, "not a readable workbook"),
        (not_a_zip, "not a readable workbook"),
        (Path.unlink, "cannot be read"),
    ],
)
def test_what_is_no_filled_in_workbook_is_refused(
    book: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(book)
    with pytest.raises(ItemError, match=said):
        read_filled(book)


def test_a_workbook_that_unpacks_to_too_much_is_refused(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isogloss.review.read_workbook.LARGEST_UNPACKED", 1000)
    with pytest.raises(ItemError, match="unpacks to"):
        read_filled(book)


def test_a_file_that_is_too_large_or_of_another_kind_is_refused(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ItemError, match="give the spreadsheet"):
        read_filled(book.with_suffix(".ods"))
    monkeypatch.setattr("isogloss.review.filled.LARGEST_FILE", 1000)
    with pytest.raises(ItemError, match="larger than 1,000 bytes"):
        read_filled(book)
