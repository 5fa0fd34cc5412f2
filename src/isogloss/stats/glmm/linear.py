"""Gaussian mixed models: the exact log-likelihood, profiled over fixed effects and residual.

With t_k = s_k / sigma, H = I + T Z'Z T and r2 the smallest |y - X b - Z T u|^2 + |u|^2,

    ML:   -2 l = n log(2 pi r2 / n) + n + log|H|,
    REML: -2 l = (n - p) log(2 pi r2 / (n - p)) + n - p + log|H| + log|X'V^-1 X|,

where V = I + Z T T Z'. Source: Bates, Maechler, Bolker and Walker (2015), equations 33 to 41.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from isogloss.stats.glmm import scatter
from isogloss.stats.glmm.blocks import Factored, factor
from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.layout import Layout, Products

LARGEST = 1e6
"""Ratio of standard deviations above which the residual is lost in rounding."""


@dataclass(frozen=True)
class CrossProducts:
    """All that the log-likelihood needs of the data, with X and y less an offset."""

    layout: Layout
    n: int
    zz: Products
    zx: Matrix
    zy: Vector
    xx: Matrix
    xy: Vector
    yy: float
    reml: bool

    @classmethod
    def of(cls, cells: Cells, matrix: Matrix, n: int, *, reml: bool) -> "CrossProducts":
        """Add up cells whose `s1` and `s2` are sums of y and of its square."""
        layout, rows, r = cells.layout, cells.rows, matrix.shape[0]
        place = (layout.codes, layout.first, layout.rest)
        counts = scatter.by_row(cells.count, rows, r)
        sums = scatter.by_row(cells.s1, rows, r)
        zx = scatter.by_group_and_column(cells.count, rows, matrix, *place)
        return cls(
            layout,
            n,
            layout.products(cells.count),
            np.concatenate(zx),
            layout.sums(cells.s1),
            matrix.T @ (counts[:, None] * matrix),
            matrix.T @ sums,
            float(cells.s2.sum()),
            reml,
        )


@dataclass(frozen=True)
class LinearPoint:
    """The profiled log-likelihood at one vector of log(s_k / sigma)."""

    theta: Vector
    loglik: float
    beta: Vector
    variance: float
    """Residual variance."""
    u: Vector
    """Spherical random effects times sigma: random effects divided by s_k / sigma."""
    factored: Factored
    between: Matrix
    """H^-1 T Z'X."""
    root: tuple[Matrix, bool]
    """Cholesky factor of X'V^-1 X."""
    _gradient: list[Vector] = field(default_factory=list, repr=False)

    def covariance(self) -> Matrix:
        """Return the covariance of the fixed effects, sigma^2 (X'V^-1 X)^-1."""
        result: Matrix = self.variance * cho_solve(self.root, np.eye(self.beta.size))
        return result


class Linear:
    """Evaluates the profiled log-likelihood."""

    def __init__(self, data: CrossProducts) -> None:
        self.data = data

    @property
    def linear(self) -> int:
        """Number of parameters before the log ratios: all others are profiled."""
        return 0

    @property
    def factors(self) -> int:
        """Number of grouping factors."""
        return len(self.data.layout.sizes)

    def information(self, at: LinearPoint) -> Matrix:
        """Return the empty matrix: no parameter but the ratios is searched for."""
        del at
        return np.zeros((0, 0))

    def group_information(self, at: LinearPoint) -> Vector:
        """Return the mean number of rows of a group, for each factor; shape (K,)."""
        del at
        sizes = np.array(self.data.layout.sizes)
        result: Vector = self.data.n / sizes
        return result

    def evaluate(self, theta: Vector, near: LinearPoint | None = None) -> LinearPoint | None:
        """Return the log-likelihood at log ratios `theta` (K,), or None where there is none."""
        del near
        data = self.data
        ratios = np.exp(theta)
        factored = factor(data.layout, data.zz, ratios) if (ratios < LARGEST).all() else None
        if factored is None:
            return None
        zx, zy = factored.scale[:, None] * data.zx, factored.scale * data.zy
        between, toward = factored.solve(zx), factored.solve(zy)
        try:
            root = cho_factor(data.xx - zx.T @ between, lower=True)
        except LinAlgError:
            return None
        beta = cho_solve(root, data.xy - between.T @ zy)
        u = toward - between @ beta
        left = data.yy - float(data.xy @ beta) - float(zy @ u)
        df = data.n - beta.size if data.reml else data.n
        if left <= 0:
            return None
        loglik = -0.5 * (df * np.log(2 * np.pi * left / df) + df + factored.logdet)
        if data.reml:
            loglik -= float(np.log(np.diag(root[0])).sum())
        return LinearPoint(theta, float(loglik), beta, left / df, u, factored, between, root)

    def gradient(self, at: LinearPoint) -> Vector:
        """Return the derivative by the log ratios:

        u_k'u_k / sigma^2 - sum over k of (1 - diag H^-1), and for REML
        + tr (X'V^-1 X)^-1 G_k'G_k with G = H^-1 T Z'X.
        """
        if not at._gradient:
            layout = self.data.layout
            parts = at.u**2 / at.variance - 1.0 + at.factored.inverse_diagonal()
            if self.data.reml and at.beta.size:
                parts += np.einsum("ij,ij->i", at.between, cho_solve(at.root, at.between.T).T)
            at._gradient.append(layout.by_factor(parts))
        return at._gradient[0]
