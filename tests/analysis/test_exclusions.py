import pandas as pd
import pytest

from isogloss.analysis.exclusions import VERDICT, exclusions, validation_summary


@pytest.fixture
def checks() -> pd.DataFrame:
    rows = [
        ("i1", "similarity", 0.9, True, ""),
        ("i1", "numbers", 0.0, True, ""),
        ("i2", "similarity", 0.4, False, "similarity 0.4"),
        ("i2", "numbers", 1.0, False, "number lost: 5"),
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "check", "value", "passed", "reason"])
    return frame.assign(contrast="red - blue", threshold=">= 0.7", repaired=False, item_set="set")


@pytest.fixture
def verdicts() -> pd.DataFrame:
    rows = [("i1", True, ""), ("i2", False, "similarity 0.4; number lost: 5")]
    frame = pd.DataFrame(rows, columns=["item_id", "valid", "reason"])
    return frame.assign(contrast="red - blue", item_set="set")


def test_every_rejected_pair_is_listed(checks: pd.DataFrame, verdicts: pd.DataFrame) -> None:
    frame = exclusions(checks, verdicts)
    assert frame.to_dict("records") == [
        {
            "item_set": "set",
            "item_id": "i2",
            "contrast": "red - blue",
            "failed_checks": "similarity; numbers",
            "reason": "similarity 0.4; number lost: 5",
        }
    ]


def test_summary_counts_checks_and_verdicts(checks: pd.DataFrame, verdicts: pd.DataFrame) -> None:
    frame = validation_summary(checks, verdicts)
    assert frame["check"].tolist() == [VERDICT, "similarity", "numbers"]
    assert frame["pairs"].tolist() == [2, 2, 2]
    assert frame["failed"].tolist() == [1, 1, 1]
    assert frame["failed_alone"].tolist() == [0, 0, 0]
    assert frame["median"].iloc[1] == pytest.approx(0.65)


def test_nothing_rejected_gives_an_empty_table(
    checks: pd.DataFrame, verdicts: pd.DataFrame
) -> None:
    frame = exclusions(checks.iloc[:2], verdicts.iloc[:1])
    assert frame.empty
    assert "reason" in frame
