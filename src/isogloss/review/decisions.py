"""The record of what people decided; it only grows."""

import csv
import io
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock

from isogloss.errors import ItemError
from isogloss.review.batch import VERDICTS, HumanVerdict
from isogloss.review.pairs import PairKey
from isogloss.validate.items import read_table

REVIEWS = Path("data/reviews")
"""Folder of the records, relative to the project: `<study>/<set>.csv`."""

_TRUTH = {"True": True, "False": False}


@dataclass(frozen=True)
class Decision:
    """What one reviewer decided about one pair at one time."""

    item_set: str
    item_id: str
    contrast: str
    text_sha256: str
    """Hash of the texts that were judged, as `ReviewPair.sha256`."""
    verdict: HumanVerdict
    comment: str
    reviewer: str
    decided_at: str
    """When, in UTC: `2026-01-31T12:00:00Z`."""
    blind: bool
    """Whether the verdict was given without sight of what the machine found."""
    source_sha256: str
    """SHA-256 of the file that it was read from."""

    @property
    def key(self) -> PairKey:
        """Which pair it is about."""
        return PairKey(self.item_set, self.item_id, self.contrast)


DECISION_COLUMNS = [field.name for field in fields(Decision)]
"""Columns of the record, a CSV file."""


@dataclass(frozen=True)
class Appended:
    """What became of decisions that were to be recorded."""

    added: int
    present: int
    """Decisions that the record held already."""


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """Read a record of decisions, oldest row first; a file that is not there holds none.

    Raises `ItemError` naming the file, row and column of what is not a decision.
    """
    if not path.exists():
        return ()
    rows = read_table(path, DECISION_COLUMNS).to_dict("records")
    return tuple(
        _decision({str(name): str(cell) for name, cell in row.items()}, f"{path}: row {number}")
        for number, row in enumerate(rows, start=1)
    )


def by_record(
    decisions: Iterable[Decision], record: Path | None = None
) -> dict[Path, list[Decision]]:
    """Return decisions by the record that they belong to.

    All belong to `record` where one is given, else each to that of its item set in `REVIEWS`.
    """
    found: dict[Path, list[Decision]] = {}
    for decision in decisions:
        path = record or REVIEWS / f"{decision.item_set}.csv"
        found.setdefault(path, []).append(decision)
    return found


def append_decisions(path: Path, decisions: Sequence[Decision]) -> Appended:
    """Add decisions to a record, which is made if it is not there; rows are never changed.

    A decision is there already when the record has one by the same reviewer about the same pair
    that came from the same file, or that agrees in everything but the file. Raises `ItemError` when
    another reviewer's decisions came from the same file, or a reviewer is recorded under a name
    that differs in capitals only.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f".{path.name}.lock")):
        kept = read_decisions(path)
        _check_reviewers(path, kept, decisions)
        seen = {name for decision in kept for name in _names(decision)}
        new = [decision for decision in decisions if not seen.intersection(_names(decision))]
        if new:
            _write(path, [*kept, *new])
    return Appended(len(new), len(decisions) - len(new))


def in_force(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return each reviewer's last decision about each pair.

    The last is the one with the latest time, and of those with the same time the last row.
    """
    latest: dict[tuple[PairKey, str], Decision] = {}
    for decision in decisions:
        place = decision.key, decision.reviewer
        if place not in latest or latest[place].decided_at <= decision.decided_at:
            latest[place] = decision
    return tuple(latest.values())


def utc(moment: datetime) -> str:
    """Return a moment as decisions state it, in whole seconds of UTC.

    A moment without a zone is taken for UTC.
    """
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return f"{zoned.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _names(decision: Decision) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """What a decision is known by: the file it came from, and its content."""
    pair = decision.key, decision.reviewer
    content = (decision.text_sha256, decision.verdict, decision.comment, decision.decided_at)
    return (*pair, decision.source_sha256), (*pair, *content)


def _decision(row: dict[str, str], place: str) -> Decision:
    if row["verdict"] not in VERDICTS:
        raise ItemError(
            f"{place}: verdict is {row['verdict']!r}; it must be one of {', '.join(VERDICTS)}"
        )
    if row["blind"] not in _TRUTH:
        raise ItemError(f"{place}: blind is {row['blind']!r}; it must be True or False")
    try:
        well_formed = utc(datetime.fromisoformat(row["decided_at"])) == row["decided_at"]
    except ValueError:
        well_formed = False
    if not well_formed:
        raise ItemError(
            f"{place}: decided_at is {row['decided_at']!r}; it must be like 2026-01-31T12:00:00Z"
        )
    cells = {name: row[name] for name in DECISION_COLUMNS if name not in ("verdict", "blind")}
    verdict = next(verdict for verdict in VERDICTS if verdict == row["verdict"])
    return Decision(**cells, verdict=verdict, blind=_TRUTH[row["blind"]])


def _check_reviewers(path: Path, kept: Sequence[Decision], new: Sequence[Decision]) -> None:
    sources = {decision.source_sha256: decision.reviewer for decision in kept}
    names = {decision.reviewer.casefold(): decision.reviewer for decision in kept}
    for decision in new:
        before = sources.get(decision.source_sha256, decision.reviewer)
        if before.casefold() != decision.reviewer.casefold():
            raise ItemError(
                f"{path}: the file was imported as that of {before!r}; give the one that "
                f"{decision.reviewer!r} filled in"
            )
        written = names.get(decision.reviewer.casefold(), decision.reviewer)
        if written != decision.reviewer:
            raise ItemError(
                f"{path}: {decision.reviewer!r} is recorded as {written!r}; write the name so"
            )


def _write(path: Path, decisions: Sequence[Decision]) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, DECISION_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(decision) for decision in decisions)
    # A run that is killed must leave the old record or the new one.
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".partial-") as folder:
        temporary = Path(folder) / path.name
        temporary.write_bytes(text.getvalue().encode())
        temporary.replace(path)
