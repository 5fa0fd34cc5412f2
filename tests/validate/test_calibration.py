"""Measures of the checks on made tables, counted by hand."""

from math import isnan
from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.validate.calibration import (
    CHECK_MEASURES,
    ERROR_COLUMNS,
    VERDICT_MEASURES,
    list_errors,
    measure_checks,
    measure_verdicts,
)
from isogloss.validate.calibration_table import (
    read_check_measures,
    read_errors,
    read_verdict_measures,
)
from isogloss.validate.labelled import PAIR_COLUMNS, Fault, Labelled
from isogloss.validate.outcomes import NOT_JUDGED
from isogloss.validate.records import CHECK_NAMES
from isogloss.validate.table import CHECK_COLUMNS, write_table

FAULTS = {
    "number_changed": Fault(what="A number.", checks=("numbers",), related=("claims",)),
    "claim_added": Fault(what="A claim.", checks=("claims",), related=("similarity",)),
    "spelling": Fault(what="A word.", checks=("spelling",)),
}

PAIRS = [
    # pair, guise, fault, split
    ("g1", "hedged", "", "development"),
    ("g2", "hedged", "", "held_out"),
    ("g3", "aae", "", "development"),
    ("n1", "hedged", "number_changed", "development"),
    ("n2", "hedged", "number_changed", "development"),
    ("n3", "aae", "number_changed", "held_out"),
    ("n4", "aae", "number_changed", "held_out"),
    ("c1", "hedged", "claim_added", "development"),
    ("c2", "accent", "claim_added", "held_out"),
    ("s1", "accent", "spelling", "development"),
]

NUMBERS_FAIL = ("n1", "n2", "n3", "c1", "g1")
"""Three of four pairs meant for it, one bad in another way, one good pair."""
CLAIMS_FAIL = ("c1", "n1")
"""One of two pairs meant for it, one related to it."""


@pytest.fixture
def labelled() -> Labelled:
    rows = [
        (pair, guise, "", "q", "a", "b", "bad" if fault else "good", fault, split, "")
        for pair, guise, fault, split in PAIRS
    ]
    return Labelled(pd.DataFrame(rows, columns=PAIR_COLUMNS), FAULTS)


@pytest.fixture
def checks() -> pd.DataFrame:
    rows = []
    for pair, *_ in PAIRS:
        for name, failing in (("numbers", NUMBERS_FAIL), ("claims", CLAIMS_FAIL)):
            fails = pair in failing
            rows.append((pair, "t", name, 1, "= 0", not fails, name * fails, False))
    rows.append(("s1", "t", "spelling", 0.4, NOT_JUDGED, True, "", False))
    return pd.DataFrame(rows, columns=CHECK_COLUMNS)


def row(table: pd.DataFrame, **where: str) -> pd.Series:
    for column, value in where.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_every_check_has_a_row_for_all_pairs_and_for_each_split(
    checks: pd.DataFrame, labelled: Labelled
) -> None:
    measures = measure_checks(checks, labelled)
    assert list(measures.columns) == CHECK_MEASURES
    assert list(measures["check"].unique()) == list(CHECK_NAMES)
    assert list(measures["split"]) == ["all", "development", "held_out"] * len(CHECK_NAMES)


@pytest.mark.parametrize(
    ("split", "counts"),
    [
        # pairs, meant, related, other, good, missed, passed
        ("all", (10, 3, 0, 1, 1, 1, 4)),
        ("development", (6, 2, 0, 1, 1, 0, 2)),
        ("held_out", (4, 1, 0, 0, 0, 1, 2)),
    ],
)
def test_outcomes_of_a_check_are_counted(
    checks: pd.DataFrame, labelled: Labelled, split: str, counts: tuple[int, ...]
) -> None:
    found = row(measure_checks(checks, labelled), check="numbers", split=split)
    columns = ["pairs", *(f"failed_{role}" for role in ("meant", "related", "other", "good"))]
    assert tuple(found[[*columns, "missed", "passed"]]) == counts


def test_precision_and_recall_of_a_check(checks: pd.DataFrame, labelled: Labelled) -> None:
    found = row(measure_checks(checks, labelled), check="numbers", split="all")
    assert found["precision"] == pytest.approx(3 / 5)
    assert found["precision_any"] == pytest.approx(4 / 5)
    assert found["recall"] == pytest.approx(3 / 4)
    # Wilson interval of 3 of 4 by the closed formula, z = 1.959964.
    assert found["recall_low"] == pytest.approx(0.300642, abs=1e-6)
    assert found["recall_high"] == pytest.approx(0.954413, abs=1e-6)
    assert found["recall_reason"] == ""


def test_a_related_fault_counts_for_precision_alone(
    checks: pd.DataFrame, labelled: Labelled
) -> None:
    found = row(measure_checks(checks, labelled), check="claims", split="all")
    assert found[["failed_meant", "failed_related", "missed"]].tolist() == [1, 1, 1]
    assert found[["precision", "recall"]].tolist() == [1, 0.5]


@pytest.mark.parametrize(
    ("check", "not_judged", "reason"),
    [
        ("spelling", 1, "it judged none of the 1 pairs with a fault that it is meant for"),
        ("politeness", 0, "no pair has a fault that it is meant for"),
    ],
)
def test_a_share_of_nothing_is_nan_with_a_reason(
    checks: pd.DataFrame, labelled: Labelled, check: str, not_judged: int, reason: str
) -> None:
    found = row(measure_checks(checks, labelled), check=check, split="all")
    assert isnan(found["recall"])
    assert isnan(found["recall_low"])
    assert found["recall_reason"] == reason
    assert isnan(found["precision"])
    assert found["precision_reason"] == "it judged no pair"
    assert found[["pairs", "missed", "not_judged"]].tolist() == [0, 0, not_judged]


def test_a_check_that_fails_nothing_has_no_precision(
    checks: pd.DataFrame, labelled: Labelled
) -> None:
    passing = checks.assign(passed=True)
    found = row(measure_checks(passing, labelled), check="numbers", split="all")
    assert isnan(found["precision"])
    assert found["precision_reason"] == "it failed no pair"
    assert found["recall"] == 0


@pytest.mark.parametrize(
    ("part", "level", "counts", "precision", "recall", "as_meant", "alarms"),
    [
        # c1 fails two checks and counts once; c2, n4 and s1 pass.
        ("all", "all", (3, 7, 1, 4, 4), 4 / 5, 4 / 7, 4 / 7, 1 / 3),
        ("split", "held_out", (1, 3, 0, 1, 1), 1, 1 / 3, 1 / 3, 0),
        ("guise", "hedged", (2, 3, 1, 3, 3), 3 / 4, 1, 1, 1 / 2),
    ],
)
def test_the_verdict_is_measured_by_part(
    checks: pd.DataFrame,
    labelled: Labelled,
    part: str,
    level: str,
    counts: tuple[int, ...],
    precision: float,
    recall: float,
    as_meant: float,
    alarms: float,
) -> None:
    measures = measure_verdicts(checks, labelled)
    assert list(measures.columns) == VERDICT_MEASURES
    found = row(measures, part=part, level=level)
    columns = ["good", "bad", "failed_good", "failed_bad", "failed_as_meant"]
    assert tuple(found[columns]) == counts
    shares = ["precision", "recall", "recall_as_meant", "false_alarms"]
    assert found[shares].tolist() == pytest.approx([precision, recall, as_meant, alarms])


def test_a_part_without_good_pairs_has_no_precision(
    checks: pd.DataFrame, labelled: Labelled
) -> None:
    found = row(measure_verdicts(checks, labelled), part="fault", level="number_changed")
    assert isnan(found["precision"])
    assert found["precision_reason"] == "the part has pairs of one label only"
    assert found["recall"] == 3 / 4
    assert found["false_alarms_reason"] == "no good pair"


def test_a_bad_pair_failed_by_another_check_is_not_caught_as_meant(
    checks: pd.DataFrame, labelled: Labelled
) -> None:
    claims_of_c1 = (checks["item_id"] == "c1") & (checks["check"] == "claims")
    found = row(measure_verdicts(checks[~claims_of_c1], labelled), part="all", level="all")
    assert found[["failed_bad", "failed_as_meant"]].tolist() == [4, 3]


def test_wrongly_judged_pairs_are_listed(checks: pd.DataFrame, labelled: Labelled) -> None:
    claims_of_c1 = (checks["item_id"] == "c1") & (checks["check"] == "claims")
    errors = list_errors(checks[~claims_of_c1], labelled)
    assert list(errors.columns) == ERROR_COLUMNS
    found = errors[["pair_id", "outcome", "failed_checks"]].to_numpy().tolist()
    assert found == [
        ["g1", "false alarm", "numbers"],
        ["n4", "missed", ""],
        ["c1", "other reason", "numbers"],
        ["c2", "missed", ""],
        ["s1", "missed", ""],
    ]


def test_a_pair_failed_for_a_related_reason_alone_is_no_error(
    checks: pd.DataFrame, labelled: Labelled
) -> None:
    """n1 keeps the failed check of claims, to which its changed number is related."""
    numbers_of_n1 = (checks["item_id"] == "n1") & (checks["check"] == "numbers")
    assert "n1" not in set(list_errors(checks[~numbers_of_n1], labelled)["pair_id"])


def test_a_check_of_an_unknown_pair_is_refused(checks: pd.DataFrame, labelled: Labelled) -> None:
    checks.loc[0, "item_id"] = "x"
    with pytest.raises(ItemError, match="checks name pair 'x', which is not labelled"):
        measure_checks(checks, labelled)


def test_a_pair_without_checks_is_refused(checks: pd.DataFrame, labelled: Labelled) -> None:
    with pytest.raises(ItemError, match="pair 'g2' has not been checked"):
        measure_verdicts(checks[checks["item_id"] != "g2"], labelled)


def test_a_check_that_stands_twice_is_refused(checks: pd.DataFrame, labelled: Labelled) -> None:
    with pytest.raises(ItemError, match="pair 'g1' has check numbers twice"):
        list_errors(pd.concat([checks, checks.iloc[:1]]), labelled)


def test_tables_come_back_as_they_were_written(
    checks: pd.DataFrame, labelled: Labelled, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    for made, read in (
        (measure_checks(checks, labelled), read_check_measures),
        (measure_verdicts(checks, labelled), read_verdict_measures),
        (list_errors(checks, labelled), read_errors),
    ):
        write_table(made, path)
        # Values are written with six significant digits.
        pd.testing.assert_frame_equal(read(path), made, check_dtype=False, rtol=1e-5)


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("checks", "recall_low", "low", "column missing: recall_low"),
        ("checks", ",0.8,", ",much,", "precision_any 'much' is not a number"),
        ("verdicts", "all,all,3,", "all,all,,", "good '' is not a number"),
    ],
)
def test_another_form_is_named(
    checks: pd.DataFrame,
    labelled: Labelled,
    tmp_path: Path,
    table: str,
    old: str,
    new: str,
    message: str,
) -> None:
    path = tmp_path / "table.csv"
    measure, read = {
        "checks": (measure_checks, read_check_measures),
        "verdicts": (measure_verdicts, read_verdict_measures),
    }[table]
    write_table(measure(checks, labelled), path)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(ItemError, match=message) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: ")
