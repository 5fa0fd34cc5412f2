"""Baseline texts: one at fault keeps its place, a file at fault is named with its line."""

from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.stimuli.draft.items import MOST_CHARACTERS, fault_of, read_baselines


def _file(folder: Path, *rows: str, header: str = "item_id,question,confident") -> Path:
    path = folder / "items.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_texts_are_read_as_they_stand(tmp_path: Path) -> None:
    path = _file(tmp_path, 'a,Why?,"He said ""go"",\nso I went. 🎉"', "b,How?,By bus.")
    first, second = read_baselines(path, "confident")
    assert first.text == 'He said "go",\nso I went. 🎉'
    assert (first.context, first.fault) == ("Why?", "")
    assert (second.item_id, second.text) == ("b", "By bus.")


def test_the_context_is_the_named_column_or_none(tmp_path: Path) -> None:
    path = _file(tmp_path, "a,sales,By bus.", header="item_id,team,confident")
    assert read_baselines(path, "confident")[0].context == ""
    assert read_baselines(path, "confident", "team")[0].context == "sales"


@pytest.mark.parametrize(("count", "ids"), [(1, "0"), (3, "036"), (4, "0257"), (20, "0123456789")])
def test_some_items_are_spread_over_the_file(tmp_path: Path, count: int, ids: str) -> None:
    path = _file(tmp_path, *(f"{n},Why?,By bus." for n in range(10)))
    assert [item.item_id for item in read_baselines(path, "confident", count=count)] == list(ids)


FORTY_PAGES = "I fixed the pump again. " * 5000


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the text is empty"),
        (" \n ", "the text is empty"),
        (FORTY_PAGES, "the text has 120000 characters, more than 1000"),
        ("🎉 !?", "the text has no words"),
        ("أصلحت المضخة في أربعين دقيقة", "the text is not in Latin script"),
        ("Я починил насос", "the text is not in Latin script"),
        ("I fixed \u202eit\u202c", "hidden characters: U+202E"),
        ("It wasnâ€™t me", "garbled characters"),
        ("I worked at [company name] then", "an unfilled placeholder"),
    ],
)
def test_a_text_that_cannot_be_used_says_why(text: str, fault: str) -> None:
    assert fault in fault_of(text)


@pytest.mark.parametrize(
    "text",
    [
        'He said "go", and I went.\nThen I came back.',
        "Done 🎉 👩‍🔧",
        "The word سلام means peace, and I used it.",
        "Zoë’s café, naïve",
        "x" * MOST_CHARACTERS,
    ],
)
def test_quotes_lines_emoji_and_loans_are_no_fault(text: str) -> None:
    assert fault_of(text) == ""


def test_the_context_may_be_at_fault() -> None:
    assert "the context has 1001 characters" in fault_of("Fine.", "y" * 1001)


def test_the_longest_text_is_set_by_the_caller(tmp_path: Path) -> None:
    path = _file(tmp_path, f"a,Why?,{'One two. ' * 200}", "b,Why?,One two.")
    faults = [item.fault for item in read_baselines(path, "confident", most=8)]
    assert faults == ["the text has 1800 characters, more than 8", ""]
    assert not read_baselines(path, "confident", most=1800)[0].fault


def test_one_text_at_fault_leaves_the_others(tmp_path: Path) -> None:
    path = _file(tmp_path, "a,Why?,", f"b,Why?,{FORTY_PAGES}", "c,Why?,By bus.")
    assert [bool(item.fault) for item in read_baselines(path, "confident")] == [True, True, False]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "no items"),
        (["a,Why?,One.", "a,How?,Two."], r"row 2: item_id 'a' was used before"),
        (["a,Why?,One.", " ,How?,Two."], "row 2, column item_id: empty"),
        (["a,Why?"], "row 1 has 2 cells and the header 3"),
        (['a,Why?,"One.'], "line 2: not CSV"),
    ],
)
def test_a_file_at_fault_is_named(tmp_path: Path, rows: list[str], said: str) -> None:
    path = _file(tmp_path, *rows)
    with pytest.raises(ItemError, match=said) as raised:
        read_baselines(path, "confident")
    assert str(path) in str(raised.value)


def test_mixed_encodings_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_bytes("item_id,confident\na,Zoë.\nb,".encode() + "Zoë.\n".encode("latin-1"))
    with pytest.raises(ItemError, match="line 3 is not UTF-8"):
        read_baselines(path, "confident")


@pytest.mark.parametrize("names", [("plain", None), ("confident", "team")])
def test_an_unknown_column_is_told_what_there_is(
    tmp_path: Path, names: tuple[str, str | None]
) -> None:
    path = _file(tmp_path, "a,Why?,One.")
    with pytest.raises(ItemError, match="the file has item_id, question, confident"):
        read_baselines(path, *names)
