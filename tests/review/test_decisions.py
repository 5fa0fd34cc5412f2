"""The record grows, never changes, and knows what is in force."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.review.decisions import (
    Appended,
    append_decisions,
    in_force,
    read_decisions,
    utc,
)

LATER = "2026-01-02T12:00:00Z"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "reviews" / "decisions.csv"


def test_what_is_recorded_comes_back(record: Path, decide) -> None:
    rows = [
        decide(comment='=1+1, "quoted"\nand a second line 😀', verdict="unsure"),
        decide("007", reviewer="Zoë", blind=False),
    ]
    assert append_decisions(record, rows) == Appended(2, 0)
    assert list(read_decisions(record)) == rows
    assert [path.name for path in record.parent.iterdir() if path.suffix == ".csv"] == [record.name]


def test_the_same_file_adds_nothing(record: Path, decide) -> None:
    append_decisions(record, [decide(), decide("i2")])
    before = record.read_bytes()
    # Imported again, the file's decisions are of a later time.
    again = [decide(decided_at=LATER), decide("i2", decided_at=LATER)]
    assert append_decisions(record, again) == Appended(0, 2)
    assert record.read_bytes() == before


def test_a_decision_in_a_second_download_is_there_already(record: Path, decide) -> None:
    append_decisions(record, [decide()])
    second = [decide(source_sha256="00" * 32), decide("i2", source_sha256="00" * 32)]
    assert append_decisions(record, second) == Appended(1, 1)


def test_rows_are_only_added(record: Path, decide) -> None:
    append_decisions(record, [decide()])
    before = record.read_text()
    append_decisions(record, [decide(verdict="reject", decided_at=LATER, source_sha256="1" * 64)])
    assert record.read_text().startswith(before)
    assert len(read_decisions(record)) == 2


def test_a_reviewer_s_later_decision_is_in_force(decide) -> None:
    first, second = decide(), decide(verdict="reject", decided_at=LATER)
    other = decide(reviewer="Ben")
    for order in ([first, second, other], [second, other, first]):
        assert set(in_force(order)) == {second, other}


def test_of_two_decisions_of_one_time_the_last_row_is_in_force(decide) -> None:
    assert in_force([decide(), decide(verdict="unsure")]) == (decide(verdict="unsure"),)


def test_a_file_is_one_reviewer_s(record: Path, decide) -> None:
    append_decisions(record, [decide()])
    with pytest.raises(ItemError, match="imported as that of 'Ana'; give the one that 'Ben'"):
        append_decisions(record, [decide(reviewer="Ben")])


def test_a_name_is_written_in_one_way(record: Path, decide) -> None:
    append_decisions(record, [decide()])
    with pytest.raises(ItemError, match="'ANA' is recorded as 'Ana'"):
        append_decisions(record, [decide(reviewer="ANA", source_sha256="00" * 32)])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (",accept,", ",Accept,", "row 1: verdict is 'Accept'"),
        (",True,", ",yes,", "row 1: blind is 'yes'"),
        ("T12:00:00Z", "", "row 1: decided_at is '2026-01-01'"),
        ("2026-01-01", "someday", "row 1: decided_at is 'someday"),
        (",reviewer,", ",who,", "column missing: reviewer"),
    ],
)
def test_a_damaged_record_is_refused(record: Path, decide, old: str, new: str, said: str) -> None:
    append_decisions(record, [decide()])
    record.write_text(record.read_text().replace(old, new, 1))
    with pytest.raises(ItemError, match=said):
        read_decisions(record)


def test_a_record_that_is_not_there_is_empty(record: Path) -> None:
    assert read_decisions(record) == ()
    assert append_decisions(record, []) == Appended(0, 0)
    assert not record.exists()


def test_times_are_in_utc_and_whole_seconds() -> None:
    east = timezone(timedelta(hours=2))
    assert utc(datetime(2026, 1, 1, 1, 0, 0, 999_999, east)) == "2025-12-31T23:00:00Z"
    assert utc(datetime(2026, 1, 1)) == utc(datetime(2026, 1, 1, tzinfo=UTC))
