"""What the benchmark of mixed models says of a measurement."""

from typing import Any

import pytest
from benchmarks.glmm import report

OURS: dict[str, Any] = {
    "first": 1.0,
    "seconds": [0.2],
    "peak": 400.0,
    "rows": 10,
    "status": "converged",
    "loglik": -5.0,
    "coef": [1.0],
    "se": [0.5],
}
THEIRS: dict[str, Any] = {"seconds": 4.0, "loglik": -5.0, "coef": [1.0]}


@pytest.mark.parametrize(
    ("change", "theirs", "good"),
    [
        ({}, None, True),
        ({"status": "boundary"}, None, True),
        ({"status": "not_converged"}, None, False),
        ({"status": "not_converged"}, THEIRS, False),
        ({}, THEIRS, True),
        ({"loglik": -5.0005}, THEIRS, False),
        ({"coef": [1.002]}, THEIRS, False),
        ({"loglik": -5.00005, "coef": [1.0005]}, THEIRS, True),
    ],
)
def test_when_a_result_is_good(change: dict, theirs: dict | None, good: bool) -> None:
    assert report("beta", {**OURS, **change}, theirs) is good


@pytest.mark.parametrize(("peak", "missed"), [(400.0, 0), (501.0, 1)])
def test_memory_above_the_goal_is_said(
    peak: float, missed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    report("beta", {**OURS, "peak": peak}, None)
    assert capsys.readouterr().out.count("NOT reached") == missed
