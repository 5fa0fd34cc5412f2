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
