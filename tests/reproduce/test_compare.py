"""Hand-made tables: each kind of difference is found and named."""

from pathlib import Path

import pandas as pd
import pytest

from isogloss.reproduce.compare import Rules, compare_files, compare_tables
from isogloss.reproduce.findings import TableComparison
from isogloss.reproduce.tolerances import Tolerance, Tolerances

NAME = "data/results/hedging/effects.csv"
STRICT = Tolerance(relative=1e-9, reason="default")
LOOSE = Tolerance(absolute=0.01, reason="measured")
RULES = Rules(
    Tolerances(
        default=STRICT,
        tables={
            NAME: {
                "estimate": LOOSE,
                "variances": LOOSE,
                "torch": Tolerance(any_text=True, reason="versions"),
            }
        },
    ),
    alpha=0.05,
)


def frame(**columns: list[str]) -> pd.DataFrame:
    base = {"contrast": ["a", "b"], **columns}
    return pd.DataFrame(base, dtype=object)


def compared(recorded: pd.DataFrame, found: pd.DataFrame) -> TableComparison:
    return compare_tables(NAME, recorded, found, RULES)


def test_the_same_values_in_another_order_are_the_same() -> None:
    table = frame(estimate=["0.5", "0.25"], verdict=["different", "equivalent"])
    result = compared(table, table.iloc[::-1].reset_index(drop=True))
    assert (result.result, result.rows, result.numbers) == ("same values", 2, ())


def test_a_number_within_its_tolerance_is_told_and_passes() -> None:
    result = compared(frame(estimate=["0.5", "0.25"]), frame(estimate=["0.505", "0.25"]))
    assert result.result == "within tolerance"
    [number] = result.numbers
    assert (number.column, number.cells, number.beyond) == ("estimate", 1, 0)
    assert number.largest_absolute == pytest.approx(0.005)
    assert number.largest_relative == pytest.approx(0.005 / 0.505)
    assert (number.absolute, number.reason) == (0.01, "measured")


def test_a_number_beyond_its_tolerance_differs_and_the_worst_is_named() -> None:
    result = compared(frame(estimate=["0.5", "0.25"]), frame(estimate=["0.52", "0.35"]))
    assert result.result == "differs"
    [number] = result.numbers
    assert (number.cells, number.beyond) == (2, 2)
    assert (number.worst.row, number.worst.recorded, number.worst.found) == (
        "contrast b", "0.25", "0.35",
    )  # fmt: skip


def test_a_column_without_a_rule_is_held_strictly() -> None:
    assert compared(frame(se=["0.5", "1.0"]), frame(se=["0.5000001", "1.0"])).result == "differs"
    assert compared(frame(se=["0.5", "1.0"]), frame(se=["0.5", "1.0000000000001"])).ok


def test_whole_numbers_without_a_rule_are_the_very_ones() -> None:
    result = compared(frame(seed=["4000000000", "1"]), frame(seed=["4000000001", "1"]))
    assert result.result == "differs"
    assert result.numbers[0].relative == 0


@pytest.mark.parametrize(("recorded", "found"), [("0.5", ""), ("", "0.0")])
def test_a_number_that_is_missing_on_one_side_differs(recorded: str, found: str) -> None:
    result = compared(frame(estimate=[recorded, "1.5"]), frame(estimate=[found, "1.5"]))
    assert result.result == "differs"
    assert (result.texts[0].column, result.texts[0].cells) == ("estimate", 1)


def test_a_changed_verdict_is_a_difference_whatever_the_numbers() -> None:
    result = compared(
        frame(estimate=["0.5", "0.25"], verdict=["different", "equivalent"]),
        frame(estimate=["0.5", "0.25"], verdict=["different", "inconclusive"]),
    )
    assert result.result == "differs"
    [verdict] = result.verdicts
    assert (verdict.column, verdict.row) == ("verdict", "contrast b")
    assert (verdict.recorded, verdict.found) == ("equivalent", "inconclusive")


def test_counts_in_a_column_named_like_a_verdict_are_numbers() -> None:
    result = compared(frame(passed=["3", "4"]), frame(passed=["3", "5"]))
    assert result.verdicts == ()
    assert result.numbers[0].column == "passed"


def test_significance_that_is_lost_is_a_verdict() -> None:
    rules = Rules(Tolerances(default=LOOSE, tables={}), alpha=0.05)
    result = compare_tables(
        NAME, frame(p_adjusted=["0.049", "0.9"]), frame(p_adjusted=["0.051", "0.9"]), rules
    )
    assert result.result == "differs"
    [verdict] = result.verdicts
    assert verdict.column == "p_adjusted < 0.05"
    assert (verdict.recorded, verdict.found) == ("significant", "not significant")


def test_a_level_of_the_table_itself_goes_first() -> None:
    one, other = (frame(p_adjusted=[p, "0.9"], alpha=["0.01", "0.01"]) for p in ("0.009", "0.011"))
    [verdict] = compared(one, other).verdicts
    assert verdict.column == "p_adjusted < 0.01"


def test_without_a_level_no_significance_is_made_up() -> None:
    rules = Rules(Tolerances(default=LOOSE, tables={}))
    one, other = frame(p_adjusted=["0.049", "0.9"]), frame(p_adjusted=["0.051", "0.9"])
    assert compare_tables(NAME, one, other, rules).verdicts == ()


def test_rows_and_columns_of_one_side_alone_differ() -> None:
    result = compared(frame(old=["1.5", "2.5"]), frame(new=["1.5", "2.5"], contrast=["b", "c"]))
    assert result.result == "differs"
    assert (result.only_recorded, result.only_found, result.rows) == (1, 1, 1)
    assert result.rows_listed == ("recorded only: contrast a", "found only: contrast c")
    assert result.columns_listed == ("recorded only: old", "found only: new")


def test_texts_are_listed_up_to_a_bound_and_all_counted() -> None:
    names = [f"q{n:02d}" for n in range(30)]
    one = pd.DataFrame({"item": names, "text": ["a"] * 30}, dtype=object)
    result = compared(one, one.assign(text="b"))
    [text] = result.texts
    assert (text.cells, len(text.listed), text.listed[0].row) == (30, 10, "item q00")


def test_a_text_that_may_be_another_is_told_and_passes() -> None:
    result = compared(frame(torch=["2.1", "2.1"]), frame(torch=["2.2", "2.2+cpu"]))
    assert result.ok
    assert result.texts[0].allowed


def test_numbers_within_a_text_count_where_there_is_a_rule() -> None:
    one = frame(variances=["item: 0.250; guise: 1.0", "x"])
    near = frame(variances=["item: 0.255; guise: 1.0", "x"])
    far = frame(variances=["item: 0.450; guise: 1.0", "x"])
    assert compared(one, near).result == "within tolerance"
    assert compared(one, far).numbers[0].beyond == 1
    assert compared(frame(note=["n 1", "x"]), frame(note=["n 1.0000000000001", "x"])).texts


def test_lists_are_compared_number_by_number() -> None:
    one, near = frame(p=["[0.25, 0.75]", "[1.0]"]), frame(p=["[0.25, 0.7500000000001]", "[1.0]"])
    far = frame(p=["[0.26, 0.74]", "[1.0]"])
    assert compared(one, near).result == "within tolerance"
    assert compared(one, far).numbers[0].largest_absolute == pytest.approx(0.01)


def test_files_of_the_same_bytes_are_not_read(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(b"\xff no text")
    assert compare_files(NAME, tmp_path / "a.csv", tmp_path / "b.csv", RULES).result == "same bytes"


@pytest.mark.parametrize(
    ("name", "result"), [("data/x.csv", "unreadable"), ("data/x.txt", "differs")]
)
def test_what_cannot_be_compared_cell_by_cell_is_not_reproduced(
    tmp_path: Path, name: str, result: str
) -> None:
    suffix = Path(name).suffix
    (tmp_path / f"a{suffix}").write_bytes(b"a,b\n\xff\n")
    (tmp_path / f"b{suffix}").write_bytes(b"a,b\n1\n")
    found = compare_files(name, tmp_path / f"a{suffix}", tmp_path / f"b{suffix}", RULES)
    assert (found.result, found.ok) == (result, False)
    assert found.note
