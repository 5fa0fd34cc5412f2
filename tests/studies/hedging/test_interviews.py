"""Draws of the simulated interviews."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from isogloss.errors import ItemError
from isogloss.score.parse import DECISIONS
from isogloss.studies.hedging.interviews import draw_interviews, rating_at, sample_items

ITEMS = [f"i{n:03d}" for n in range(40)]
SHARES = (0.1, 0.25, 0.3, 0.15, 0.2)


def drawn(items: list[str] = ITEMS, **other: int | str) -> list:
    given = {"count": 20, "questions": 10, "seed": 3, "item_set": "own", **other}
    return draw_interviews(items, **given)  # type: ignore[arg-type]


def test_each_interview_asks_its_number_of_questions_once() -> None:
    interviews = drawn()
    assert [interview.number for interview in interviews] == list(range(1, 21))
    for interview in interviews:
        assert len(interview.item_ids) == len(set(interview.item_ids)) == 10
        assert set(interview.item_ids) <= set(ITEMS)
        assert len(interview.uniforms) == 10
        assert all(0 <= u < 1 for u in interview.uniforms)
        assert sorted(interview.option_order) == sorted(DECISIONS)


def test_the_seed_decides_everything() -> None:
    assert drawn() == drawn()
    for other in ({"seed": 4}, {"item_set": "published"}):
        pairs = list(zip(drawn(), drawn(**other), strict=True))
        assert all(a.item_ids != b.item_ids for a, b in pairs)
        assert all(a.uniforms != b.uniforms for a, b in pairs)


def test_the_order_in_which_items_are_given_does_not_matter() -> None:
    assert drawn(ITEMS[::-1]) == drawn(ITEMS)


def test_more_interviews_leave_the_first_ones_alone() -> None:
    assert drawn(count=30)[:20] == drawn(count=20)


def test_no_interview_repeats_another() -> None:
    interviews = drawn()
    assert len({interview.item_ids for interview in interviews}) == 20
    assert len({interview.option_order for interview in interviews}) > 3


def test_every_item_is_as_likely_as_any_other() -> None:
    asked = Counter(item for i in drawn(count=800) for item in i.item_ids)
    # 8,000 draws over 40 items; the seed is fixed, 0.001 leaves room for any honest generator
    assert stats.chisquare([asked[item] for item in ITEMS]).pvalue > 0.001


def test_every_order_of_options_is_as_likely_as_any_other() -> None:
    orders = Counter(interview.option_order for interview in drawn(count=600))
    assert len(orders) == 6
    assert stats.chisquare(list(orders.values())).pvalue > 0.001


def test_all_items_can_be_asked_and_no_more() -> None:
    [interview] = drawn(ITEMS[:10], count=1)
    assert sorted(interview.item_ids) == ITEMS[:10]
    with pytest.raises(ItemError) as refusal:
        drawn(ITEMS[:9])
    said = str(refusal.value)
    assert "item set own has 9 valid items, an interview asks 10" in said
    assert "interviews.questions" in said


def test_no_interviews_need_items_all_the_same() -> None:
    assert drawn(count=0) == []


@pytest.mark.parametrize(
    ("uniform", "rating"),
    [
        (0.0, 1),
        (0.0999, 1),
        (0.1001, 2),
        (0.3499, 2),
        (0.3501, 3),
        (0.6499, 3),
        (0.6501, 4),
        (0.7999, 4),
        (0.8001, 5),
        (0.9999999, 5),
    ],
)
def test_rating_at_by_hand(uniform: float, rating: int) -> None:
    assert rating_at(uniform, SHARES) == rating


@pytest.mark.parametrize(
    ("uniform", "shares", "rating"),
    [
        (0.5, (0.5, 0.5), 2),  # P(1) > 0.5 does not hold
        (0.0, (0.0, 0.0, 1.0), 3),
        (0.0, (0.0, 0.4, 0.6), 2),
        (0.9, (1.0, 0.0, 0.0), 1),
        (1 - 2**-53, (0.1,) * 10, 10),  # ten tenths add up to less than this u
    ],
)
def test_rating_at_the_edges(uniform: float, shares: tuple[float, ...], rating: int) -> None:
    assert rating_at(uniform, shares) == rating


def test_rating_at_gives_each_rating_its_share() -> None:
    n = 20_000
    ratings = Counter(rating_at(u, SHARES) for u in np.random.default_rng(11).random(n))
    observed = [ratings[rating] for rating in range(1, 6)]
    # the seed is fixed; 0.001 leaves room for any honest generator
    assert stats.chisquare(observed, [n * share for share in SHARES]).pvalue > 0.001


def test_rating_at_on_a_grid_misses_no_share_by_more_than_a_step() -> None:
    n = 1000
    ratings = Counter(rating_at((k + 0.5) / n, SHARES) for k in range(n))
    assert all(abs(ratings[r] / n - SHARES[r - 1]) <= 1 / n for r in range(1, 6))


def test_ratings_of_equal_distributions_are_equal_and_of_higher_ones_no_lower() -> None:
    higher = (0.05, 0.2, 0.3, 0.2, 0.25)
    for u in np.linspace(0, 0.999, 200):
        assert rating_at(u, SHARES) <= rating_at(u, higher)


def test_sample_items_is_seeded_and_ordered() -> None:
    chosen = sample_items(ITEMS, 12, 3, "own")
    assert chosen == sorted(set(chosen))
    assert len(chosen) == 12
    assert chosen == sample_items(ITEMS[::-1], 12, 3, "own")
    assert chosen != sample_items(ITEMS, 12, 4, "own")
    assert chosen != sample_items(ITEMS, 12, 3, "published")


def test_sample_items_takes_all_when_there_are_fewer_and_none_for_0() -> None:
    assert sample_items(ITEMS, 1000, 3, "own") == ITEMS
    assert sample_items(ITEMS, 0, 3, "own") == []


def test_a_larger_sample_contains_the_smaller() -> None:
    assert set(sample_items(ITEMS, 5, 3, "own")) < set(sample_items(ITEMS, 12, 3, "own"))
