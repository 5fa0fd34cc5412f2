"""Responses of a persona design, split into the blocks that the tables are about."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from isogloss.analysis.pairs import Subset
from isogloss.analysis.personas.records import ALL_MODELS, PersonaCell, persona_design
from isogloss.analysis.plan import AnalysisPlan, PersonaDesign
from isogloss.errors import ResponseError
from isogloss.score.responses import KEY, OUTCOMES
from isogloss.stats.arrays import Values
from isogloss.studies.base import Contrast

UNIT = ["model", "item_id", "interview", "repeat"]
"""Columns that match the responses to an item across guises and personas."""

_Place = tuple[NDArray[Any], NDArray[Any]]

BLOCK = ["study", "item_set", "task", "condition", "mode"]
"""Columns that say which block a response belongs to, whatever its model."""


@dataclass(frozen=True)
class Group:
    """Personas whose tests are corrected together."""

    name: str
    """Name of the family, or the unspecified persona for the group of it alone."""
    personas: tuple[str, ...]
    reference: str | None
    """Persona that the others are compared with, where there is one."""


class Corner(NamedTuple):
    """A column of a grid."""

    guise: str
    persona: str


@dataclass(frozen=True, eq=False)
class Grid:
    """Responses of a block: a row for each `UNIT`, sorted, and a column for each corner."""

    models: NDArray[np.object_]
    """Of shape (units,)."""
    items: NDArray[np.object_]
    """Of shape (units,)."""
    corners: Mapping[Corner, int]
    """Corners that were asked for, with their columns."""
    scores: Values
    """Of shape (units, corners); NaN where a response has no value or was never asked for."""
    outcomes: NDArray[np.object_]
    """Of shape (units, corners); empty where no response was asked for."""
    valid: NDArray[np.bool_]
    """Of shape (units, corners); False where the wording failed validation."""


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of one cell, and the comparisons that they allow."""

    cell: PersonaCell
    rows: pd.DataFrame
    items: Mapping[str, frozenset[str]]
    """Items that the whole item set has in each guise."""
    subsets: tuple[Subset, ...]
    """`validated` is there as soon as a wording of the item set failed validation."""

    @cached_property
    def grid(self) -> Grid:
        """The responses, one place for each."""
        interview = self.rows["interview"].fillna(-1).astype("int64")
        units = self.rows.assign(interview=interview).groupby(UNIT, sort=True)
        columns = self.rows.groupby(["guise", "persona"], sort=True)
        keys, corners = units.size().index, columns.size().index
        place = units.ngroup().to_numpy(), columns.ngroup().to_numpy()
        shape = len(keys), len(corners)
        score = self.rows["expected"].where(self.rows["outcome"].eq("ok"))
        return Grid(
            models=keys.get_level_values("model").to_numpy(dtype=object),
            items=keys.get_level_values("item_id").to_numpy(dtype=object),
            corners={Corner(*corner): i for i, corner in enumerate(corners)},
            scores=_at(place, score, np.full(shape, nan)),
            outcomes=_at(place, self.rows["outcome"], np.full(shape, "", dtype=object)),
            valid=_at(place, self.rows["valid_pair"], np.ones(shape, dtype=np.bool_)),
        )

    @cached_property
    def measure(self) -> str:
        """Which number of a response its score is."""
        probable = self.rows.loc[self.rows["outcome"].eq("ok"), "probabilities"].notna()
        if probable.all():
            return "expected score"
        return "expected score or score given" if probable.any() else "score given"

    @property
    def scope(self) -> str:
        """Whether its tests are corrected with those of other models or of all models pooled."""
        return "pooled" if self.cell.model == ALL_MODELS else "per model"

    def contrasts(self, plan: AnalysisPlan) -> list[Contrast]:
        """Contrasts of which both guises were used."""
        used = set(self.rows["guise"])
        return [c for c in plan.contrasts if {c.guise, c.reference} <= used]

    def paired(self, contrast: Contrast) -> bool:
        """Whether the item set has an item in both guises."""
        return bool(self.items[contrast.guise] & self.items[contrast.reference])

    @property
    def guises(self) -> list[str]:
        """Guises that were used, by name."""
        return sorted(set(self.rows["guise"]))

    def present(self, personas: Iterable[str], *guises: str) -> list[str]:
        """Those of the personas whom an item in one of the guises was said to concern."""
        corners = self.grid.corners
        return [p for p in personas if any(Corner(guise, p) in corners for guise in guises)]

    def against_reference(self, group: Group, *guises: str) -> list[tuple[str, str]]:
        """Pairs of persona and reference of a group, both of whom occur in one of the guises."""
        here = self.present(group.personas, *guises)
        if group.reference is None or group.reference not in here:
            return []
        return [(persona, group.reference) for persona in here if persona != group.reference]


def blocks(rows: pd.DataFrame) -> list[Block]:
    """Split responses by item set, role, condition and mode; each model, and all if several."""
    return [
        Block(_cell(key, model), mine, items, subsets)
        for _, of_set in rows.groupby(["study", "item_set"], sort=True)
        for items, subsets in [(_items(of_set), _subsets(of_set))]
        for key, part in of_set.groupby(BLOCK, sort=True)
        for model, mine in _by_model(part)
    ]


def groups(design: PersonaDesign) -> tuple[Group, ...]:
    """All groups of personas: the unspecified one alone, families, crossed families."""
    return (
        Group(design.unspecified, (design.unspecified,), None),
        *(Group(f.name, f.personas, f.reference) for f in design.families),
        *(Group(c.name, tuple(cell[2] for cell in c.cells), None) for c in design.crossed),
    )


def check_persona_rows(rows: pd.DataFrame, plan: AnalysisPlan) -> None:
    """Raise `ResponseError` for a response that no table would know what to do with.

    It has a task that is no role, a persona that is in no family, an unknown outcome, the outcome
    `ok` without a score, or the key of another response.
    """
    design = persona_design(plan)
    known = {persona for group in groups(design) for persona in group.personas}
    _refuse(rows, ~rows["task"].isin(design.roles), "a task that is no role of the plan")
    _refuse(rows, ~rows["persona"].isin(known), "a persona that is in no family of the plan")
    _refuse(rows, ~rows["outcome"].isin(OUTCOMES), "an unknown outcome")
    empty = rows["outcome"].eq("ok") & (rows["expected"].isna() | rows["modal"].isna())
    _refuse(rows, empty, "outcome 'ok' and no score")
    _refuse(rows, rows.duplicated(KEY), "the key of another response")


def _refuse(rows: pd.DataFrame, wrong: "pd.Series[bool]", what: str) -> None:
    if wrong.any():
        columns = ["model", "item_set", "item_id", "guise", "persona", "condition", "task"]
        first = rows.loc[wrong, columns].iloc[0].to_dict()
        raise ResponseError(
            f"{int(wrong.sum())} responses have {what}, first {first}; "
            "correct the responses or the plan"
        )


def _at(place: _Place, values: "pd.Series[Any]", array: NDArray[Any]) -> NDArray[Any]:
    array[place] = values.to_numpy()
    return array


def _cell(key: Hashable, model: str) -> PersonaCell:
    study, item_set, role, condition, mode = cast(tuple[str, ...], key)
    return PersonaCell(study, model, item_set, role, condition, mode)


def _items(rows: pd.DataFrame) -> dict[str, frozenset[str]]:
    return {str(guise): frozenset(part["item_id"]) for guise, part in rows.groupby("guise")}


def _subsets(rows: pd.DataFrame) -> tuple[Subset, ...]:
    return ("all",) if rows["valid_pair"].astype(bool).all() else ("all", "validated")


def _by_model(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if rows["model"].nunique() > 1:
        yield ALL_MODELS, rows
    for model, part in rows.groupby("model", sort=True):
        yield str(model), part
