"""From a formula and a table to the rows that are used, their model matrix and their groups."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from formulaic import ModelSpec
from formulaic.errors import DataMismatchWarning, FormulaicError
from numpy.typing import NDArray

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.formula import Parsed, group_name
from isogloss.stats.glmm.grouping import Grouping, Integers, combine, grouping
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector
from isogloss.stats.glmm.variables import by_row, categorised, quoted, read, variables

INTERCEPT = "Intercept"


@dataclass(frozen=True)
class FixedPart:
    """How the fixed part of a model turns a table into a model matrix."""

    spec: ModelSpec
    """What formulaic remembers of levels, contrasts and transforms."""
    names: tuple[str, ...]
    """Columns of the model matrix."""
    offsets: tuple[ModelSpec, ...]
    levels: dict[str, tuple[Any, ...]]
    """Levels of each categorical column that the fixed part uses."""

    def matrix(self, data: pd.DataFrame) -> pd.DataFrame:
        """Return the model matrix of `data`, shape (n, p).

        Raises `StatisticsError` when a column or value is missing, or a level was not in the fit.
        """
        for name, levels in self.levels.items():
            if name in data:
                _check_levels(name, data[name], levels)
        frame: pd.DataFrame = _materialise(self.spec, data)[list(self.names)]
        return frame

    def offset(self, data: pd.DataFrame) -> Vector:
        """Return the sum of the offsets of `data`, shape (n,).

        Raises `StatisticsError` when a value is missing or not finite.
        """
        total = np.zeros(len(data))
        for spec in self.offsets:
            frame = _materialise(spec, data)
            values = frame.to_numpy(np.float64)
            _check_finite(f"the offset {frame.columns[0]}", np.isfinite(values).all(axis=1))
            total += values.sum(axis=1)
        return total


@dataclass(frozen=True)
class Design:
    """The rows that a fit uses."""

    fixed: FixedPart
    matrix: Matrix
    """Distinct rows of the model matrix, shape (r, p)."""
    rows: Codes
    """Row of `matrix` of each observation, shape (n,)."""
    offset: Vector
    groups: tuple[Grouping, ...]
    data: pd.DataFrame
    """Columns that the model names, without the rows that miss one."""
    n_dropped: int
    """Rows left out because a value was missing."""
    notes: tuple[str, ...]
    """What was left out besides."""


def complete_rows(
    parsed: Parsed, data: pd.DataFrame, response: str, trials: str | None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the columns that a model names, where none is missing, and notes.

    Levels of a categorical column that no remaining row has are taken out of it, and a note names
    them. Raises `StatisticsError` when a column does not exist or no row is left.
    """
    texts = [parsed.fixed, *(quoted(text) for text in parsed.offsets)]
    if response not in data.columns:
        texts.append(quoted(response))
    names = [] if response not in data.columns else [response]
    names += [] if trials is None else [trials]
    names += [str(name) for text in texts for name in variables(read(text))]
    names += [name for group in parsed.groups for name in group]
    unique = list(dict.fromkeys(names))
    for name in unique:
        if name not in data.columns:
            raise StatisticsError(f"the model names {name!r}, which is no column of the data")
    kept = data[unique].notna().all(axis=1).to_numpy()
    used = data[unique] if kept.all() else data.loc[kept, unique]
    if not len(used):
        raise StatisticsError("no row has a value in every column that the model names")
    return _without_empty_levels(used)


def evaluated(expression: str, data: pd.DataFrame) -> pd.Series:
    """Return the value of an expression such as `log(y)` for each row."""
    table = _materialise(read(quoted(expression)), data)
    if table.shape[1] != 1:
        raise StatisticsError(f"the response {expression!r} has {table.shape[1]} columns, not one")
    values: pd.Series = table.iloc[:, 0]
    return values


def build(
    parsed: Parsed, data: pd.DataFrame, *, n_dropped: int, intercept: bool, notes: tuple[str, ...]
) -> Design:
    """Return the design of complete rows; without `intercept` its column is left out.

    Raises `StatisticsError` when formulaic cannot read the fixed part.
    """
    formula = read(parsed.fixed)
    rows, first = _distinct(formula, data)
    frame = data if first is None else data.iloc[first]
    matrix = _materialise(formula, frame)
    spec = matrix.model_spec
    names = tuple(str(name) for name in matrix.columns)
    if not intercept:
        names = tuple(name for name in names if name != INTERCEPT)
    values = np.ascontiguousarray(matrix[list(names)].to_numpy(np.float64))
    for name, column in zip(names, values.T, strict=True):
        _check_finite(f"column {name!r} of the model matrix", np.isfinite(column)[rows])
    if first is None:
        rows, values = _distinct_values(values, len(data))
    offsets = tuple(_materialise(read(quoted(text)), data).model_spec for text in parsed.offsets)
    fixed = FixedPart(spec, names, offsets, _levels(formula, spec, data))
    groups = tuple(
        grouping(group_name(columns), [data[name] for name in columns]) for columns in parsed.groups
    )
    return Design(
        fixed, values, rows.astype(np.int32), fixed.offset(data), groups, data, n_dropped, notes
    )


def categorical_columns(spec: ModelSpec) -> set[str]:
    """Return the columns inside the parts that formulaic treats as a factor, such as C(k)."""
    return {name for factor in _factors(spec) for name in variables(read(factor))}


def _factors(spec: ModelSpec) -> list[str]:
    return [
        str(factor)
        for factor, (kind, _) in spec.encoder_state.items()
        if kind.value == "categorical" and "(" in str(factor)
    ]


def _materialise(what: Any, data: pd.DataFrame) -> Any:
    """Evaluate; a level that was not in the fit, which formulaic only warns of, is an error."""
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        warnings.simplefilter("error", DataMismatchWarning)
        return _evaluated(what, data)


def _evaluated(what: Any, data: pd.DataFrame) -> Any:
    try:
        return what.get_model_matrix(data, na_action="raise", context={})
    except DataMismatchWarning as warning:
        raise StatisticsError(
            f"a level is not among those of the model; leave its rows out ({warning})"
        ) from warning
    except (FormulaicError, ValueError, TypeError, KeyError, AttributeError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise StatisticsError(f"the model matrix cannot be built: {first}") from error


def _distinct(formula: Any, data: pd.DataFrame) -> tuple[Integers, Integers | None]:
    """Number the distinct combinations of the columns that `formula` names.

    Only where each of its parts is a column or C(column): other functions may look at all rows.
    """
    names = variables(formula)
    if not by_row(formula):
        return np.arange(len(data)), None
    if not names:
        return np.zeros(len(data), np.int64), np.zeros(1, np.int64)
    return combine([pd.factorize(data[name])[0] for name in names])


def _distinct_values(values: Matrix, n: int) -> tuple[Integers, Matrix]:
    if not values.shape[1]:
        return np.zeros(n, np.int64), values[:1]
    rows, first = combine([pd.factorize(column)[0] for column in values.T])
    return rows, np.ascontiguousarray(values[first])


def _without_empty_levels(data: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    notes = []
    for name in data.columns[data.dtypes == "category"]:
        present = data[name].cat.remove_unused_categories()
        empty = data[name].cat.categories.difference(present.cat.categories, sort=False)
        if len(empty):
            data = data.assign(**{name: present})
            notes.append(f"{name}: no row has {', '.join(map(str, empty))}; left out")
    return data, tuple(notes)


def _levels(formula: Any, spec: ModelSpec, data: pd.DataFrame) -> dict[str, tuple[Any, ...]]:
    """Levels of the columns that are no numbers, or that C(column) makes a factor of."""
    whole = {categorised(factor) for factor in _factors(spec)}
    return {
        name: tuple(pd.unique(data[name]))
        for name in variables(formula)
        if name in whole or not pd.api.types.is_numeric_dtype(data[name])
    }


def _check_finite(what: str, finite: NDArray[np.bool_]) -> None:
    if not finite.all():
        raise StatisticsError(
            f"{what} is not finite in {int((~finite).sum())} of {finite.size} rows; leave these "
            "rows out or change the expression"
        )


def _check_levels(name: str, column: pd.Series, levels: tuple[Any, ...]) -> None:
    known = set(levels)
    unknown = [level for level in pd.unique(column) if level not in known]
    if unknown:
        raise StatisticsError(
            f"{name}: level {unknown[0]!r} was not in the data of the fit; leave its rows out"
        )
