from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.validate.records import Check, Verdict
from isogloss.validate.table import (
    CHECK_COLUMNS,
    VERDICT_COLUMNS,
    checks_table,
    read_checks,
    read_verdicts,
    verdicts_table,
    write_table,
)

CHECKS = [
    Check("01", "a - b", "similarity", 0.25, ">= 0.7", False, False, "similarity 0.250 < 0.7"),
    Check("NA", "a - b", "names", None, "", False, False, 'names "x", not measured'),
    Check("01", "a - b", "wrapped_quotes", 1, "= 0", True, True, "repaired: 👍 „x“"),
]
VERDICTS = [Verdict("01", "a - b", False, "x; y"), Verdict("NA", "a - b", True, "")]


def test_checks_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "set" / "checks.csv"
    write_table(checks_table(CHECKS), path)
    pd.testing.assert_frame_equal(read_checks(path), checks_table(CHECKS), check_dtype=False)
    assert path.read_bytes().startswith(",".join(CHECK_COLUMNS).encode() + b"\n")
    assert b"\r" not in path.read_bytes()


def test_verdicts_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    write_table(verdicts_table(VERDICTS), path)
    pd.testing.assert_frame_equal(read_verdicts(path), verdicts_table(VERDICTS), check_dtype=False)
    assert VERDICT_COLUMNS == ["item_id", "contrast", "valid", "reason"]


def test_empty_tables_have_their_columns(tmp_path: Path) -> None:
    assert list(checks_table([]).columns) == CHECK_COLUMNS
    assert list(verdicts_table([]).columns) == VERDICT_COLUMNS


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("threshold", "limit", "column missing: threshold"),
        ("0.25,", "high,", "value 'high' is not a number"),
        ("False", "no", "passed is 'no'; it must be True or False"),
        ("similarity,", "closeness,", "unknown check 'closeness'"),
    ],
)
def test_another_form_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "checks.csv"
    write_table(checks_table(CHECKS), path)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(ItemError, match=message) as error:
        read_checks(path)
    assert str(error.value).startswith(f"{path}: ")


def test_two_verdicts_for_a_pair_are_named(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    write_table(verdicts_table([VERDICTS[0], VERDICTS[0]]), path)
    with pytest.raises(ItemError, match="two verdicts for item 01, a - b"):
        read_verdicts(path)


@pytest.mark.parametrize("content", [None, b"", b"item_id,\xff\n"])
def test_an_unreadable_table_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "verdicts.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ItemError, match=r"verdicts\.csv: not a readable table"):
        read_verdicts(path)
