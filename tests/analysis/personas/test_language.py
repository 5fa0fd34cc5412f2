from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.analysis.personas.frames import ABSENT, given, make, one

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.language import language_effects
from isogloss.analysis.plan import AnalysisPlan
from isogloss.studies.base import Contrast

ROUNDING = 1e-12
"""A few floating-point operations on numbers near 1."""
SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""
FLIPPED = ["estimate", "d"]
KEPT = ["p_value", "p_adjusted", "se", "df", "equivalence_p", "mde", "n", "n_items", "verdict"]


def effects(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    return language_effects(blocks(rows), plan)


def test_hand_computed_pairs(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(given("red", "tall", [2, 3, 2, 4]) + given("blue", "tall", [3, 5, 3, 4]), tmp_path)
    row = one(effects(rows, plan))
    # differences -1, -2, -1, 0: mean -1, sd sqrt(2/3), se sqrt(2/3)/2
    se = sqrt(2 / 3) / 2
    assert (row["pairing"], row["persona_family"], row["measure"]) == (
        "paired",
        "size",
        "score given",
    )
    assert row["estimate"] == pytest.approx(-1.0, abs=ROUNDING)
    assert row["se"] == pytest.approx(se, abs=ROUNDING)
    assert row["d"] == pytest.approx(-1 / sqrt(2 / 3), abs=ROUNDING)
    assert row["p_value"] == pytest.approx(2 * stats.t.cdf(-1 / se, 3), abs=ROUNDING)
    margin = stats.t.ppf(0.975, 3) * se
    assert (row["low"], row["high"]) == pytest.approx((-1 - margin, -1 + margin), abs=ROUNDING)
    assert row["equivalence_p"] == pytest.approx(stats.t.sf((0.5 - 1) / se, 3), abs=ROUNDING)
    assert (row["mean_guise"], row["mean_reference"]) == (2.75, 3.75)
    assert (row["n"], row["n_items"], row["n_items_guise"], row["n_unpaired"]) == (4, 4, 4, 0)


def test_pooled_pairs_count_items_once(tmp_path: Path, plan: AnalysisPlan) -> None:
    differences = {"m1": [-1, 0, 1, 2], "m2": [-1, 0, 3, 0]}
    rows = make(
        [
            row
            for model, values in differences.items()
            for row in given("red", "tall", [5 + v for v in values], model=model)
            + given("blue", "tall", [5, 5, 5, 5], model=model)
        ],
        tmp_path,
    )
    row = one(effects(rows, plan), model="all models")
    # Items' mean differences -1, 0, 2, 1: with equal numbers the clustered test is the t-test on
    # these.
    reference = stats.ttest_1samp([-1, 0, 2, 1], 0)
    assert row["estimate"] == pytest.approx(0.5, abs=ROUNDING)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert (row["n"], row["n_items"], row["df"]) == (8, 4, 3)
    assert "2 models" in row["method"]
    pairs = np.array([-1, 0, 1, 2, -1, 0, 3, 0])
    assert row["d"] == pytest.approx(pairs.mean() / pairs.std(ddof=1), abs=ROUNDING)


def test_few_items_of_unequal_weight_get_an_exact_p(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [6, 6, 6], model="m1")
        + given("red", "tall", [6, ABSENT, ABSENT], model="m2")
        + given("blue", "tall", [5, 5, 5], model="m1")
        + given("blue", "tall", [4, ABSENT, ABSENT], model="m2"),
        tmp_path,
    )
    row = one(effects(rows, plan), model="all models")
    # Items' sums 3, 1, 1: of the 8 sign patterns only the two uniform ones reach 5.
    assert row["p_value"] == pytest.approx(2 / 8, abs=ROUNDING)
    assert "flipping" in row["method"]


def test_unpaired_items_are_welch_on_items(tmp_path: Path, plan: AnalysisPlan) -> None:
    red, blue = [7.0, 6.0, 9.0, 8.0], [5.0, 6.0, 5.0]
    rows = make(
        given("red", "tall", red, prefix="r") + given("blue", "tall", blue, prefix="b"), tmp_path
    )
    row = one(effects(rows, plan))
    reference = stats.ttest_ind(red, blue, equal_var=False)
    assert row["pairing"] == "unpaired"
    assert row["estimate"] == pytest.approx(np.mean(red) - np.mean(blue), abs=ROUNDING)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert row["df"] == pytest.approx(reference.df, rel=SAME_FORMULA)
    # d_av: variances 5/3 and 1/3, root of their mean 1
    assert row["d"] == pytest.approx(row["estimate"], abs=ROUNDING)
    assert (row["n"], row["n_items"], row["n_items_guise"], row["n_items_reference"]) == (
        7,
        7,
        4,
        3,
    )
    assert row["status"] == "ok"
    assert row["verdict"] == "different"


def test_pooled_unpaired_items_are_means_over_centred_models(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    # m2 scores two points higher throughout and lacks red's r2: without centring, r1 would look
    # better than r2 for no reason of its own.
    rows = make(
        given("red", "tall", [4, 4, 7], prefix="r", model="m1")
        + given("blue", "tall", [3, 3, 3], prefix="b", model="m1")
        + given("red", "tall", [6, None, 9], prefix="r", model="m2")
        + given("blue", "tall", [5, 5, 5], prefix="b", model="m2"),
        tmp_path,
    )
    row = one(effects(rows, plan), model="all models")
    # Levels: m1 (5 + 3) / 2 = 4, m2 (7.5 + 5) / 2 = 6.25, mean 5.125; shifts -1.125 and +1.125.
    # Red: r1 (5.125 + 4.875) / 2 = 5, r2 5.125, r3 (8.125 + 7.875) / 2 = 8; blue: 4 throughout.
    red = [5.0, 5.125, 8.0]
    assert row["mean_guise"] == pytest.approx(np.mean(red), abs=ROUNDING)
    assert row["mean_reference"] == pytest.approx(4.0, abs=ROUNDING)
    assert row["estimate"] == pytest.approx(np.mean(red) - 4, abs=ROUNDING)
    assert row["se"] == pytest.approx(np.std(red, ddof=1) / sqrt(3), abs=ROUNDING)
    assert (row["n"], row["n_missing_malformed"], row["n_unpaired"]) == (11, 1, 0)
    assert "model-centred" in row["method"]


def test_a_model_without_a_guise_is_counted_out(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [4, 5, 7], prefix="r", model="m1")
        + given("blue", "tall", [3, 4, 3], prefix="b", model="m1")
        + given("red", "tall", [6, 5], prefix="r", model="m2")
        + given("blue", "short", [6, 5], prefix="b", model="m2"),
        tmp_path,
    )
    pooled, alone = (
        one(effects(rows, plan), model=model, persona="tall") for model in ("all models", "m1")
    )
    assert pooled["estimate"] == pytest.approx(alone["estimate"], abs=ROUNDING)
    assert (pooled["n"], pooled["n_unpaired"], alone["n_unpaired"]) == (6, 2, 0)


@pytest.mark.parametrize("prefixes", [("i", "i"), ("r", "b")])
def test_swapping_guises_flips_every_sign_exactly(
    prefixes: tuple[str, str], tmp_path: Path, plan: AnalysisPlan
) -> None:
    rng = np.random.default_rng(1)
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for guise, prefix in zip(("red", "blue"), prefixes, strict=True)
            for row in given(
                guise, "tall", [*rng.uniform(1, 10, 7), None], prefix=prefix, model=model
            )
        ],
        tmp_path,
    )
    swapped = replace(plan, contrasts=(Contrast("blue - red", "blue", "red"),))
    for (_, a), (_, b) in zip(
        effects(rows, plan).iterrows(), effects(rows, swapped).iterrows(), strict=True
    ):
        assert a["status"] == "ok"
        for name in FLIPPED:
            assert a[name] == -b[name]
        for name in KEPT:
            assert a[name] == b[name]
        assert (a["low"], a["high"]) == (-b["high"], -b["low"])
        assert a["mean_guise"] == b["mean_reference"]


def test_every_lost_response_is_counted(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [2, 3, None, 1, ABSENT, 4])
        + given("blue", "tall", [3, 5, 4, "refusal", 2, "error"]),
        tmp_path,
    )
    row = one(effects(rows, plan))
    assert (row["n"], row["n_unpaired"]) == (2, 1)
    assert row[["n_missing_malformed", "n_missing_refusal", "n_missing_error"]].tolist() == [1] * 3
    assert (row["mean_guise"], row["mean_reference"]) == (2.5, 4.0)


@pytest.mark.parametrize("prefix", ["i", "b"])
def test_nothing_but_missing_is_not_estimable(
    prefix: str, tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = make(
        given("red", "tall", [None, None]) + given("blue", "tall", [3, 5], prefix=prefix), tmp_path
    )
    row = one(effects(rows, plan))
    numbers = ["estimate", "low", "high", "p_value", "p_adjusted", "d", "mean_guise", "mde"]
    assert row[numbers].isna().all()
    assert row["status"] == row["verdict"] == "not_estimable"
    assert row["reason"]
    assert row["n_missing_malformed"] == 2


def test_equal_differences_are_not_estimable_but_shown(tmp_path: Path, plan: AnalysisPlan) -> None:
    row = one(
        effects(make(given("red", "tall", [5, 6]) + given("blue", "tall", [4, 5]), tmp_path), plan)
    )
    assert (row["estimate"], row["status"]) == (1.0, "not_estimable")
    assert "do not differ" in row["reason"]


def test_families_of_tests(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for condition in ("full", "title")
            for persona in ("tall", "short", "north", "anyone")
            for guise, values in (("red", [1, 2, 4]), ("blue", [2, 4, 5]))
            for row in given(guise, persona, values, model=model, condition=condition)
        ],
        tmp_path,
    )
    frame = effects(rows, plan)
    sizes = frame.groupby(["persona_family", frame["model"].eq("all models")])["family_size"]
    assert sizes.unique().map(list).to_dict() == {
        ("anyone", True): [2],  # conditions
        ("anyone", False): [4],  # conditions and models
        ("place", True): [2],
        ("place", False): [4],
        ("size", True): [4],  # personas and conditions
        ("size", False): [8],
    }
    assert frame["family"].nunique() == 6
    assert frame["persona"].unique().tolist() == ["anyone", "tall", "short", "north"]
    size = frame.loc[frame["persona_family"] == "size"]
    expected = (size["p_value"] * size["family_size"]).clip(upper=1)
    # Holm on equal p-values is Bonferroni
    assert size["p_adjusted"].tolist() == pytest.approx(expected.tolist(), abs=ROUNDING)


@pytest.mark.parametrize("prefixes", [("i", "i"), ("r", "b")])
def test_wordings_that_failed_validation_are_left_out_of_validated(
    prefixes: tuple[str, str], tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = given("red", "tall", [9, 3, 2, 4], prefix=prefixes[0])
    rows += given("blue", "tall", [3, 5, 3, 4], prefix=prefixes[1])
    rows[0]["valid_pair"] = False
    frame = effects(make(rows, tmp_path), plan)
    assert frame["subset"].tolist() == ["all", "validated"]
    assert frame["family"].nunique() == 2
    everything, validated = frame["mean_guise"]
    assert (everything, validated) == (4.5, 3.0)
    assert frame["n_items_guise"].tolist() == [4, 3]
    assert frame["n_items_reference"].tolist() == ([4, 3] if prefixes[0] == "i" else [4, 4])


def test_answer_distributions_are_named(tmp_path: Path, plan: AnalysisPlan) -> None:
    spread = {"answers": ("1", "2"), "probabilities": (0.5, 0.5)}
    rows = given("red", "tall", [1.5, 1.5], **spread) + given("blue", "tall", [1, 2], **spread)
    assert one(effects(make(rows, tmp_path), plan))["measure"] == "expected score"
    del rows[0]["answers"], rows[0]["probabilities"]
    assert one(effects(make(rows, tmp_path), plan))["measure"] == "expected score or score given"
