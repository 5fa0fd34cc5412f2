"""The spreadsheet that a reviewer fills in."""

from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.styles.colors import Color
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from isogloss.review.batch import QUESTION, VERDICTS, Batch
from isogloss.review.differences import Kind, differences, shown
from isogloss.review.pairs import ReviewPair

FORMAT = "isogloss review 1"
"""Mark by which a filled-in file is known."""
SHEET, ABOUT = "review", "about"
COLUMNS: dict[str, float] = {
    "nr": 5,
    "item_set": 16,
    "item_id": 22,
    "contrast": 22,
    "context": 36,
    "reference_text": 60,
    "guise_text": 60,
    "verdict": 12,
    "comment": 40,
    "machine": 30,
    "measured": 40,
    "text_sha256": 20,
}
"""Columns of the sheet `review`, with their widths in characters."""
MACHINE_COLUMNS = ("machine", "measured")
"""Columns that a blind file does not have, and that are folded away in any other."""

_FONTS: dict[Kind, InlineFont] = {
    "removed": InlineFont(rFont="Calibri", sz=11, strike=True, color=Color("FF9C0006")),
    "added": InlineFont(rFont="Calibri", sz=11, b=True, u="single", color=Color("FF006100")),
}
_HEADER = PatternFill("solid", fgColor="FFDDE3EA")


def write_workbook(batch: Batch, path: Path) -> None:
    """Write a batch as an Excel workbook.

    What only the reference has is struck out in its text, and what only the guise has underlined
    in its own. Every cell is text, so that nothing in it is taken for a formula. What the machine
    found stands in folded columns; a blind batch does not have them.
    """
    book = Workbook()
    _write_about(book.worksheets[0], batch)
    _write_review(book.create_sheet(SHEET), batch)
    # A content note has to be read before the texts are on the screen.
    book.active = 0 if batch.content_note else 1
    book.save(path)


def shown_texts(pair: ReviewPair) -> dict[str, str]:
    """Return the texts of a pair as a file shows them, by column."""
    return {
        "context": shown(pair.context),
        "reference_text": shown(pair.reference_text),
        "guise_text": shown(pair.guise_text),
    }


def measured(value: float | None) -> str:
    """Return a measured value in words."""
    return "not measured" if value is None else f"{value:.4g}"


def _write_about(sheet: Worksheet, batch: Batch) -> None:
    sheet.title = ABOUT
    rows = [("format", FORMAT), ("export", batch.digest), ("reviewer", batch.reviewer)]
    rows += [("blind", "yes" if batch.blind else "no"), ("pairs", str(len(batch.pairs)))]
    rows += [("content note", batch.content_note)] if batch.content_note else []
    rows += [("task", QUESTION), ("verdicts", ", ".join(VERDICTS))]
    rows += [
        ("texts", "struck out: only the reference has it; underlined: only the guise has it"),
        ("contrast", "the guise, then the reference it is compared with"),
    ]
    rows += [(f"guise {name}", words) for name, words in batch.guises.items()]
    for row, cells in enumerate(rows, start=1):
        for column, cell in enumerate(cells, start=1):
            _put(sheet, row, column, cell)
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 22, 100


def _write_review(sheet: Worksheet, batch: Batch) -> None:
    names = [name for name in COLUMNS if not (batch.blind and name in MACHINE_COLUMNS)]
    for column, name in enumerate(names, start=1):
        _put(sheet, 1, column, name)
        head = sheet.cell(1, column)
        head.font, head.fill = Font(bold=True), _HEADER
        dimension = sheet.column_dimensions[get_column_letter(column)]
        dimension.width = COLUMNS[name]
        dimension.hidden = name in (*MACHINE_COLUMNS, "text_sha256")
        dimension.outlineLevel = int(name in MACHINE_COLUMNS)
    for number, pair in enumerate(batch.pairs, start=1):
        cells = _cells(number, pair)
        for column, name in enumerate(names, start=1):
            _put(sheet, number + 1, column, cells[name])
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    _offer_verdicts(sheet, names.index("verdict") + 1, len(batch.pairs))


def _cells(number: int, pair: ReviewPair) -> dict[str, str | CellRichText]:
    texts = shown_texts(pair)
    key = pair.key
    return {
        "nr": str(number),
        "item_set": key.item_set,
        "item_id": key.item_id,
        "contrast": key.contrast,
        "context": texts["context"],
        "reference_text": _marked(texts, "removed"),
        "guise_text": _marked(texts, "added") if pair.reference else texts["guise_text"],
        "verdict": "",
        "comment": "",
        "machine": "passed" if pair.valid else shown(f"failed: {pair.reason}"),
        "measured": shown("\n".join(_measurements(pair))),
        "text_sha256": pair.sha256,
    }


def _measurements(pair: ReviewPair) -> list[str]:
    return [
        f"{check.check}: {measured(check.value)} (must be {check.threshold})"
        + ("" if check.passed else " FAILED")
        + (" repaired" if check.repaired else "")
        for check in pair.checks
    ]


def _marked(texts: dict[str, str], kind: Kind) -> CellRichText:
    """Return the text made of what both wordings have and of one kind of difference, marked."""
    runs: list[str | TextBlock] = []
    for piece in differences(texts["reference_text"], texts["guise_text"]):
        if piece.kind == "same":
            runs.append(piece.text)
        elif piece.kind == kind:
            runs.append(TextBlock(_FONTS[kind], piece.text))
    return CellRichText(*runs)


def _put(sheet: Worksheet, row: int, column: int, content: str | CellRichText) -> None:
    """Write a cell as text, which stays text when a reader opens, edits and saves it."""
    cell: Any = sheet.cell(row, column)
    plain = shown(content) if isinstance(content, str) else content
    cell.value = plain if plain else None
    if cell.value is not None:
        cell.data_type = "s"
    cell.number_format = "@"
    cell.quotePrefix = True
    cell.alignment = Alignment(wrap_text=True, vertical="top")


def _offer_verdicts(sheet: Worksheet, column: int, rows: int) -> None:
    if rows == 0:
        return
    choice = DataValidation(type="list", formula1=f'"{",".join(VERDICTS)}"', allow_blank=True)
    choice.error = f"Choose one of: {', '.join(VERDICTS)}."
    choice.showErrorMessage = True
    first, last = sheet.cell(2, column), sheet.cell(rows + 1, column)
    choice.add(f"{first.coordinate}:{last.coordinate}")
    sheet.add_data_validation(choice)
