from dataclasses import FrozenInstanceError
from math import isnan

import pytest

from isogloss.stats.results import ClusteredEstimate, Estimate, not_estimable


def test_an_undefined_estimate_has_a_reason_and_no_number_but_the_estimate() -> None:
    result = not_estimable("one cluster", n=4, method="mean", estimate=2.5)
    assert (result.estimate, result.n, result.status, result.reason) == (
        2.5,
        4,
        "not_estimable",
        "one cluster",
    )
    assert all(isnan(x) for x in (result.low, result.high, result.p_value, result.se, result.df))


def test_an_estimate_cannot_be_changed() -> None:
    result = not_estimable("empty", n=0, method="mean")
    with pytest.raises(FrozenInstanceError):
        result.estimate = 0.0  # type: ignore[misc]


def test_a_clustered_estimate_is_an_estimate_with_its_number_of_clusters() -> None:
    plain = Estimate(1.0, 0.0, 2.0, 0.05, 10, "ok", None, "mean", 0.5, 4.0)
    clustered = ClusteredEstimate(**vars(plain), n_clusters=5)
    assert isinstance(clustered, Estimate)
    assert vars(clustered) == vars(plain) | {"n_clusters": 5}
