import os
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import fit_glmm
from isogloss.stats.glmm.many import GroupFit, fit_many

FORMULA = "beta ~ w + (1 | g)"


class Counted:
    """Progress that only counts."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def advance(self, count: int) -> None:
        self.calls.append(count)


class Deadly:
    """Ends the process that receives it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def grouped() -> pd.DataFrame:
    """Four groups: z is fine, y is constant, b holds an exact 1, a is fine again."""
    data = simulated(400).assign(part=np.repeat(list("zyba"), 100))
    data.loc[data["part"] == "y", "beta"] = 0.25
    data.loc[200, "beta"] = 1.0
    return data


def summary(found: list[GroupFit]) -> list[tuple[str, str]]:
    return [(fit.key[0], fit.status) for fit in found]


@pytest.mark.parametrize("workers", [1, 2])
def test_every_group_has_its_result_in_order_of_appearance(workers: int) -> None:
    progress, data = Counted(), grouped()
    found = fit_many(FORMULA, data, "part", family="beta", workers=workers, progress=progress)
    expected = [("z", "converged"), ("y", "no_variation"), ("b", "error"), ("a", "converged")]
    assert summary(found) == expected
    assert progress.calls == [1, 1, 1, 1]
    assert [fit.n for fit in found] == [100] * 4
    assert "1 of 100 values are exactly 0 or 1" in (found[2].reason or "")
    assert found[2].fit is None
    assert found[1].reason == "beta is 0.25 in every row"
    for place, name in ((0, "z"), (3, "a")):
        own = fit_glmm(FORMULA, data[data["part"] == name], family="beta")
        fit = found[place].fit
        assert fit is not None
        np.testing.assert_allclose(fit.coef, own.coef, rtol=1e-10)
        np.testing.assert_allclose(fit.se, own.se, rtol=1e-10)
        assert fit.loglik == pytest.approx(own.loglik, abs=1e-10)


@pytest.mark.slow
def test_a_process_that_dies_costs_its_own_group_only() -> None:
    data = grouped().assign(unused=None)
    data.loc[data.index[100], "unused"] = Deadly()
    found = fit_many(FORMULA, data, "part", family="beta", workers=2)
    expected = [("z", "converged"), ("y", "error"), ("b", "error"), ("a", "converged")]
    assert summary(found) == expected
    assert "the process that made the fit died" in (found[1].reason or "")
    assert "exactly 0 or 1" in (found[2].reason or "")


@pytest.mark.slow
def test_a_group_that_cannot_be_sent_is_an_error() -> None:
    data = grouped().assign(unused=None)
    data.loc[data.index[0], "unused"] = lambda: None
    found = fit_many(FORMULA, data, "part", family="beta", workers=2)
    assert [fit.status for fit in found] == ["error", "no_variation", "error", "converged"]
    assert "lambda" in (found[0].reason or "")


def test_several_columns_and_a_missing_name_make_groups() -> None:
    data = simulated(300).assign(part=np.repeat(["u", None, "v"], 100), half=0)
    data.loc[::2, "half"] = 1
    found = fit_many("gaussian ~ w + (1 | g)", data, ["part", "half"], family="gaussian", workers=1)
    keys = [fit.key for fit in found]
    assert keys[:2] == [("u", 1), ("u", 0)]
    assert [pd.isna(key[0]) for key in keys] == [False, False, True, True, False, False]
    assert sum(fit.n for fit in found) == 300


def test_trials_are_those_of_the_groups_rows() -> None:
    data = simulated(400).assign(part=lambda d: d["h"] % 2)
    trials = np.random.default_rng(0).integers(1, 6, 400)
    data["hits"] = np.minimum(data["ordinal"], trials)
    found = fit_many(
        "hits ~ w + (1 | g)", data, "part", family="binomial", trials=trials, workers=1
    )
    as_column = data.assign(t=trials)
    for each in found:
        rows = as_column[as_column["part"] == each.key[0]]
        own = fit_glmm("hits ~ w + (1 | g)", rows, family="binomial", trials="t")
        assert each.fit is not None
        assert each.fit.loglik == own.loglik


def test_an_unforeseen_exception_is_kept() -> None:
    found = fit_many("nothing ~ w", grouped(), "part", family="beta", workers=1)
    assert {fit.status for fit in found} == {"error"}
    assert all("nothing" in (fit.reason or "") for fit in found)


@pytest.mark.parametrize(
    ("by", "options", "message"),
    [
        ("model", {}, "by names 'model'"),
        ([], {}, "by is empty"),
        ("part", {"workers": 0}, "workers is 0"),
        ("part", {"trials": [1, 2]}, r"trials has shape \(2,\)"),
    ],
)
def test_what_cannot_be_started_is_named(by: Any, options: dict, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        fit_many(FORMULA, grouped(), by, family="beta", **options)
