"""The rows at which margins of a fitted model are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.design import categorical_columns
from isogloss.stats.glmm.formula import parse
from isogloss.stats.glmm.grouping import combine
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.variables import by_row, quoted, read, variables

if TYPE_CHECKING:
    from isogloss.stats.glmm.result import GlmmFit

_SAME = 1e-8


@dataclass(frozen=True)
class Columns:
    """What the fixed part of a fit reads, of the rows that the fit used."""

    used: pd.DataFrame
    factors: dict[str, tuple[Any, ...]]
    """Levels that occur, in the order of a categorical or sorted."""
    covariates: dict[str, float]
    """Mean over the rows used."""

    def levels(self, factor: str) -> tuple[Any, ...]:
        """Return the levels of a factor; raise `StatisticsError` when the model has none such."""
        if factor not in self.factors:
            known = ", ".join(self.factors) or "none"
            raise StatisticsError(f"{factor!r} is no factor of the model; factors: {known}")
        return self.factors[factor]


@dataclass(frozen=True)
class Grid:
    """Rows to predict at, and the weight of each in each margin."""

    names: pd.DataFrame
    """The margins, one row each."""
    rows: pd.DataFrame
    weights: Matrix
    """Shape (margins, rows); each line sums to 1."""


def columns_read(fit: GlmmFit, data: pd.DataFrame) -> Columns:
    """Return the columns of `data` that the fixed part of `fit` reads.

    Raises `StatisticsError` when `data` is not what the fit was made of.
    """
    parsed = parse(fit.formula)
    names = variables(read(parsed.fixed))
    names += [n for text in parsed.offsets for n in variables(read(quoted(text)))]
    used = _used(fit, data, list(dict.fromkeys(names)))
    inside = categorical_columns(fit.engine.fixed.spec)
    factors: dict[str, tuple[Any, ...]] = {}
    covariates: dict[str, float] = {}
    for name in used.columns:
        column = used[name]
        plain = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
        if plain and name not in inside:
            covariates[name] = float(column.mean())
        else:
            factors[name] = _levels(column)
    return Columns(used, factors, covariates)


def balanced(columns: Columns, factors: Sequence[str], at: Mapping[str, float]) -> Grid:
    """Return every combination of `factors`, each with equal weights of all other factors' levels.

    Covariates have the value in `at`, else their mean.
    """
    unknown = [name for name in at if name not in columns.covariates]
    if unknown:
        raise StatisticsError(f"at names {unknown[0]!r}, which is no covariate of the model")
    own = [columns.levels(name) for name in factors]
    others = [name for name in columns.factors if name not in factors]
    margins = list(product(*own))
    rest = list(product(*(columns.factors[name] for name in others)))
    rows = _frame(columns, [*factors, *others], [(*a, *b) for a in margins for b in rest])
    for name, mean in columns.covariates.items():
        rows[name] = float(at.get(name, mean))
    weights = np.kron(np.eye(len(margins)), np.full((1, len(rest)), 1 / len(rest)))
    return Grid(_frame(columns, factors, margins), rows, weights)


def observed(columns: Columns, fit: GlmmFit) -> tuple[pd.DataFrame, Vector]:
    """Return the distinct rows of the data and the share of each, which sum to 1."""
    names, n = list(columns.used.columns), len(columns.used)
    if not names or not by_row(fit.engine.fixed.spec.formula):
        return columns.used, np.full(n, 1 / n)
    codes, first = combine([pd.factorize(columns.used[name])[0] for name in names])
    return columns.used.iloc[first], np.bincount(codes) / n


def _used(fit: GlmmFit, data: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    missing = [name for name in names if name not in data.columns]
    if missing:
        raise StatisticsError(f"the data have no column {missing[0]!r}; pass those of the fit")
    index = fit.engine.index
    if len(data) == fit.n:
        rows = data[names]
    elif (
        data.index.is_unique and len(data) == fit.n + fit.n_dropped and index.isin(data.index).all()
    ):
        rows = data.loc[index, names]
    else:
        raise StatisticsError(
            f"the data have {len(data)} rows and cannot be matched with the {fit.n} that the fit "
            "used; pass the data of the fit, with an index without repetitions"
        )
    present = {
        name: rows[name].cat.remove_unused_categories()
        for name in rows.columns[rows.dtypes == "category"]
    }
    rows = rows.assign(**present)
    _check_same(fit, rows)
    return rows


def _check_same(fit: GlmmFit, rows: pd.DataFrame) -> None:
    given = fit.engine.fixed.matrix(rows).to_numpy(np.float64)
    own = fit.engine.matrix[fit.engine.rows]
    scale = np.abs(own).max(axis=0, initial=1.0)
    offset = fit.engine.fixed.offset(rows)
    near = _SAME * np.abs(fit.engine.offset).max(initial=1.0)
    same = given.shape == own.shape and bool((np.abs(given - own) <= _SAME * scale).all())
    if not same or not (np.abs(offset - fit.engine.offset) <= near).all():
        raise StatisticsError("the data are not those of the fit; pass the table it was made of")


def _levels(column: pd.Series) -> tuple[Any, ...]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return tuple(column.cat.categories)
    return tuple(sorted(column.unique().tolist()))


def _frame(columns: Columns, names: Sequence[str], rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    """Return rows as a table whose columns have the types of the data."""
    parts = list(zip(*rows, strict=True)) if names else []
    return pd.DataFrame(
        {
            name: pd.Series(list(values)).astype(columns.used[name].dtype)
            for name, values in zip(names, parts, strict=True)
        },
        index=range(len(rows)),
    )
