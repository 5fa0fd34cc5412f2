"""Kappa against tables worked by hand, scikit-learn, the bootstrap of theory, and simulation."""

from math import isnan, sqrt

import numpy as np
import pytest

from isogloss.review.agreement import agreements, cohens_kappa, disagreements

EXACT = 1e-12
"""Sums and quotients of small whole numbers in double precision."""

CATEGORIES = ("accept", "reject", "unsure")


def ratings(table: list[list[int]]) -> tuple[list[str], list[str]]:
    """Two reviewers' verdicts with these counts, first by row and second by column."""
    cells = [
        (CATEGORIES[i], CATEGORIES[j])
        for i, row in enumerate(table)
        for j, count in enumerate(row)
        for _ in range(count)
    ]
    return [one for one, _ in cells], [other for _, other in cells]


def test_two_categories_by_hand() -> None:
    # 20 and 15 of 50 agree: 0.7. Shares of accept are 0.5 and 0.6: 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    observed, expected, kappa = cohens_kappa(*ratings([[20, 5], [10, 15]]))
    assert observed == pytest.approx(0.7, abs=EXACT)
    assert expected == pytest.approx(0.5, abs=EXACT)
    assert kappa.estimate == pytest.approx(0.4, abs=EXACT)
    # Fleiss, Cohen and Everitt, each part written out:
    # diagonal 0.4 (0.5 - 1.1 * 0.3)^2 + 0.3 (0.5 - 0.9 * 0.3)^2 = 0.01156 + 0.01587;
    # beside it 0.3^2 (0.1 (0.6 + 0.5)^2 + 0.2 (0.4 + 0.5)^2) = 0.09 * 0.283;
    # less (0.7 * 0.5 - 2 * 0.5 + 0.7)^2 = 0.0025; over 50 * 0.5^4.
    variance = (0.01156 + 0.01587 + 0.09 * 0.283 - 0.0025) / (50 * 0.5**4)
    assert kappa.se == pytest.approx(sqrt(variance), abs=EXACT)
    assert (kappa.low, kappa.high) == pytest.approx(
        (0.4 - 1.959963984540054 * sqrt(variance), 0.4 + 1.959963984540054 * sqrt(variance))
    )
    assert (kappa.n, kappa.status, kappa.reason) == (50, "ok", None)


def test_three_categories_by_hand() -> None:
    # Agreement 15 of 20; chance (10 * 11 + 6 * 5 + 4 * 4) / 400 = 0.39.
    observed, expected, kappa = cohens_kappa(*ratings([[9, 1, 0], [1, 3, 2], [1, 1, 2]]))
    assert observed == pytest.approx(14 / 20, abs=EXACT)
    assert expected == pytest.approx((10 * 11 + 6 * 5 + 4 * 4) / 400, abs=EXACT)
    assert kappa.estimate == pytest.approx((0.7 - 0.39) / 0.61, abs=EXACT)


@pytest.mark.parametrize("seed", range(10))
def test_kappa_is_scikit_learn_s(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(seed)
    first, second = ([CATEGORIES[i] for i in draw.integers(0, 3, 25)] for _ in range(2))
    expected = metrics.cohen_kappa_score(first, second)
    assert cohens_kappa(first, second)[2].estimate == pytest.approx(expected, abs=EXACT)


def test_the_standard_error_is_that_of_the_delta_method() -> None:
    table = np.array([[40.0, 9, 1], [2, 10, 8], [3, 1, 26]])
    shares, step = table / table.sum(), 1e-6

    def kappa(p: "np.ndarray") -> float:
        chance = p.sum(axis=0) @ p.sum(axis=1)
        return float((np.trace(p) - chance) / (1 - chance))

    slope = np.zeros_like(shares)
    for cell in np.ndindex(shares.shape):
        up, down = shares.copy(), shares.copy()
        up[cell] += step
        down[cell] -= step
        slope[cell] = (kappa(up) - kappa(down)) / (2 * step)
    variance = ((shares * slope**2).sum() - (shares * slope).sum() ** 2) / table.sum()
    found = cohens_kappa(*ratings(table.astype(int).tolist()))[2]
    # Differences of second order: the square of the step.
    assert found.se == pytest.approx(sqrt(variance), rel=1e-6)


def test_swapping_the_reviewers_changes_nothing() -> None:
    first, second = ratings([[9, 1, 0], [1, 3, 2], [1, 1, 2]])
    one, other = cohens_kappa(first, second), cohens_kappa(second, first)
    assert one[:2] == pytest.approx(other[:2])
    assert (one[2].estimate, one[2].se) == pytest.approx((other[2].estimate, other[2].se))


def test_an_interval_ends_at_1() -> None:
    kappa = cohens_kappa(*ratings([[9, 1], [0, 9]]))[2]
    assert kappa.low < 0.9 < kappa.high == 1.0


@pytest.mark.parametrize(
    ("table", "estimate", "reason"),
    [
        ([[0]], None, "no pair that both judged"),
        ([[5]], None, "both gave every pair 'accept'"),
        ([[5, 0], [0, 3]], 1.0, "full agreement"),
        ([[5, 3], [0, 0]], 0.0, "one verdict only"),
        ([[5, 0], [3, 0]], 0.0, "one verdict only"),
    ],
)
def test_what_is_not_defined_is_nan_with_a_reason(
    table: list[list[int]], estimate: float | None, reason: str
) -> None:
    kappa = cohens_kappa(*ratings(table))[2]
    assert (kappa.status, kappa.n) == ("not_estimable", sum(map(sum, table)))
    assert reason in str(kappa.reason)
    assert isnan(kappa.low)
    assert isnan(kappa.high)
    if estimate is None:
        assert isnan(kappa.estimate)
    else:
        assert kappa.estimate == pytest.approx(estimate, abs=EXACT)


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same objects"):
        cohens_kappa(["accept"], [])


def test_the_interval_covers_kappa_as_often_as_it_says() -> None:
    # Of 100 pairs, the shares of a kappa of 0.5. 1,000 draws: 95 % has a standard error of 0.7 %.
    shares = np.array([0.375, 0.125, 0.125, 0.375])
    draw = np.random.default_rng(5)
    intervals = [
        cohens_kappa(*ratings(counts.reshape(2, 2).tolist()))[2]
        for counts in draw.multinomial(100, shares, size=1000)
    ]
    covered = np.mean([found.low <= 0.5 <= found.high for found in intervals])
    assert 0.93 <= covered <= 0.97


def test_reviewers_are_compared_two_by_two_on_both_scales(decide) -> None:
    decisions = [
        *(decide(f"i{n}", verdict=v) for n, v in enumerate(["accept", "reject", "unsure"])),
        *(
            decide(f"i{n}", verdict=v, reviewer="Ben")
            for n, v in enumerate(["accept", "unsure", "reject", "accept"])
        ),
        decide("i0", verdict="reject", reviewer="Cem"),
    ]
    found = agreements(decisions)
    assert [(a.first, a.second, a.scale, a.kappa.n) for a in found] == [
        ("Ana", "Ben", "verdict", 3),
        ("Ana", "Ben", "accept", 3),
        ("Ana", "Cem", "verdict", 1),
        ("Ana", "Cem", "accept", 1),
        ("Ben", "Cem", "verdict", 1),
        ("Ben", "Cem", "accept", 1),
    ]
    assert [found[0].observed, found[1].observed] == [pytest.approx(1 / 3), 1.0]


def test_decisions_about_other_texts_are_not_compared(decide) -> None:
    decisions = [decide(), decide(reviewer="Ben", text_sha256="00" * 32)]
    assert [found.kappa.n for found in agreements(decisions)] == [0, 0]
    assert disagreements([*decisions, decide(reviewer="Ben", verdict="reject")]) != ()


def test_one_reviewer_agrees_with_nobody(decide) -> None:
    assert agreements([decide(), decide("i2")]) == ()
    assert agreements([]) == ()


def test_disagreements_are_those_in_force(decide) -> None:
    later = "2026-01-02T12:00:00Z"
    decisions = [
        decide(verdict="reject"),
        decide(decided_at=later),
        decide(reviewer="Ben"),
        decide("i2", reviewer="Ben", verdict="unsure"),
        decide("i2", comment="too many"),
    ]
    [found] = disagreements(decisions)
    assert found.key.item_id == "i2"
    assert [(d.reviewer, d.verdict) for d in found.decisions] == [
        ("Ana", "accept"),
        ("Ben", "unsure"),
    ]
