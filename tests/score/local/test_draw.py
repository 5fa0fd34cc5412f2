import math

import numpy as np
import pytest
import torch
from scipy import stats

from isogloss.score.local.draw import draw, generator, most_probable

SHARES = (0.1, 0.2, 0.4, 0.3)
LOGITS = torch.tensor([math.log(share) for share in SHARES], dtype=torch.float64)


@pytest.mark.parametrize(
    ("uniform", "token"),
    [(0.0, 0), (0.0999, 0), (0.1001, 1), (0.2999, 1), (0.3001, 2), (0.9999, 3)],
)
def test_a_draw_inverts_the_cumulative_distribution(uniform: float, token: int) -> None:
    assert draw(LOGITS, temperature=1.0, top_p=1.0, uniform=uniform) == token


@pytest.mark.parametrize(("uniform", "token"), [(0.0, 2), (0.5713, 2), (0.5715, 3), (0.9999, 3)])
def test_a_nucleus_of_two_is_drawn_from_in_proportion(uniform: float, token: int) -> None:
    # 0.4 and 0.3 hold 0.7; 4/7 = 0.5714.
    assert draw(LOGITS, temperature=1.0, top_p=0.7, uniform=uniform) == token


def test_the_nucleus_has_one_token_at_least() -> None:
    assert draw(LOGITS, temperature=1.0, top_p=1e-9, uniform=0.999) == 2


def test_temperature_two_takes_square_roots() -> None:
    roots = [math.sqrt(share) for share in SHARES]
    first = roots[0] / sum(roots)
    assert draw(LOGITS, temperature=2.0, top_p=1.0, uniform=first - 1e-9) == 0
    assert draw(LOGITS, temperature=2.0, top_p=1.0, uniform=first + 1e-9) == 1


def test_a_forbidden_token_is_never_drawn() -> None:
    logits = torch.tensor([-torch.inf, 0.0, -torch.inf], dtype=torch.float64)
    drawn = {draw(logits, temperature=1.0, top_p=1.0, uniform=u) for u in (0.0, 0.5, 1 - 1e-16)}
    assert drawn == {1}


def test_a_wide_nucleus_is_found_beyond_the_first_look() -> None:
    logits = torch.zeros(5000, dtype=torch.float64)
    drawn = {draw(logits, temperature=1.0, top_p=0.9, uniform=u) for u in np.linspace(0, 0.999, 99)}
    assert len(drawn) == 99


def test_most_probable_takes_the_first_of_equals() -> None:
    assert most_probable(torch.tensor([1.0, 3.0, 3.0])) == 1


def test_draws_follow_the_distribution() -> None:
    rng = generator(3, "ab" * 32, 0)
    counts = np.bincount(
        [draw(LOGITS, temperature=1.0, top_p=1.0, uniform=rng.random()) for _ in range(4000)],
        minlength=4,
    )
    assert stats.chisquare(counts, np.array(SHARES) * 4000).pvalue > 1e-4


def test_seed_prompt_and_repeat_each_decide_the_random_numbers() -> None:
    prompt, other = "0" * 64, "0" * 63 + "1"
    first = [
        generator(*key).random()
        for key in [(1, prompt, 0), (2, prompt, 0), (1, other, 0), (1, prompt, 1)]
    ]
    assert len(set(first)) == 4
    assert generator(1, prompt, 0).random() == first[0]
