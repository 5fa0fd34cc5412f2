"""The best valid candidate is kept; an item without one keeps its place."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.stimuli.draft.conftest import item

from isogloss.stimuli.draft.choose import choose
from isogloss.stimuli.draft.records import (
    Attempt,
    Drafted,
    DraftOutcome,
    Item,
    Judged,
    Provenance,
    Task,
)

BY = Provenance(by="model:m@1")
GOOD = Judged(True, "", 0.8)


def _attempt(number: int, outcome: DraftOutcome = "ok", *, of: Item | None = None) -> Attempt:
    text = f"text {number}" if outcome == "ok" else ""
    reason = "" if outcome == "ok" else "no JSON object"
    return Attempt(of or item(), number, outcome, reason, BY, text)


@pytest.mark.parametrize(
    ("judged", "best"),
    [
        ([GOOD, replace(GOOD, similarity=0.9), GOOD], 2),
        ([GOOD, GOOD, GOOD], 1),
        ([GOOD, replace(GOOD, similarity=0.8 + 1e-9), GOOD], 1),
        ([Judged(False, "number lost: 40", 0.99), GOOD, GOOD], 2),
        ([replace(GOOD, similarity=None), replace(GOOD, similarity=-1.0)], 2),
        ([replace(GOOD, similarity=None), replace(GOOD, similarity=None)], 1),
    ],
)
def test_the_closest_valid_one_then_the_first(task: Task, judged: list[Judged], best: int) -> None:
    attempts = [_attempt(number + 1) for number in range(len(judged))]
    drafts = choose([item()], attempts, task, lambda _: judged)
    (choice,) = drafts.choices
    assert (choice.status, choice.reason) == ("chosen", "")
    assert choice.attempt == attempts[best - 1]
    assert list(drafts.judged) == judged


def test_only_candidates_are_judged_and_by_their_own(task: Task) -> None:
    attempts = [_attempt(1, "refusal"), _attempt(2), _attempt(3, "malformed"), _attempt(4)]
    seen: list[int] = []

    def judge(drafted: Sequence[Drafted]) -> list[Judged]:
        seen.extend(pair.candidate for pair in drafted)
        return [Judged(pair.candidate == 4, "worse", 0.5) for pair in drafted]

    drafts = choose([item()], attempts, task, judge)
    assert seen == [2, 4]
    assert drafts.judged == (None, Judged(False, "worse", 0.5), None, Judged(True, "worse", 0.5))
    assert drafts.choices[0].attempt == attempts[3]


def test_an_item_without_a_valid_candidate_says_why(task: Task) -> None:
    attempts = [_attempt(1, "malformed"), _attempt(2), _attempt(3), _attempt(4, "malformed")]
    drafts = choose([item()], attempts, task, lambda p: [Judged(False, "too far", 0.1)] * len(p))
    (choice,) = drafts.choices
    assert (choice.status, choice.attempt) == ("none_valid", None)
    assert choice.reason == "2 x malformed: no JSON object | 2 x not valid: too far"


def test_items_keep_their_order_and_those_at_fault_their_place(task: Task) -> None:
    items = [item(item_id="z"), replace(item(item_id="a"), fault="the text is empty")]
    items.append(item(item_id="m"))
    attempts = [_attempt(1, of=items[2]), _attempt(1, of=items[0])]
    drafts = choose(items, attempts, task, lambda pairs: [GOOD] * len(pairs))
    assert [choice.item.item_id for choice in drafts.choices] == ["z", "a", "m"]
    assert [choice.status for choice in drafts.choices] == ["chosen", "not_asked", "chosen"]
    assert drafts.choices[1].reason == "the text is empty"


def test_nothing_to_judge_asks_no_judge(task: Task) -> None:
    def judge(_: Sequence[Drafted]) -> list[Judged]:
        raise AssertionError

    assert choose([item()], [_attempt(1, "error")], task, judge).choices[0].status == "none_valid"


def test_a_judge_must_judge_every_candidate(task: Task) -> None:
    with pytest.raises(ValueError, match="zip"):
        choose([item()], [_attempt(1), _attempt(2)], task, lambda _: [GOOD])
