import numpy as np
import pytest
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import fit_glmm
from isogloss.stats.glmm.variables import by_row, read, variables


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ("x + w:v + 2:u", ["u", "v", "w", "x"], True),
        ("C(x, Treatment('b')) * `my w`", ["my w", "x"], True),
        ("C(`my x`, contr.sum) - 1", ["my x"], True),
        ("np.log(w) + x", ["w", "x"], False),
        ("C(w > np.mean(w))", ["w"], False),
        ("C(center(w) > 0)", ["w"], False),
        ("center(w) + poly(v, 2) + bs(u, df=4)", ["u", "v", "w"], False),
        ("{w / max(v)} + scale(`my w`)", ["my w", "v", "w"], False),
    ],
)
def test_every_column_is_found(text: str, names: list[str], rows: bool) -> None:
    formula = read(text)
    assert variables(formula) == names
    assert by_row(formula) == rows


@pytest.mark.parametrize("text", ["x | w", "x +* w", "{x +}"])
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(StatisticsError, match=r"cannot read|more than one side|no expression"):
        variables(read(text))


def test_a_missing_value_inside_a_transform_is_left_out_before_it_is_used() -> None:
    data = simulated(200)
    data.loc[0, "w"] = np.nan
    formula = "beta ~ center(w) + (1 | g)"
    fit = fit_glmm(formula, data, family="beta")
    assert fit.n_dropped == 1
    assert fit.loglik == fit_glmm(formula, data.iloc[1:], family="beta").loglik


def test_a_factor_made_of_all_rows_is_that_of_the_rows_themselves() -> None:
    """The mean of the distinct values is another than that of the rows."""
    data = simulated(300)
    data["w"] = np.where(data["g"] < 14, 0.0, data["g"] - 13.0)
    assert data["w"].mean() < 2 < data["w"].unique().mean()
    column = data.assign(high=data["w"] > data["w"].mean())
    fit = fit_glmm("beta ~ C(w > np.mean(w)) + (1 | h)", data, family="beta")
    expected = fit_glmm("beta ~ C(high) + (1 | h)", column, family="beta")
    assert fit.loglik == pytest.approx(expected.loglik, abs=1e-9)
    np.testing.assert_allclose(fit.coef, expected.coef, rtol=1e-6)
