"""The factored precision matrix against a dense one."""

from collections.abc import Iterator

import numpy as np
import pytest
from tests.stats.glmm.conftest import simulated

from isogloss.stats.glmm import GlmmFit, fit_glmm, patterns
from isogloss.stats.glmm.blocks import factor
from isogloss.stats.glmm.layout import Layout
from isogloss.stats.glmm.patterns import CrossPattern, FullPattern

EXACT = 1e-10

DESIGNS = {
    "one": [9],
    "crossed": [9, 4],
    "three": [9, 4, 3],
    "four": [12, 9, 4, 3],
}


@pytest.fixture(params=["whole", "cross", "full"])
def held(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make every matrix be held in blocks, the cross block by its pattern, or by a full one."""
    if request.param != "whole":
        monkeypatch.setattr(patterns, "HELD_WHOLE", 0)
        monkeypatch.setattr(patterns, "SPARSE", 1.0)
        monkeypatch.setattr(patterns, "CHEAPER", 1e9 if request.param == "full" else 0.0)
    return request.param


@pytest.fixture(scope="module")
def whole() -> dict[str, GlmmFit]:
    """Fits whose matrices are held in blocks."""
    return {family: fitted(family) for family in ("gaussian", "beta")}


def fitted(family: str) -> GlmmFit:
    formula = f"{family} ~ x + w + (1 | h/g) + (1 | g)"
    return fit_glmm(formula, simulated(300), family=family)  # type: ignore[arg-type]


@pytest.mark.parametrize("sizes", DESIGNS.values(), ids=DESIGNS.keys())
def test_against_a_dense_matrix(sizes: list[int], held: str) -> None:
    rng = np.random.default_rng(1)
    m, sigma = 40, np.array([0.7, 0.4, 1.3, 0.0])[: len(sizes)]
    codes = [rng.integers(0, size, m) for size in sizes]
    weight, right = rng.random(m), rng.normal(size=(sum(sizes), 2))
    found = Layout.of(codes, sizes)
    kind = {"whole": None, "cross": CrossPattern, "full": FullPattern}[held]
    assert type(found.pattern) is (type(None) if len(sizes) == 1 or kind is None else kind)
    indicators = np.hstack([np.eye(size)[code] for code, size in zip(codes, sizes, strict=True)])
    scaled = indicators * np.repeat(sigma, sizes)
    dense = np.eye(sum(sizes)) + scaled.T @ (weight[:, None] * scaled)
    inverse = np.linalg.inv(dense)
    factored = factor(found, found.products(weight), sigma)
    assert factored is not None
    assert factored.logdet == pytest.approx(np.linalg.slogdet(dense)[1], rel=EXACT)
    np.testing.assert_allclose(factored.solve(right), inverse @ right, atol=EXACT)
    np.testing.assert_allclose(factored.solve(right[:, 0]), inverse @ right[:, 0], atol=EXACT)
    np.testing.assert_allclose(factored.inverse_diagonal(), np.diag(inverse), atol=EXACT)
    expected = np.einsum("ij,jk,ik->i", scaled, inverse, scaled)
    np.testing.assert_allclose(factored.leverages(), expected, atol=EXACT)
    np.testing.assert_allclose(found.sums(weight), indicators.T @ weight, atol=EXACT)


@pytest.mark.parametrize("family", ["gaussian", "beta"])
def test_a_fit_does_not_depend_on_how_its_matrix_is_held(
    family: str, held: str, whole: dict[str, GlmmFit]
) -> None:
    fit = fitted(family)
    assert (held == "whole") == (fit.engine.cells.layout.pattern is None)
    assert fit.loglik == pytest.approx(whole[family].loglik, abs=1e-8)
    np.testing.assert_allclose(fit.se, whole[family].se, rtol=1e-6)


def test_a_matrix_that_is_not_positive_is_not_factored(held: str) -> None:
    codes = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])]
    found = Layout.of(codes, [2, 2])
    assert factor(found, found.products(np.full(4, -0.3)), np.array([1.0, 1.0])) is None
    assert factor(found, found.products(np.full(4, -0.9)), np.array([1.0, 1.0])) is None
