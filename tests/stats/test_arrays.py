import numpy as np
import pandas as pd
import pytest

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import (
    check_level,
    cluster_codes,
    indicators,
    numbers,
    pair,
    sample,
    without_rounding,
)


def test_sample_names_the_first_value_that_is_not_finite_and_counts_them() -> None:
    with pytest.raises(StatisticsError, match=r"ratings: value 1 is nan \(2 of 4 are not finite"):
        sample([1.0, np.nan, 2.0, np.inf], "ratings")


@pytest.mark.parametrize("values", [["a", "b"], [[1, 2], [3, 4]], 3.0, [[1], [2, 3]]])
def test_sample_wants_one_dimension_of_numbers(values: object) -> None:
    with pytest.raises(StatisticsError, match="ratings"):
        sample(values, "ratings")  # type: ignore[arg-type]


def test_numbers_keeps_missing_values_as_nan() -> None:
    array = numbers(pd.Series([1, None], dtype="Int64"), "p_values")
    np.testing.assert_array_equal(array, [1.0, np.nan])


def test_pair_names_both_samples_when_their_lengths_differ() -> None:
    with pytest.raises(StatisticsError, match="hedged has 2 values and confident has 3"):
        pair([1, 2], [1, 2, 3], ("hedged", "confident"))


def test_indicators_takes_booleans_and_nothing_between_0_and_1() -> None:
    np.testing.assert_array_equal(indicators([True, False], "a"), [1.0, 0.0])
    with pytest.raises(StatisticsError, match=r"a: value 1 is 0\.5"):
        indicators([1, 0.5], "a")


@pytest.mark.parametrize(
    "labels",
    [["q", "p", "q"], [7, 3, 7], pd.Categorical(["q", "p", "q"]), pd.Series(["q", "p", "q"])],
)
def test_cluster_codes_number_labels_by_first_appearance(labels: object) -> None:
    np.testing.assert_array_equal(cluster_codes(labels, 3, "clusters"), [0, 1, 0])  # type: ignore[arg-type]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_cluster_label_is_an_error(missing: object) -> None:
    with pytest.raises(StatisticsError, match="label 1 is missing"):
        cluster_codes(["a", missing, "b"], 3, "clusters")


def test_clusters_need_one_label_for_each_value() -> None:
    with pytest.raises(StatisticsError, match="values has 3 values and clusters has 2"):
        cluster_codes(["a", "b"], 3, "clusters")
    with pytest.raises(StatisticsError, match="2 dimensions"):
        cluster_codes([("a", 1), ("b", 2)], 2, "clusters")


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_a_level_lies_strictly_between_its_ends(level: float) -> None:
    with pytest.raises(StatisticsError, match="alpha is"):
        check_level(level)


def test_rounding_is_no_spread_and_a_small_spread_is() -> None:
    constant = np.array([0.1, 0.2, 0.3]) + 0.6 - np.array([0.1, 0.2, 0.3])
    assert np.ptp(constant) > 0
    assert without_rounding(float(constant.std()), constant) == 0.0
    assert without_rounding(1e-12, np.array([1.0])) == 1e-12
