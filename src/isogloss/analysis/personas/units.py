"""Units of a comparison: the responses to one item that are subtracted from each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from isogloss.analysis.pairs import UNPAIRED, Subset
from isogloss.analysis.personas.blocks import Block, Corner, Grid
from isogloss.analysis.records import MissingCounts, missing_counts
from isogloss.score.responses import MISSING
from isogloss.stats.arrays import Values


@dataclass(frozen=True, eq=False)
class Units:
    """Models, items, interviews and repeats that were asked for in one of a few corners."""

    models: NDArray[np.object_]
    """Of shape (units,)."""
    items: NDArray[np.object_]
    """Of shape (units,)."""
    scores: Values
    """Of shape (units, corners)."""
    outcomes: NDArray[np.object_]
    """Of shape (units,): `ok`, `unpaired` where a corner was never asked for, or else the first of
    `MISSING` that a corner has."""

    def __len__(self) -> int:
        """Count the units."""
        return len(self.outcomes)

    def chosen(self, which: NDArray[np.bool_]) -> "Units":
        """Units for which `which`, of shape (units,), is true."""
        return Units(
            self.models[which], self.items[which], self.scores[which], self.outcomes[which]
        )

    @property
    def complete(self) -> "Units":
        """Units of which every score exists."""
        return self.chosen(self.outcomes == "ok")

    @property
    def n_unpaired(self) -> int:
        """Units of which a corner was never asked for."""
        return int((self.outcomes == UNPAIRED).sum())

    @property
    def missing(self) -> MissingCounts:
        """Units without a value, by what became of the response."""
        return missing_counts(pd.Series(self.outcomes))


def units(block: Block, corners: Sequence[Corner], subset: Subset = "all") -> Units:
    """Collect the units of a comparison of a few corners of a block's grid, in order of the grid.

    `validated` keeps the units none of whose wordings failed validation.
    """
    grid = block.grid
    scores, outcomes, valid = (
        np.stack([_column(array, grid, corner, empty) for corner in corners], axis=1)
        for array, empty in ((grid.scores, np.nan), (grid.outcomes, ""), (grid.valid, True))
    )
    kept = (outcomes != "").any(axis=1)
    if subset == "validated":
        kept &= valid.all(axis=1)
    return Units(grid.models, grid.items, scores, _outcome(outcomes)).chosen(kept)


def _column(
    array: NDArray[np.generic], grid: Grid, corner: Corner, empty: object
) -> NDArray[np.generic]:
    place = grid.corners.get(corner)
    return np.full(len(array), empty, dtype=array.dtype) if place is None else array[:, place]


def _outcome(outcomes: NDArray[np.object_]) -> NDArray[np.object_]:
    absent = (outcomes == "").any(axis=1)
    choices = [(outcomes == name).any(axis=1) for name in MISSING]
    return np.select([absent, *choices], [UNPAIRED, *MISSING], default="ok").astype(object)
