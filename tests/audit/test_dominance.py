import pytest

from isogloss.audit.dominance import DominanceRule, Tally, dominant
from isogloss.errors import ConfigurationError

RULE = DominanceRule(share=0.75, distinct=3, per_thousand=10)


def weigh(one: tuple[int, int], other: tuple[int, int], words: int = 100) -> str | None:
    return dominant(Tally("one", *one), Tally("other", *other), words, RULE).register


@pytest.mark.parametrize(
    ("one", "other", "words", "register"),
    [
        ((3, 3), (1, 1), 100, "one"),
        ((1, 1), (3, 3), 100, "other"),
        ((5, 5), (2, 2), 100, None),
        ((9, 2), (0, 0), 100, None),
        ((3, 3), (1, 1), 300, "one"),
        ((3, 3), (1, 1), 301, None),
        ((4, 4), (4, 4), 100, None),
        ((0, 0), (0, 0), 100, None),
        ((0, 0), (0, 0), 0, None),
    ],
)
def test_a_register_dominates_when_all_three_thresholds_are_reached(
    one: tuple[int, int], other: tuple[int, int], words: int, register: str | None
) -> None:
    assert weigh(one, other, words) == register


def test_the_reason_gives_the_numbers_and_each_threshold_that_was_missed() -> None:
    found = dominant(Tally("agentic", 4, 1), Tally("coded_exclusion", 2, 2), 1000, RULE)
    assert found.share == pytest.approx(2 / 3)
    assert found.reason == (
        "4 of 6 agentic and coded exclusion matches (67%) are agentic: 1 phrase, 4.0 per 1,000 "
        "words, but 75% of both are the least and 3 different phrases are the least and 10 per "
        "1,000 words are the least."
    )
    assert dominant(Tally("a", 0, 0), Tally("b", 0, 0), 9, RULE).share is None


@pytest.mark.parametrize("share", [0.5, 0.0, 1.01, float("nan")])
def test_a_share_that_both_registers_could_have_is_refused(share: float) -> None:
    with pytest.raises(ConfigurationError, match=r"a share above 0\.5"):
        DominanceRule(share=share)
