"""Judge the candidates, and keep the best valid one of each item."""

from collections import Counter
from collections.abc import Sequence

from isogloss.stimuli.draft.records import (
    Attempt,
    Choice,
    Drafted,
    Drafts,
    Item,
    Judge,
    Judged,
    Task,
)

_DIGITS = 6
"""Similarities that are equal to so many digits are equal; machines differ in the last ones."""

_Judged = list[tuple[Attempt, Judged | None]]


def choose(items: Sequence[Item], attempts: Sequence[Attempt], task: Task, judge: Judge) -> Drafts:
    """Judge every candidate and choose for each item.

    The best candidate is, of those that are valid, the one of highest similarity, and of those the
    first. An item without any keeps its place, with the reason.
    """
    judged = _judge_all(attempts, judge)
    by_item: dict[str, _Judged] = {}
    for attempt, judgement in zip(attempts, judged, strict=True):
        by_item.setdefault(attempt.item.item_id, []).append((attempt, judgement))
    choices = tuple(_choice(item, by_item.get(item.item_id, [])) for item in items)
    return Drafts(task, tuple(attempts), tuple(judged), choices)


def _judge_all(attempts: Sequence[Attempt], judge: Judge) -> list[Judged | None]:
    judged: list[Judged | None] = [None] * len(attempts)
    places = [place for place, attempt in enumerate(attempts) if attempt.outcome == "ok"]
    if places:
        found = judge([_pair(attempts[place]) for place in places])
        for place, judgement in zip(places, found, strict=True):
            judged[place] = judgement
    return judged


def _pair(attempt: Attempt) -> Drafted:
    item = attempt.item
    return Drafted(item.item_id, item.context, item.text, attempt.text, attempt.candidate)


def _choice(item: Item, judged: _Judged) -> Choice:
    if item.fault:
        return Choice(item, "not_asked", item.fault)
    valid = [(attempt, found) for attempt, found in judged if found is not None and found.valid]
    if not valid:
        return Choice(item, "none_valid", _why_none(judged))
    best, _ = max(valid, key=lambda pair: _rank(*pair))
    return Choice(item, "chosen", "", best)


def _rank(attempt: Attempt, judged: Judged) -> tuple[float, int]:
    similarity = -2.0 if judged.similarity is None else round(judged.similarity, _DIGITS)
    return similarity, -attempt.candidate


def _why_none(judged: _Judged) -> str:
    """Each different reason once, with how many candidates it holds for."""
    reasons = Counter(
        f"not valid: {found.reason}" if found is not None else f"{a.outcome}: {a.reason}"
        for a, found in judged
    )
    return " | ".join(
        f"{count} x {reason}" if len(judged) > 1 else reason for reason, count in reasons.items()
    )
