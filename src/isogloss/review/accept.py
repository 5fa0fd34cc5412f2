"""Check what a reviewer filled in against the pairs as they stand now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from isogloss.errors import ItemError
from isogloss.review.batch import LONGEST_COMMENT, VERDICTS, HumanVerdict
from isogloss.review.decisions import Decision, utc
from isogloss.review.differences import shown
from isogloss.review.filled import Filled, FilledRow
from isogloss.review.pairs import ReviewPair
from isogloss.review.workbook import shown_texts

CLOCKS_DIFFER = timedelta(hours=24)
"""How far ahead of this machine's clock a reviewer's may be."""


@dataclass(frozen=True)
class Accepted:
    """What a filled-in file says."""

    decisions: tuple[Decision, ...]
    undecided: int
    """Rows without a verdict."""


def accept(
    filled: Filled, pairs: Sequence[ReviewPair], reviewer: str, now: datetime, date: datetime | None
) -> Accepted:
    """Return the decisions of a filled-in file.

    `date` is when they were made, for a file that does not say it; without it they were made
    `now`. Raises `ItemError` naming the row when a pair is unknown or stands there twice, its
    texts are no longer those that were reviewed or were edited in the file, a verdict is none of
    the three, a comment has no verdict or is too long, a time lies ahead, or the file is another
    reviewer's.
    """
    _check_reviewer(filled, reviewer)
    known = {pair.sha256: pair for pair in pairs}
    decided = [row for row in filled.rows if _is_decided(row, filled)]
    _check_once(decided, filled)
    decisions = []
    for row in decided:
        pair = _pair(row, known, filled)
        verdict, comment = _verdict(row, filled), _comment(row, filled)
        moment = utc(_moment(row, filled, now, date))
        key, source = pair.key, filled.sha256
        decisions.append(
            Decision(
                key.item_set, key.item_id, key.contrast, pair.sha256, verdict, comment, reviewer,
                moment, row.blind, source,
            )
        )  # fmt: skip
    return Accepted(tuple(decisions), len(filled.rows) - len(decided))


def item_sets(filled: Filled) -> tuple[str, ...]:
    """Return the item sets that a file names, in its order; raise `ItemError` for a wrong name."""
    for row in filled.rows:
        parts = row.item_set.split("/")
        if len(parts) != 2 or not all(part.strip(".") for part in parts) or "\\" in row.item_set:
            raise _fault(filled, row, f"item_set is {row.item_set!r}", "export the pairs again")
    return tuple(dict.fromkeys(row.item_set for row in filled.rows))


def _fault(filled: Filled, row: FilledRow, what: str, remedy: str) -> ItemError:
    return ItemError(f"{filled.path}: {row.place}: {what}; {remedy}")


def _check_reviewer(filled: Filled, reviewer: str) -> None:
    named = " ".join(filled.reviewer.split())
    if named and named.casefold() != reviewer.casefold():
        raise ItemError(
            f"{filled.path}: the file is that of {named!r}; give --reviewer {named!r}, or the one "
            f"of {reviewer!r}"
        )


def _is_decided(row: FilledRow, filled: Filled) -> bool:
    if row.verdict.strip():
        return True
    if row.comment.strip():
        raise _fault(filled, row, "a comment and no verdict", f"give one of {', '.join(VERDICTS)}")
    return False


def _check_once(rows: Iterable[FilledRow], filled: Filled) -> None:
    places: dict[tuple[str, str, str], str] = {}
    for row in rows:
        key = row.item_set, row.item_id, row.contrast
        earlier = places.setdefault(key, row.place)
        if earlier != row.place:
            what = f"item {row.item_id}, {row.contrast} is decided in {earlier} already"
            raise _fault(filled, row, what, "keep one of the two")


def _pair(row: FilledRow, known: dict[str, ReviewPair], filled: Filled) -> ReviewPair:
    pair = known.get(row.text_sha256)
    if pair is None:
        _refuse_unknown(row, known, filled)
    assert pair is not None
    key = pair.key
    named = (row.item_set, row.contrast) == (key.item_set, shown(key.contrast).strip())
    if not named or not _same_id(row.item_id, key.item_id):
        what = f"its hash is that of {key}"
        raise _fault(filled, row, what, "its cells were moved apart; fill in a fresh export")
    current = shown_texts(pair)
    for column, text in row.texts.items():
        if text.split() != current[column].split():
            what = f"{column} of item {key.item_id} was edited in the file"
            raise _fault(filled, row, what, "fill in a fresh export")
    return pair


def _refuse_unknown(row: FilledRow, known: dict[str, ReviewPair], filled: Filled) -> None:
    keys = {(pair.key.item_set, pair.key.item_id, pair.key.contrast) for pair in known.values()}
    name = f"item {row.item_id!r} of {row.item_set!r}, {row.contrast!r}"
    if (row.item_set, row.item_id, row.contrast) in keys:
        raise _fault(filled, row, f"{name} was changed since", "export and review it again")
    raise _fault(filled, row, f"there is no pair {name}", "name its set with --items")


def _same_id(written: str, item_id: str) -> bool:
    """Tell whether an id is the item's; a spreadsheet may have made a number of it."""
    if written == shown(item_id).strip():
        return True
    return written.isdigit() and item_id.isdigit() and int(written) == int(item_id)


def _verdict(row: FilledRow, filled: Filled) -> HumanVerdict:
    written = row.verdict.strip().lower()
    for verdict in VERDICTS:
        if verdict == written:
            return verdict
    what = f"verdict is {row.verdict[:40]!r}"
    raise _fault(filled, row, what, f"it must be one of {', '.join(VERDICTS)}")


def _comment(row: FilledRow, filled: Filled) -> str:
    comment = row.comment.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(comment) > LONGEST_COMMENT:
        what = f"the comment has {len(comment)} characters"
        raise _fault(filled, row, what, f"shorten it to {LONGEST_COMMENT}")
    return comment


def _moment(row: FilledRow, filled: Filled, now: datetime, date: datetime | None) -> datetime:
    if row.decided_at is None:
        moment = date or now
    elif date is not None:
        raise _fault(filled, row, "the file says when it was decided", "leave --date out")
    else:
        try:
            moment = datetime.fromisoformat(row.decided_at)
        except ValueError:
            what = f"decided_at is {row.decided_at[:40]!r}"
            raise _fault(filled, row, what, "download the decisions again") from None
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    if zoned > now + CLOCKS_DIFFER:
        raise _fault(filled, row, f"decided at {utc(zoned)}, which lies ahead", "set the clock")
    return zoned
