import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.validate.outcomes import NOT_JUDGED
from isogloss.validate.records import Check, CheckName, Verdict
from isogloss.validate.summary import summarise_checks, summarise_verdicts, threshold_sensitivity
from isogloss.validate.table import checks_table, verdicts_table

SIMILARITIES = {"a": 0.9, "b": 0.6, "c": 0.5, "d": None}


def check(item_id: str, name: CheckName, value: float | None, threshold: str, ok: bool) -> Check:
    return Check(item_id, "s - p", name, value, threshold, ok, False, "" if ok else "r")


@pytest.fixture(scope="module")
def checks() -> pd.DataFrame:
    """Four items; c also lost a number, d could not be compared."""
    rows = []
    for item_id, similarity in SIMILARITIES.items():
        ok = similarity is not None and similarity >= 0.7
        rows.append(check(item_id, "similarity", similarity, ">= 0.7", ok))
        rows.append(check(item_id, "numbers", int(item_id == "c"), "= 0", item_id != "c"))
        rows.append(check(item_id, "length_ratio", 1, "0.67 to 1.5", True))
        rows.append(
            Check(item_id, "s - p", "wrapped_quotes", 2, "= 0", True, item_id == "a", "repaired")
        )
    return checks_table(rows)


def test_outcomes_are_counted_by_check(checks: pd.DataFrame) -> None:
    summary = summarise_checks(checks).set_index("check")
    columns = ["pairs", "failed", "not_measured", "failed_alone", "repaired"]
    assert list(summary.index) == ["wrapped_quotes", "similarity", "numbers", "length_ratio"]
    assert summary.loc["similarity", columns].tolist() == [4, 3, 1, 2, 0]
    assert summary.loc["numbers", columns].tolist() == [4, 1, 0, 0, 0]
    assert summary.loc["wrapped_quotes", columns].tolist() == [4, 0, 0, 0, 1]
    assert summary.loc["similarity", "median"] == 0.6
    assert summary.loc["similarity", "threshold"] == ">= 0.7"


def test_pairs_that_a_check_does_not_judge_are_counted_apart() -> None:
    rows = [
        check("a", "reading_grade", 5.0, "<= 4", False),
        check("b", "reading_grade", 9.0, NOT_JUDGED, True),
        check("c", "reading_grade", None, NOT_JUDGED, True),
    ]
    row = summarise_checks(checks_table(rows)).iloc[0]
    assert (row["threshold"], row["failed"], row["not_judged"]) == ("<= 4", 1, 2)
    moved = threshold_sensitivity(checks_table(rows), "s - p", "reading_grade", [3, 6])
    assert moved["passed"].tolist() == [2, 3]


def test_verdicts_are_counted() -> None:
    verdicts = verdicts_table([Verdict(str(i), "s - p", i > 0, "") for i in range(3)])
    assert summarise_verdicts(verdicts).to_numpy().tolist() == [["s - p", 3, 2, 1]]


def test_a_moved_threshold_counts_pairs_again(checks: pd.DataFrame) -> None:
    moved = threshold_sensitivity(checks, "s - p", "similarity", [0.9, 0.55, 0.4])
    # d was not measured and passes nowhere; c fails another check.
    assert moved.to_numpy().tolist() == [[0.9, 1, 1], [0.55, 2, 2], [0.4, 3, 2]]


def test_a_threshold_that_cannot_move_is_named(checks: pd.DataFrame) -> None:
    with pytest.raises(ItemError, match=r"'0\.67 to 1\.5' has no single threshold"):
        threshold_sensitivity(checks, "s - p", "length_ratio", [1])
    with pytest.raises(ItemError, match="contrast 's - p' has no check 'names'"):
        threshold_sensitivity(checks, "s - p", "names", [1])
