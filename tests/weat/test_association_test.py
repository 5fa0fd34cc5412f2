"""WEAT and SC-WEAT: by hand, against scipy, under exchange of sets, and where undefined."""

from math import comb, sqrt

import numpy as np
import pytest
from scipy import stats
from tests.weat.conftest import A, B, with_association

from isogloss.errors import StatisticsError
from isogloss.weat import sc_weat, weat

# Associations are rebuilt from angles, which rounds them.
CLOSE = 1e-9
HIGH, LOW = with_association(0.9, 0.8, 0.7, 0.6), with_association(0.1, 0.2, 0.3, 0.4)


def test_four_against_four_by_hand() -> None:
    """All of X above all of Y: one partition of 70 reaches the difference, two its absolute."""
    greater = weat(HIGH, LOW, A, B, alternative="greater")
    assert greater.p_value == 1 / 70
    assert weat(HIGH, LOW, A, B).p_value == 2 / 70
    assert weat(HIGH, LOW, A, B, alternative="less").p_value == 1
    assert (greater.exact, greater.n_partitions, greater.n_draws) == (True, 70, 70)
    assert greater.statistic == pytest.approx(0.5, abs=CLOSE)


@pytest.mark.parametrize(("ddof", "variance"), [(0, 0.6 / 8), (1, 0.6 / 7)])
def test_effect_size_by_hand(ddof: int, variance: float) -> None:
    # The eight values 0.1, ..., 0.4, 0.6, ..., 0.9 have squares about 0.5 that sum to 0.6.
    found = weat(HIGH, LOW, A, B, ddof=ddof)
    assert found.effect_size == pytest.approx(0.5 / sqrt(variance), abs=CLOSE)
    assert found.ddof == ddof


def test_sets_of_unequal_size_by_hand() -> None:
    # Of the C(5, 2) = 10 partitions only the observed one has a difference of 0.6 or more, and
    # none one of -0.6 or less: the mean of the two lowest is 0.25, of the others 0.7.
    found = weat(with_association(0.9, 0.8), with_association(0.2, 0.3, 0.4), A, B)
    assert found.statistic == pytest.approx(0.55, abs=CLOSE)
    assert (found.p_value, found.n_partitions) == (1 / 10, 10)


def test_equal_vectors_are_ties() -> None:
    """Two high and two low items on each side: no partition is below a difference of 0."""
    same = with_association(0.7, 0.7, 0.1, 0.1)
    found = weat(same, same, A, B)
    assert (found.p_value, found.statistic) == (1.0, pytest.approx(0, abs=CLOSE))
    # C(4, 3) C(4, 1) = 16 partitions each have three high items in front, and 1 has four.
    more = weat(with_association(0.7, 0.7, 0.7, 0.1), with_association(0.7, 0.1, 0.1, 0.1), A, B)
    assert more.p_value == 2 * 17 / 70


def test_pairs_by_hand() -> None:
    # All three differences are positive: 1 of 2^3 ways to swap partners reaches their mean.
    x, y = with_association(0.5, 0.2, 0.9), with_association(0.4, 0.0, 0.6)
    found = weat(x, y, A, B, design="paired")
    assert (found.p_value, found.n_partitions, found.exact) == (2 / 8, 8, True)
    assert weat(x, y, A, B, design="paired", alternative="greater").p_value == 1 / 8
    assert found.effect_size == weat(x, y, A, B).effect_size


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("sizes", [(5, 5), (3, 7), (7, 3)])
def test_p_equals_scipy(alternative: str, sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(sizes[0])
    first, second = rng.uniform(-0.9, 0.9, sizes[0]), rng.uniform(-0.9, 0.9, sizes[1])
    reference = stats.permutation_test(
        (first, second),
        lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
        n_resamples=10**6,
        vectorized=True,
        alternative="greater" if alternative == "two-sided" else alternative,  # type: ignore[arg-type]
    )
    null, observed = reference.null_distribution, reference.statistic
    expected = reference.pvalue
    if alternative == "two-sided":  # scipy's doubles the smaller tail
        expected = (np.abs(null) >= abs(observed) - 1e-12).mean()
    found = weat(
        with_association(*first),
        with_association(*second),
        A,
        B,
        alternative=alternative,  # type: ignore[arg-type]
    )
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert found.n_partitions == null.size == comb(10, sizes[0])


def test_paired_p_equals_scipy() -> None:
    rng = np.random.default_rng(9)
    first, second = rng.uniform(-0.9, 0.9, 9), rng.uniform(-0.9, 0.9, 9)
    reference = stats.permutation_test(
        (first - second,),
        lambda d, axis: np.abs(d.mean(axis=axis)),
        permutation_type="samples",
        n_resamples=10**6,
        vectorized=True,
        alternative="greater",
    )
    found = weat(with_association(*first), with_association(*second), A, B, design="paired")
    assert found.p_value == pytest.approx(reference.pvalue, abs=1e-12)


@pytest.mark.parametrize("design", ["unpaired", "paired"])
@pytest.mark.parametrize("max_exact", [10**6, 1])
def test_exchanging_sets_changes_signs_and_nothing_else(design: str, max_exact: int) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(9, 6)), rng.normal(size=(9, 6)) + 0.3
    a, b = rng.normal(size=(3, 6)), rng.normal(size=(5, 6))
    options = {"design": design, "max_exact": max_exact, "n_permutations": 99}
    one = weat(x, y, a, b, **options)  # type: ignore[arg-type]
    for other in (
        weat(y, x, a, b, **options),  # type: ignore[arg-type]
        weat(x, y, b, a, **options),  # type: ignore[arg-type]
    ):
        assert (other.effect_size, other.low, other.high, other.p_value) == (
            -one.effect_size,
            -one.high,
            -one.low,
            one.p_value,
        )
    mirrored = weat(y, x, a, b, alternative="less", **options)  # type: ignore[arg-type]
    assert mirrored.p_value == weat(x, y, a, b, alternative="greater", **options).p_value  # type: ignore[arg-type]


def test_the_seed_decides_and_is_recorded() -> None:
    rng = np.random.default_rng(4)
    sets = [rng.normal(size=(n, 6)) for n in (12, 12, 3, 3)]
    first, again, other = (weat(*sets, seed=seed) for seed in (5, 5, 6))
    assert first == again
    assert (first.seed, first.exact, first.n_draws) == (5, False, 10_000)
    assert (first.p_value, first.low) != (other.p_value, other.low)


def test_equal_associations_are_not_estimable() -> None:
    same = with_association(0.5, 0.5, 0.5, 0.5)
    found = weat(same, same, A, B)
    assert (found.status, found.reason) == ("not_estimable", "all associations are equal")
    assert np.isnan([found.effect_size, found.p_value, found.low, found.high]).all()


def test_few_items_have_no_interval_and_say_why() -> None:
    found = weat(with_association(0.9, 0.8, 0.1), LOW, A, B)
    assert (found.status, found.reason) == ("ok", None)
    assert np.isnan([found.low, found.high]).all()
    assert found.interval_reason == "a set of 3; the bootstrap needs 4 items in each"


def test_single_category_by_hand() -> None:
    """Cosines of the target with A are 0.8 and 0.6, with B 0 and -0.6."""
    a, b = [[4, 3], [3, 4]], [[0, 1], [-3, 4]]
    found = sc_weat([1, 0], a, b, ddof=0)
    assert found.statistic == pytest.approx(1.0, abs=CLOSE)
    # Their mean is 0.2 and their squares about it sum to 0.36 + 0.16 + 0.04 + 0.64.
    assert found.effect_size == pytest.approx(1.0 / sqrt(1.2 / 4), abs=CLOSE)
    assert (found.p_value, found.n_partitions, found.n_x, found.n_y) == (2 / 6, 6, 2, 2)


def test_single_category_of_several_targets_takes_their_mean_cosine() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    w = rng.normal(size=(2, 3))
    unit = w / np.linalg.norm(w, axis=1, keepdims=True)
    one, mean = sc_weat(w, a, b), sc_weat(unit.mean(axis=0), a, b)
    assert one.effect_size == pytest.approx(mean.effect_size, abs=CLOSE)
    assert one.p_value == mean.p_value
    assert sc_weat(w, b, a).effect_size == -one.effect_size


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"alternative": "both"}, "alternative is 'both'; use two-sided, greater, less"),
        ({"design": "crossed"}, "design is 'crossed'"),
        ({"ddof": 2}, "ddof is 2; use 0 or 1"),
        ({"n_permutations": 0}, "n_permutations is 0; use 1 or more"),
        ({"n_bootstrap": 0}, "n_bootstrap is 0"),
        ({"max_exact": -1}, "max_exact is -1"),
        ({"seed": -1}, "seed is -1"),
        ({"alpha": 1.0}, "alpha is 1.0"),
    ],
)
def test_options_that_do_not_exist_are_refused(option: dict[str, object], message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        weat(HIGH, LOW, A, B, **option)  # type: ignore[arg-type]


def test_pairs_need_as_many_rows() -> None:
    with pytest.raises(StatisticsError, match="x has 4 rows and y has 3"):
        weat(HIGH, LOW[:3], A, B, design="paired")
