"""How many pairs passed the machine, a person, both or none."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

import pandas as pd

from isogloss.review.decisions import Decision, in_force
from isogloss.review.pairs import ReviewPair

Standing = Literal["both", "machine_only", "human_only", "none", "not_reviewed"]


@dataclass(frozen=True)
class Outcome:
    """Counts of the pairs of one item set and contrast.

    A pair passed the machine when its verdict is valid. It passed a person when at least one
    reviewer judged its texts as they stand now and the decision in force of every one who did is
    accept; a reject or an unsure of one of them is enough for it not to pass.
    """

    item_set: str
    contrast: str
    pairs: int
    both: int
    """Passed the machine and every reviewer who judged it."""
    machine_only: int
    """Passed the machine, judged by people, and not accepted by all of them."""
    human_only: int
    """Failed the machine and was accepted by all who judged it."""
    none: int
    """Failed the machine, judged by people, and not accepted by all of them."""
    not_reviewed: int
    """Judged by nobody, or only before its texts were changed."""
    not_reviewed_passed: int
    """Those of `not_reviewed` that passed the machine."""
    outdated: int
    """Those of `not_reviewed` that somebody judged before the texts were changed."""
    reviewers: int
    """People who judged at least one of the pairs as it stands now."""


OUTCOME_COLUMNS = [field.name for field in fields(Outcome)]
"""Columns of `outcomes_table`."""


def summarise(pairs: Sequence[ReviewPair], decisions: Iterable[Decision]) -> tuple[Outcome, ...]:
    """Count the pairs of each item set and contrast, in the order in which they come."""
    decided: dict[tuple[str, str, str], list[Decision]] = {}
    for decision in in_force(decisions):
        place = decision.item_set, decision.item_id, decision.contrast
        decided.setdefault(place, []).append(decision)
    groups: dict[tuple[str, str], list[tuple[ReviewPair, list[Decision]]]] = {}
    for pair in pairs:
        key = pair.key
        found = decided.get((key.item_set, key.item_id, key.contrast), [])
        groups.setdefault((key.item_set, key.contrast), []).append((pair, found))
    return tuple(_outcome(*names, group) for names, group in groups.items())


def standing(pair: ReviewPair, decisions: Iterable[Decision]) -> Standing:
    """Return where one pair stands, given the decisions in force about it."""
    current = _current(pair, decisions)
    if not current:
        return "not_reviewed"
    if all(decision.verdict == "accept" for decision in current):
        return "both" if pair.valid else "human_only"
    return "machine_only" if pair.valid else "none"


def outcomes_table(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return outcomes as a table, one row each."""
    return pd.DataFrame([asdict(outcome) for outcome in outcomes], columns=OUTCOME_COLUMNS)


def _current(pair: ReviewPair, decisions: Iterable[Decision]) -> list[Decision]:
    return [decision for decision in decisions if decision.text_sha256 == pair.sha256]


def _outcome(
    item_set: str, contrast: str, group: Sequence[tuple[ReviewPair, list[Decision]]]
) -> Outcome:
    standings = [standing(pair, decisions) for pair, decisions in group]
    open_pairs = [
        one for one, where in zip(group, standings, strict=True) if where == "not_reviewed"
    ]
    current = [one for pair, decisions in group for one in _current(pair, decisions)]
    return Outcome(
        item_set=item_set,
        contrast=contrast,
        pairs=len(group),
        both=standings.count("both"),
        machine_only=standings.count("machine_only"),
        human_only=standings.count("human_only"),
        none=standings.count("none"),
        not_reviewed=len(open_pairs),
        not_reviewed_passed=sum(pair.valid for pair, _ in open_pairs),
        outdated=sum(bool(decisions) for _, decisions in open_pairs),
        reviewers=len({decision.reviewer for decision in current}),
    )
