"""Which of several searches is taken."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from isogloss.stats.glmm import estimate
from isogloss.stats.glmm.estimate import Maximum, Model, maximise

END, LOWER = (-10.0, False), (-11.0, True)


def ended(loglik: float, converged: bool) -> Maximum[Any]:
    hessian = np.eye(1) if converged else None
    point = SimpleNamespace(loglik=loglik)
    return Maximum(point, np.arange(1), hessian, 0.0, 0.0, 1, ())


@pytest.mark.parametrize(
    ("ends", "taken", "followed"),
    [
        ([LOWER, END], LOWER, 1),
        ([END, LOWER], END, 2),
        ([END, LOWER, (-9.0, True), (-8.0, True)], (-9.0, True), 3),
        ([END, (-10.0 - 1e-8, True), LOWER], (-10.0 - 1e-8, True), 2),
        ([END, (-9.5, False), (-12.0, False)], (-9.5, False), 3),
        ([(-12.0, False), LOWER], LOWER, 2),
    ],
)
def test_a_maximum_below_an_unfinished_search_is_not_taken(
    ends: list[tuple[float, bool]],
    taken: tuple[float, bool],
    followed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = [ended(*end) for end in ends]
    monkeypatch.setattr(estimate, "_attempt", lambda *_: left.pop(0))
    found = maximise(cast("Model[Any]", None), [np.zeros(1)] * len(ends))
    assert found is not None
    assert (found.point.loglik, found.converged) == taken
    assert len(ends) - len(left) == followed
