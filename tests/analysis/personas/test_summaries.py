from math import sqrt
from pathlib import Path

import pytest
from scipy import stats
from tests.analysis.personas.frames import given, make, one

from isogloss.analysis.personas.summaries import (
    persona_distributions,
    persona_means,
    persona_missing,
)
from isogloss.analysis.plan import AnalysisPlan

ROUNDING = 1e-12
"""A few floating-point operations on numbers near 1."""


def test_mean_of_a_persona_in_a_guise(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(given("red", "tall", [2, 4, None, 6, "refusal"]), tmp_path)
    row = one(persona_means(rows, plan))
    margin = stats.t.ppf(0.975, 2) * 2 / sqrt(3)
    assert (row["role"], row["persona"], row["guise"]) == ("judge", "tall", "red")
    assert (row["mean"], row["sd"], row["n"], row["n_clusters"]) == (4.0, 2.0, 3, 3)
    assert (row["low"], row["high"]) == pytest.approx((4 - margin, 4 + margin), abs=ROUNDING)
    assert (row["n_missing_malformed"], row["n_missing_refusal"]) == (1, 1)


def test_all_models_are_clustered_by_item(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [2, 4, 7], model="m1") + given("red", "tall", [4, 4, 9], model="m2"),
        tmp_path,
    )
    frame = persona_means(rows, plan)
    assert frame["model"].tolist() == ["all models", "m1", "m2"]
    pooled = frame.iloc[0]
    # Items' means 3, 4, 8: with equal numbers of scores the error is that of their mean
    reference = stats.ttest_1samp([3, 4, 8], 0).confidence_interval()
    assert (pooled["mean"], pooled["n"], pooled["n_clusters"]) == (5.0, 6, 3)
    assert (pooled["low"], pooled["high"]) == pytest.approx(tuple(reference), abs=1e-9)


def test_models_are_pooled_only_where_several_answered(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [2, 4], model="m1")
        + given("red", "short", [4, 4], model="m2")
        + given("red", "tall", [5, 5], model="m1", task="player"),
        tmp_path,
    )
    frame = persona_means(rows, plan)
    assert frame[["role", "model", "persona"]].to_numpy().tolist() == [
        ["judge", "all models", "tall"],
        ["judge", "all models", "short"],
        ["judge", "m1", "tall"],
        ["judge", "m2", "short"],
        ["player", "m1", "tall"],
    ]


def test_shares_of_the_scale(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(given("red", "tall", [2, 2, 9, None]), tmp_path)
    shares = persona_distributions(rows, plan).set_index("rating")["share"]
    assert shares.index.tolist() == list(range(1, 11))
    assert (shares[2], shares[9], shares.sum()) == pytest.approx((2 / 3, 1 / 3, 1.0))


def test_shares_are_mean_distributions_where_all_have_one(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    spread = {"answers": ("1", "2"), "probabilities": (0.25, 0.75)}
    rows = make(given("red", "tall", [1.75, 1.75], **spread), tmp_path)
    frame = persona_distributions(rows, plan)
    assert frame["share"].tolist()[:3] == [0.25, 0.75, 0.0]
    assert set(frame["method"]) == {"mean of answer distributions"}


def test_outcomes_are_counted(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = given("red", "tall", [2, "refusal", None, "low_mass"])
    rows[0]["answer_mass"], rows[3]["answer_mass"] = 0.99, 0.5
    row = one(persona_missing(make(rows, tmp_path), plan))
    interval = stats.binomtest(3, 4).proportion_ci(method="wilson")
    assert (row["role"], row["n"], row["n_ok"], row["share_missing"]) == ("judge", 4, 1, 0.75)
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), abs=ROUNDING)
    assert (row["n_missing_refusal"], row["n_missing_low_mass"]) == (1, 1)
    assert (row["mean_answer_mass"], row["share_below_gate"]) == (pytest.approx(0.745), 0.5)
    assert row["n_without_distribution"] == 1
