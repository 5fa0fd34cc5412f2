"""A model as a judge: asked in both orders, and a missing answer excludes nobody."""

from collections.abc import Sequence
from typing import Any

import pytest

from isogloss.score.requests import Reading, Request
from isogloss.validate.judge import judge_by
from isogloss.validate.records import Pair

SHA = "0" * 64


class Answering:
    """Stands in for an asker; gives the readings that a test wants."""

    def __init__(self, *readings: Reading) -> None:
        self.readings = readings
        self.asked: list[Request] = []

    def score(self, requests: Sequence[Request], what: str) -> list[Reading]:  # noqa: ARG002
        self.asked.extend(requests)
        return list(self.readings)


def yes(share: float) -> Reading:
    return Reading("ok", None, SHA, 1.0, (share, 1 - share), None, "yes" if share >= 0.5 else "no")


def judged(asker: Any) -> Any:
    pair = Pair("1", "soft - plain", "soft", "Perhaps it rains.", "plain", "It rains.")
    (check,) = judge_by(asker)([pair])
    return check


@pytest.mark.parametrize(
    ("shares", "value", "passed"), [((0.9, 0.5), 0.7, True), ((0.2, 0.6), 0.4, False)]
)
def test_the_mean_of_both_orders_decides(
    shares: tuple[float, float], value: float, passed: bool
) -> None:
    asker = Answering(*map(yes, shares))
    check = judged(asker)
    assert check.value == pytest.approx(value)
    assert check.passed is passed
    first, second = (request.messages[0].content for request in asker.asked)
    assert first.index("Perhaps") < first.index("Text B:") < first.index("\nIt rains.")
    assert second.index("\nIt rains.") < second.index("Text B:") < second.index("Perhaps")


def test_an_answer_in_words_counts_as_yes_or_no() -> None:
    text = Reading("ok", None, SHA, modal="yes", text="Yes.")
    assert judged(Answering(text, text)).value == 1


def test_without_an_answer_the_pair_is_not_judged_and_the_reason_is_kept() -> None:
    refused = Reading("refusal", "says so", SHA)
    check = judged(Answering(yes(0.9), refused))
    assert check.passed
    assert check.value is None
    assert "refusal: says so" in check.reason
