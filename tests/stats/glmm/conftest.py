"""Reference fits and simulated data for mixed models."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit


@pytest.fixture(scope="session")
def reference(project: Path) -> Callable[[str, str], tuple[pd.DataFrame, dict[str, Any]]]:
    """Returns data and fit of R by name; the test is skipped where there are none."""
    named = os.environ.get("ISOGLOSS_GLMM_REFERENCE")
    folder = Path(named) if named else project.parent / "shared" / "reference" / "glmm"
    if not folder.is_dir():
        pytest.skip("no fits of R: set ISOGLOSS_GLMM_REFERENCE to the folder that holds them")

    def read(data: str, fit: str) -> tuple[pd.DataFrame, dict[str, Any]]:
        table = pd.read_csv(folder / f"{data}.csv")
        return table, json.loads((folder / f"{fit}.json").read_text(encoding="utf-8"))

    return read


def simulated(
    n: int = 300,
    *,
    seed: int = 1,
    g: int = 20,
    h: int = 5,
    sd: tuple[float, float] = (0.6, 0.3),
    slope: float = 0.2,
    precision: float = 8.0,
) -> pd.DataFrame:
    """A response of each family to x (three levels) and w, in crossed groups g and h.

    Thresholds are -1, 0 and 1; `x[T.b]` is 0.3 and `x[T.c]` is 0.
    """
    rng = np.random.default_rng(seed)
    data = pd.DataFrame(
        {
            "g": rng.integers(0, g, n),
            "h": rng.integers(0, h, n),
            "x": rng.choice(list("abc"), n),
            "w": rng.normal(size=n),
        }
    )
    effects = rng.normal(0, sd[0], g)[data["g"]] + rng.normal(0, sd[1], h)[data["h"]]
    eta = 0.3 * (data["x"] == "b") + slope * data["w"] + effects
    mu = expit(eta)
    return data.assign(
        gaussian=eta + rng.normal(size=n),
        binomial=(rng.random(n) < mu).astype(int),
        beta=rng.beta(mu * precision, (1 - mu) * precision).clip(1e-12, 1 - 1e-12),
        ordinal=np.searchsorted([-1, 0, 1], eta + rng.logistic(size=n)),
    )
