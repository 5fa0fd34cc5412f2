import numpy as np
import pandas as pd
import pytest
from tests.stats.glmm.conftest import simulated

from isogloss.stats.glmm import fit_glmm
from isogloss.stats.glmm.grouping import combine, grouping


def test_combinations_are_numbered_by_first_appearance() -> None:
    codes, first = combine([np.array([1, 0, 1, 1]), np.array([2, 2, 2, 0])])
    np.testing.assert_array_equal(codes, [0, 1, 0, 2])
    np.testing.assert_array_equal(first, [0, 1, 3])


def test_combinations_of_many_columns_do_not_overflow() -> None:
    columns = [np.array([0, 2**20, 2**20, 5]) for _ in range(7)]
    columns.append(np.array([0, 0, 1, 0]))
    codes, first = combine(columns)
    np.testing.assert_array_equal(codes, [0, 1, 2, 3])
    np.testing.assert_array_equal(first, [0, 1, 2, 3])


def test_levels_of_two_columns_are_pairs() -> None:
    factor = grouping("a:b", [pd.Series(["q", "p", "q"]), pd.Series([2, 1, 1])])
    assert list(factor.levels) == ["p:1", "q:1", "q:2"]
    np.testing.assert_array_equal(factor.codes, [2, 0, 1])
    assert factor.counts.to_dict() == {"p:1": 1, "q:1": 1, "q:2": 1}


@pytest.mark.parametrize("family", ["gaussian", "binomial", "beta", "ordinal"])
def test_adding_rows_up_loses_nothing(family: str) -> None:
    """A covariate that differs in each row, by nothing that matters, keeps all rows apart."""
    data = simulated(400, seed=8, g=8, h=3)
    formula = f"{family} ~ x + (1 | g) + (1 | h)"
    added = fit_glmm(formula, data, family=family)
    apart = data.assign(tiny=np.linspace(0, 1e-13, len(data)))
    single = fit_glmm(f"{formula} + offset(tiny)", apart, family=family)
    assert added.engine.cells.rows.size < 0.75 * len(data)
    if family != "gaussian":
        assert single.engine.cells.rows.size == len(data)
    assert added.loglik == pytest.approx(single.loglik, rel=1e-10)
    np.testing.assert_allclose(added.coef, single.coef, rtol=1e-6)
    np.testing.assert_allclose(added.se, single.se, rtol=1e-6)


def test_bernoulli_rows_and_trials_agree_but_for_the_coefficient() -> None:
    data = simulated(400, seed=9, g=8)
    rows = fit_glmm("binomial ~ x + (1 | g)", data, family="binomial")
    counts = data.groupby(["g", "x"])["binomial"].agg(["sum", "size"]).reset_index()
    sums = fit_glmm("sum ~ x + (1 | g)", counts, family="binomial", trials="size")
    same = fit_glmm("sum ~ x + (1 | g)", counts, family="binomial", trials=counts["size"])
    np.testing.assert_allclose(sums.coef, rows.coef, rtol=1e-6)
    np.testing.assert_allclose(sums.se, rows.se, rtol=1e-6)
    assert sums.variances["g"] == pytest.approx(rows.variances["g"], rel=1e-6)
    assert sums.loglik > rows.loglik
    assert same.loglik == sums.loglik
