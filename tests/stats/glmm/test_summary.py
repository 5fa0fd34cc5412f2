from types import SimpleNamespace

import pytest

from isogloss.stats.glmm.summary import _status


@pytest.mark.parametrize(
    ("distance", "end"),
    [(0.0314, "second derivative (distance 0.031 standard errors)"), (float("nan"), "derivative")],
)
def test_a_search_that_did_not_end_says_how_far_it_is_where_that_is_known(
    distance: float, end: str
) -> None:
    ended = SimpleNamespace(converged=False, distance=distance)
    status, (reason,) = _status(ended, None, ())  # type: ignore[arg-type]
    assert status == "not_converged"
    assert reason.endswith(end)
