"""Log-likelihood of cells and its derivatives, by family.

A cell is a set of observations with the same linear predictor eta. `count`, `s1` and `s2` are its
sufficient statistics; `extra` are the parameters besides the linear predictor. Every kernel
fills, for each cell,

    d1 = dl/deta, weight = -d2l/deta2                                     (`*_second`)
    d3 = d3l/deta3, and for each parameter a that the cell touches
    by = dl/da, d1_by = d2l/(deta da), d2_by = d3l/(deta2 da)              (`*_third`)

and returns the log-likelihood, less a constant of the data.

`gamma_two` and `gamma_three` move x up to 8 by the recurrence of each function and use the
asymptotic series there (Abramowitz and Stegun 6.1.40, 6.3.18, 6.4.11 to 6.4.14); their relative
error is below 1e-11.
"""

from math import exp, expm1, log, log1p

import numpy as np
from numpy.typing import NDArray

from isogloss.stats.glmm.compiled import compiled

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Codes = NDArray[np.int32]

HALF_LOG_2PI = 0.9189385332046727


@compiled
def gamma_two(x: float) -> tuple[float, float, float]:
    """Return lgamma(x), digamma(x) and trigamma(x) of x > 0."""
    first, second, product = 0.0, 0.0, 1.0
    while x < 8.0:
        inverse = 1.0 / x
        first -= inverse
        second += inverse * inverse
        product *= x
        x += 1.0
    logarithm = log(x)
    r = 1.0 / x
    s = r * r
    lgamma = (
        (x - 0.5) * logarithm
        - x
        + HALF_LOG_2PI
        - log(product)
        + r
        * (
            1 / 12
            + s * (-1 / 360 + s * (1 / 1260 + s * (-1 / 1680 + s * (1 / 1188 - s * 691 / 360360))))
        )
    )
    first += (
        logarithm
        - 0.5 * r
        - s
        * (
            1 / 12
            + s * (-1 / 120 + s * (1 / 252 + s * (-1 / 240 + s * (1 / 132 - s * 691 / 32760))))
        )
    )
    second += r + s * (
        0.5
        + r * (1 / 6 + s * (-1 / 30 + s * (1 / 42 + s * (-1 / 30 + s * (5 / 66 - s * 691 / 2730)))))
    )
    return lgamma, first, second


@compiled
def gamma_three(x: float) -> tuple[float, float, float, float]:
    """Return lgamma(x), digamma(x), trigamma(x) and the next derivative of x > 0."""
    shifted, third = x, 0.0
    while shifted < 8.0:
        third -= 2.0 / (shifted * shifted * shifted)
        shifted += 1.0
    r = 1.0 / shifted
    s = r * r
    third -= s * (
        1.0
        + r
        + s * (0.5 + s * (-1 / 6 + s * (1 / 6 + s * (-3 / 10 + s * (5 / 6 - s * 691 / 210)))))
    )
    lgamma, first, second = gamma_two(x)
    return lgamma, first, second, third


@compiled
def softplus(x: float) -> float:
    """Return log(1 + exp(x))."""
    if x > 0:
        return x + log1p(exp(-x))
    return log1p(exp(x))


@compiled
def expit(x: float) -> float:
    """Return 1 / (1 + exp(-x))."""
    if x >= 0:
        return 1.0 / (1.0 + exp(-x))
    power = exp(x)
    return power / (1.0 + power)


@compiled
def binomial_second(
    eta: Vector, count: Vector, s1: Vector, _s2: Vector, _extra: Vector, d1: Vector, weight: Vector
) -> float:
    """Binomial, logit link: `count` trials with `s1` successes; `s2` and `extra` are not used."""
    total = 0.0
    for i in range(eta.size):
        mu, n = expit(eta[i]), count[i]
        total += s1[i] * eta[i] - n * softplus(eta[i])
        d1[i] = s1[i] - n * mu
        weight[i] = n * mu * expit(-eta[i])
    return total


@compiled
def binomial_third(
    eta: Vector,
    count: Vector,
    s1: Vector,
    s2: Vector,
    extra: Vector,
    d1: Vector,
    weight: Vector,
    d3: Vector,
    _by: Matrix,
    _d1_by: Matrix,
    _d2_by: Matrix,
) -> float:
    """Add the third derivative to `binomial_second`; there is no further parameter."""
    total = binomial_second(eta, count, s1, s2, extra, d1, weight)
    for i in range(eta.size):
        d3[i] = -weight[i] * (1.0 - 2.0 * expit(eta[i]))
    return total


@compiled
def beta_second(
    eta: Vector, count: Vector, s1: Vector, s2: Vector, extra: Vector, d1: Vector, weight: Vector
) -> float:
    """Beta, logit link, shapes mu phi and (1 - mu) phi, extra = (log phi,).

    `count` values with `s1` = sum log y and `s2` = sum log(1 - y).
    """
    phi = exp(extra[0])
    lgamma_phi = gamma_two(phi)[0]
    total = 0.0
    for i in range(eta.size):
        n, mu, nu = count[i], expit(eta[i]), expit(-eta[i])
        a, b = mu * phi, nu * phi
        lgamma_a, digamma_a, trigamma_a = gamma_two(a)
        lgamma_b, digamma_b, trigamma_b = gamma_two(b)
        total += n * (lgamma_phi - lgamma_a - lgamma_b) + (a - 1.0) * s1[i] + (b - 1.0) * s2[i]
        m1 = mu * nu
        residual = (s1[i] - n * digamma_a) - (s2[i] - n * digamma_b)
        d1[i] = phi * residual * m1
        spread = n * phi * (trigamma_a + trigamma_b)
        weight[i] = phi * (spread * m1 * m1 - residual * m1 * (nu - mu))
    return total


@compiled
def beta_third(
    eta: Vector,
    count: Vector,
    s1: Vector,
    s2: Vector,
    extra: Vector,
    d1: Vector,
    weight: Vector,
    d3: Vector,
    by: Matrix,
    d1_by: Matrix,
    d2_by: Matrix,
) -> float:
    """Add the third derivative and those by log phi to `beta_second`."""
    phi = exp(extra[0])
    lgamma_phi, digamma_phi, _ = gamma_two(phi)
    total = 0.0
    for i in range(eta.size):
        n, mu, nu = count[i], expit(eta[i]), expit(-eta[i])
        a, b = mu * phi, nu * phi
        lgamma_a, digamma_a, trigamma_a, next_a = gamma_three(a)
        lgamma_b, digamma_b, trigamma_b, next_b = gamma_three(b)
        total += n * (lgamma_phi - lgamma_a - lgamma_b) + (a - 1.0) * s1[i] + (b - 1.0) * s2[i]
        m1 = mu * nu
        m2 = m1 * (nu - mu)
        m3 = m1 * (1.0 - 6.0 * m1)
        left, right = s1[i] - n * digamma_a, s2[i] - n * digamma_b
        residual = left - right
        slope = -n * phi * (trigamma_a + trigamma_b)
        bend = -n * phi * phi * (next_a - next_b)
        d1[i] = phi * residual * m1
        weight[i] = -phi * (residual * m2 + slope * m1 * m1)
        d3[i] = phi * (residual * m3 + 3.0 * slope * m1 * m2 + bend * m1 * m1 * m1)
        by[i, 0] = phi * (n * digamma_phi + mu * left + nu * right)
        moved = residual - phi * n * (mu * trigamma_a - nu * trigamma_b)
        d1_by[i, 0] = phi * m1 * moved
        turned = 2.0 * slope - n * phi * phi * (mu * next_a + nu * next_b)
        d2_by[i, 0] = phi * (moved * m2 + turned * m1 * m1)
    return total


@compiled
def beta_curvature(eta: Vector, count: Vector, s1: Vector, s2: Vector, extra: Vector) -> Matrix:
    """Return d2l / d(log phi)2 of all cells, shape (1, 1)."""
    phi = exp(extra[0])
    _, digamma_phi, trigamma_phi = gamma_two(phi)
    total = 0.0
    for i in range(eta.size):
        n, mu, nu = count[i], expit(eta[i]), expit(-eta[i])
        _, digamma_a, trigamma_a = gamma_two(mu * phi)
        _, digamma_b, trigamma_b = gamma_two(nu * phi)
        slope = n * digamma_phi + mu * (s1[i] - n * digamma_a) + nu * (s2[i] - n * digamma_b)
        bend = n * (trigamma_phi - mu * mu * trigamma_a - nu * nu * trigamma_b)
        total += phi * (slope + phi * bend)
    return np.full((1, 1), total)


@compiled
def ordinal_second(
    eta: Vector,
    count: Vector,
    s1: Vector,
    _s2: Vector,
    extra: Vector,
    d1: Vector,
    weight: Vector,
) -> float:
    """Cumulative logit, P(Y <= j) = expit(extra[j] - eta); `s1` is the category, from 0.

    With a and b the thresholds above and below, less eta, the log-likelihood of a cell is
    count (log F(a) + log(1 - F(b)) + log(1 - exp(b - a))).
    """
    total, last = 0.0, extra.size
    for j in range(1, last):
        if not extra[j] > extra[j - 1]:
            return -np.inf
    for i in range(eta.size):
        j, n, value = int(s1[i]), count[i], 0.0
        d1[i], weight[i] = 0.0, 0.0
        if j < last:
            a = extra[j] - eta[i]
            value -= softplus(-a)
            below = expit(-a)
            d1[i] -= n * below
            weight[i] += n * below * expit(a)
        if j > 0:
            b = extra[j - 1] - eta[i]
            value -= softplus(b)
            below = expit(b)
            d1[i] += n * below
            weight[i] += n * below * expit(-b)
            if j < last:
                value += log(-expm1(extra[j - 1] - extra[j]))
        total += n * value
    return total


@compiled
def ordinal_third(
    eta: Vector,
    count: Vector,
    s1: Vector,
    s2: Vector,
    extra: Vector,
    d1: Vector,
    weight: Vector,
    d3: Vector,
    by: Matrix,
    d1_by: Matrix,
    d2_by: Matrix,
) -> float:
    """Add the third derivative and those by the thresholds above and below each cell."""
    total = ordinal_second(eta, count, s1, s2, extra, d1, weight)
    last = extra.size
    for i in range(eta.size):
        j, n = int(s1[i]), count[i]
        d3[i] = 0.0
        narrow = 0.0
        if 0 < j < last:
            narrow = 1.0 / expm1(extra[j] - extra[j - 1])
        for side in range(2):
            place = j - side
            if place < 0 or place >= last:
                by[i, side], d1_by[i, side], d2_by[i, side] = 0.0, 0.0, 0.0
                continue
            up = expit(extra[place] - eta[i])
            down = expit(eta[i] - extra[place])
            density = n * up * down
            slope = density * (down - up)
            d3[i] += slope
            by[i, side] = n * (down + narrow) if side == 0 else -n * (up + narrow)
            d1_by[i, side] = density
            d2_by[i, side] = -slope
    return total


@compiled
def ordinal_curvature(eta: Vector, count: Vector, s1: Vector, _s2: Vector, extra: Vector) -> Matrix:
    """Return d2l / (dthreshold dthreshold') of all cells, shape (J - 1, J - 1)."""
    last = extra.size
    total = np.zeros((last, last))
    for i in range(eta.size):
        j, n = int(s1[i]), count[i]
        for side in range(2):
            place = j - side
            if 0 <= place < last:
                total[place, place] -= (
                    n * expit(extra[place] - eta[i]) * expit(eta[i] - extra[place])
                )
        if 0 < j < last:
            narrow = 1.0 / expm1(extra[j] - extra[j - 1])
            part = n * narrow * (1.0 + narrow)
            total[j, j] -= part
            total[j - 1, j - 1] -= part
            total[j, j - 1] += part
            total[j - 1, j] += part
    return total


@compiled
def no_curvature(_eta: Vector, _count: Vector, _s1: Vector, _s2: Vector, _extra: Vector) -> Matrix:
    """Return the (0, 0) matrix of a family without further parameters."""
    return np.zeros((0, 0))
