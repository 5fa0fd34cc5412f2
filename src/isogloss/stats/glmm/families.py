"""What the Laplace approximation has to know of a family."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from isogloss.stats.glmm import kernels
from isogloss.stats.glmm.kernels import Matrix

Family = Literal["gaussian", "binomial", "beta", "ordinal"]


@dataclass(frozen=True)
class Kernels:
    """Compiled functions of a family; `isogloss.stats.glmm.kernels` says what they compute."""

    second: Callable[..., float]
    """Log-likelihood of the cells, with two derivatives by eta."""
    third: Callable[..., float]
    """The same with three derivatives, and those by the further parameters."""
    curvature: Callable[..., Matrix]
    """Second derivatives by the further parameters."""
    width: int
    """Most further parameters that a cell depends on."""


KERNELS: Mapping[str, Kernels] = {
    "binomial": Kernels(kernels.binomial_second, kernels.binomial_third, kernels.no_curvature, 0),
    "beta": Kernels(kernels.beta_second, kernels.beta_third, kernels.beta_curvature, 1),
    "ordinal": Kernels(kernels.ordinal_second, kernels.ordinal_third, kernels.ordinal_curvature, 2),
}
