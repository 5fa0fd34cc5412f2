"""What a fit keeps of its data, for predictions, intervals and comparisons."""

from dataclasses import dataclass

import pandas as pd

from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.design import FixedPart
from isogloss.stats.glmm.families import Family
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector


@dataclass(frozen=True)
class Engine:
    """Design and data of a fit."""

    family: Family
    reml: bool
    fixed: FixedPart
    """Builds the model matrix of other data."""
    matrix: Matrix
    """Distinct rows of the model matrix, shape (r, p)."""
    rows: Codes
    """Row of `matrix` of each observation, shape (n,)."""
    cells: Cells
    """Sums over rows that are alike; of a gaussian, less `shift`."""
    shift: Vector
    """Coefficients that were taken out of a gaussian response before; else 0; (p,)."""
    theta: Vector
    """Parameters of the search at the maximum, coefficients those of `matrix`."""
    categories: tuple[object, ...]
    """Categories of an ordinal response, in order."""
    group_columns: tuple[tuple[str, ...], ...]
    """Columns of each grouping factor, in the order of the formula."""
    group_codes: tuple[Codes, ...]
    """Level of each observation in each grouping factor."""
    offset: Vector
    """Offset of each observation, shape (n,)."""
    index: pd.Index
    """Labels of the rows used."""
    digest: str
    """SHA-256 of the response, trials and offset of all rows used."""
