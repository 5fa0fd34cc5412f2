"""Candidates are held to what validation holds a pair to."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.stimuli.draft.conftest import HEDGED, HEDGING, PLAIN

from isogloss.config.thresholds import Thresholds
from isogloss.stimuli.draft.judging import judge_with
from isogloss.stimuli.draft.records import Drafted, Judged
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import load_instruments

COMPARISON = Comparison("hedged - confident", "hedged", "confident", HEDGING, None, Thresholds())
LIGHT = "I think I fixed the pump in 40 minutes. The line ran again at noon."

Judging = Any


@pytest.fixture(scope="module")
def judge(project: Path) -> Judging:
    """A judge to whom texts are alike but for those about a lathe."""

    def encode(texts: Sequence[str]) -> Any:
        return np.array([[0.0, 1.0] if "lathe" in text else [1.0, 0.0] for text in texts])

    found = judge_with(COMPARISON, load_instruments({"hedged": HEDGING}, project, encode))

    def judged(*texts: str, reference: str = PLAIN) -> list[Judged]:
        return list(found([Drafted("a", "Why?", reference, t, n) for n, t in enumerate(texts)]))

    return judged


def test_a_candidate_that_only_hedges_is_valid(judge: Judging) -> None:
    assert judge(LIGHT) == [Judged(True, "", pytest.approx(1.0))]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (LIGHT.replace("pump", "lathe"), "similarity 0.000 < 0.7"),
        (LIGHT.replace("40", "45"), "number lost: 40"),
        (PLAIN.replace("again", "once again"), "markers per 1,000 words, fewer than 20"),
        (HEDGED, "markers per 1,000 words, more than 120"),
        (LIGHT.replace("ran", "rann"), "rann"),
    ],
)
def test_what_makes_it_invalid_is_said(judge: Judging, text: str, reason: str) -> None:
    (judged,) = judge(text)
    assert not judged.valid
    assert reason in judged.reason


def test_the_reference_must_be_without_the_devices(judge: Judging) -> None:
    (judged,) = judge(LIGHT, reference=f"Perhaps {PLAIN}")
    assert "confident has" in judged.reason


def test_each_candidate_is_judged_by_itself(judge: Judging) -> None:
    found = judge(LIGHT, LIGHT.replace("40", "45"), LIGHT, LIGHT.replace("pump", "lathe"))
    assert [one.valid for one in found] == [True, False, True, False]
    assert [one.similarity for one in found] == [pytest.approx(s) for s in (1.0, 1.0, 1.0, 0.0)]


def test_a_text_that_cannot_be_compared_is_invalid_and_the_others_are_judged(
    judge: Judging,
) -> None:
    long, fine = judge("I think so. " * 100, LIGHT)
    assert not long.valid
    assert "characters, more than 1000" in long.reason
    assert long.similarity is None
    assert fine.valid
