"""Rows know where they were read from, and texts made of them say so."""

import pandas as pd
import pytest

from isogloss.report.provenance import (
    ORIGIN,
    Cited,
    Source,
    cite,
    cited,
    cited_once,
    joined,
    parse_sources,
    rows_source,
    title_of,
    with_origins,
)
from isogloss.report.provenance.numerals import digit_words, is_number, states_number
from isogloss.report.provenance.sources import TITLE
from isogloss.validate.table import rows_of

FILE = "data/results/x/effects.csv"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        (Source(FILE, (12,), ("low", "high")), f"{FILE}, row 12: low, high"),
        (Source(FILE, (9, 3, 4, 5), ("n",), "sum of n"), f"{FILE}, rows 3-5, 9: n (sum of n)"),
        (Source("a/plan.json", columns=("alpha",)), "a/plan.json: alpha"),
        (Source("a/s.yaml", columns=("title",), entry="x-1"), "a/s.yaml, entry x-1: title"),
        (Source("a/b.csv"), "a/b.csv"),
    ],
)
def test_a_source_reads_back_from_its_title(source: Source, title: str) -> None:
    assert str(source) == title
    (back,) = parse_sources(title)
    assert (back.file, set(back.rows)) == (source.file, set(source.rows))
    assert (back.columns, back.rule, back.entry) == (source.columns, source.rule, source.entry)


def test_several_sources_stand_in_one_title_each_once() -> None:
    both = (Source("a.csv", (1,), ("x",)), Source("b.csv", (2,), ("y",)))
    assert parse_sources(title_of((*both, both[0]))) == both


@pytest.mark.parametrize("title", ["", "hover me", "a.csv row 1", "a.csv, row one: x"])
def test_another_title_names_no_source(title: str) -> None:
    assert parse_sources(title) == ()


def test_a_title_cannot_leave_its_attribute() -> None:
    hostile = Source('a"}<b>|\n[x]{.y}.csv', columns=("`x`",))
    assert TITLE.fullmatch(str(hostile))
    assert cite("1", (hostile,)).count('"') == 2


def test_what_has_no_source_stays_as_it_is() -> None:
    assert cite("1", ()) == "1"
    assert cite("", (Source("a.csv"),)) == ""
    assert Cited("1", (Source("a.csv"),)).markdown == '[1]{.num title="a.csv"}'


@pytest.mark.parametrize("word", ["0", "−0.390", "+1.2", "1,234", "10-point", "2nd"])
def test_numbers(word: str) -> None:
    assert [match[0] for match in digit_words(f"so ({word}), then")] == [word]
    assert is_number(word)


@pytest.mark.parametrize("word", ["phi-4", "i4", "smollm2-135m-instruct", "H1", "4a" * 32])
def test_names_and_hashes_with_digits_are_no_numbers(word: str) -> None:
    assert [match[0] for match in digit_words(word)] == [word]
    assert not is_number(word)


def test_attributes_state_no_number() -> None:
    assert not states_number('[a]{.num title="a.csv, row 1: x"} phi-4')
    assert states_number(r"\< 0.001")


@pytest.fixture
def frame() -> pd.DataFrame:
    rows = [("a", 0.5, 1), ("b", float("nan"), 2), ("c", 2.5, 3)]
    return with_origins(pd.DataFrame(rows, columns=["name", "value", "n"]), FILE)


def test_rows_keep_their_place_through_filters_sorting_and_groups(frame: pd.DataFrame) -> None:
    kept = frame.loc[frame["n"] > 1].sort_values("n", ascending=False, ignore_index=True)
    assert [origins[0].row for origins in kept[ORIGIN]] == [3, 2]
    part = next(part for name, part in frame.groupby("name") if name == "c")
    assert rows_source(part, FILE, ("n",), "sum") == (Source(FILE, (3,), ("n",), "sum"),)


def test_a_cell_carries_what_it_read(frame: pd.DataFrame) -> None:
    first, second, _ = rows_of(frame)
    shown = cited(lambda row: f"{row['value']} of {row['n']}")
    assert shown(first) == f'[0.5 of 1]{{.num title="{FILE}, row 1: value, n"}}'
    undefined = cited(lambda row: "none" if row["value"] != row["value"] else "some")
    assert undefined(second) == f'[none]{{.num title="{FILE}, row 2: value"}}'


def test_names_carry_nothing(frame: pd.DataFrame) -> None:
    assert cited(lambda row: str(row["name"]))(rows_of(frame)[0]) == "a"


def test_a_computed_row_carries_nothing() -> None:
    assert cited(lambda row: str(row["n"]))({"n": 1}) == "1"


def test_a_row_within_a_row_is_cited_by_its_own_place(frame: pd.DataFrame) -> None:
    first, _, third = rows_of(frame)
    row = {**first, "inner": {"x": third}}
    text = cited(lambda row: f"{row['n']}, {row['inner']['x']['n']}")(row)
    assert text == f'[1, 3]{{.num title="{FILE}, row 1: n; {FILE}, row 3: n"}}'


def test_what_is_the_same_in_all_rows_names_them_all(frame: pd.DataFrame) -> None:
    same = frame.assign(n=7)
    text = cited_once(lambda row: str(row["n"]), rows_of(same))
    assert text == f'[7]{{.num title="{FILE}, rows 1-3: n (the same in every row)"}}'


def test_joined_columns_are_cited_by_the_file_they_came_from(frame: pd.DataFrame) -> None:
    other = with_origins(pd.DataFrame({"name": ["c", "a"], "value": [9.0, 8.0]}), "b.csv")
    both = rows_of(joined(frame, other, ["name"], {"value": "beside"}))
    show = cited(lambda row: f"{row['n']}, {row['beside']}")
    assert show(both[0]) == f'[1, 8.0]{{.num title="{FILE}, row 1: n; b.csv, row 2: value"}}'
    assert show(both[2]) == f'[3, 9.0]{{.num title="{FILE}, row 3: n; b.csv, row 1: value"}}'
    assert "b.csv" not in show(both[1])
    with pytest.raises(pd.errors.MergeError):
        joined(frame, pd.concat([other, other]), ["name"], {"value": "beside"})


def test_frames_without_origins_join_as_before() -> None:
    left = pd.DataFrame({"k": [1, 2], "a": [3, 4]})
    right = pd.DataFrame({"k": [2], "b": [5]})
    both = joined(left, right, ["k"], {"b": "beside"})
    assert list(both.columns) == ["k", "a", "beside"]
    assert joined(left, right, ["k"], {"b": "c"}, "inner")["c"].tolist() == [5]
