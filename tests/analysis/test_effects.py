from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from typing import Any

import pandas as pd
import pytest
from scipy import stats

from isogloss.analysis.effects import effects
from isogloss.analysis.plan import AnalysisPlan
from isogloss.studies.base import Contrast

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
ROUNDING = 1e-12  # a few floating-point operations on numbers near 1
FLIPPED = ["estimate", "d_z"]
KEPT = ["p_value", "p_adjusted", "se", "equivalence_p", "mde", "n_pairs", "n_missing_malformed"]


def whole(frame: pd.DataFrame) -> pd.Series:
    """The one row about all items."""
    rows = frame.loc[(frame["subgroup"] == "") & (frame["subset"] == "all")]
    assert len(rows) == 1
    return rows.iloc[0]


def test_hand_computed_pairs(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(rated("red", [2, 3, 2, 4]) + rated("blue", [3, 5, 3, 4]))
    row = whole(effects(rows, plan))
    # differences -1, -2, -1, 0: mean -1, sd sqrt(2/3), se sqrt(2/3)/2
    se = sqrt(2 / 3) / 2
    assert row["estimate"] == pytest.approx(-1.0, abs=ROUNDING)
    assert row["se"] == pytest.approx(se, abs=ROUNDING)
    assert row["df"] == 3
    assert row["d_z"] == pytest.approx(-1 / sqrt(2 / 3), abs=ROUNDING)
    assert row["p_value"] == pytest.approx(2 * stats.t.cdf(-1 / se, 3), abs=ROUNDING)
    margin = stats.t.ppf(0.975, 3) * se
    assert (row["low"], row["high"]) == pytest.approx((-1 - margin, -1 + margin), abs=ROUNDING)
    assert (row["mean_guise"], row["mean_reference"]) == (2.75, 3.75)
    assert (row["n_pairs"], row["n_clusters"], row["family_size"]) == (4, 4, 1)
    assert row["equivalence_bound"] == 0.5
    assert row["equivalence_p"] == pytest.approx(stats.t.sf((0.5 - 1) / se, 3), abs=ROUNDING)


def test_one_pair_per_item_is_the_paired_t_test(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    red, blue = [2.5, 3.1, 2.2, 4.0, 3.3], [3.0, 3.0, 2.9, 4.4, 3.2]
    row = whole(effects(make(rated("red", red) + rated("blue", blue)), plan))
    reference = stats.ttest_rel(red, blue)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=1e-10)  # same formula in scipy


def test_repeated_items_count_once_as_clusters(make: Make, plan: AnalysisPlan) -> None:
    values = {("i1", 1): -1, ("i1", 2): -1, ("i2", 1): 0, ("i2", 2): 0, ("i3", 1): 1}
    rows = make(
        [
            {"item_id": i, "interview": k, "guise": g, "expected": e, "modal": "3"}
            for (i, k), difference in values.items()
            for g, e in (("red", 3.0 + difference), ("blue", 3.0))
        ]
    )
    row = whole(effects(rows, plan))
    # mean -0.2; cluster sums of deviations -1.6, 0.4, 1.2; se^2 = 3/2 * 4.16 / 25
    assert row["estimate"] == pytest.approx(-0.2, abs=ROUNDING)
    assert row["se"] == pytest.approx(sqrt(1.5 * 4.16 / 25), abs=ROUNDING)
    assert (row["n_pairs"], row["n_clusters"], row["df"]) == (5, 3, 2)


def test_swapping_guises_flips_every_sign_exactly(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    rows = make(rated("red", [2.1, 3.3, None, 4.2]) + rated("blue", [3.7, 5.0, 3.0, 4.1]))
    swapped = replace(plan, contrasts=(Contrast("blue - red", "blue", "red"),))
    one, other = whole(effects(rows, plan)), whole(effects(rows, swapped))
    for name in FLIPPED:
        assert one[name] == -other[name]
    for name in KEPT:
        assert one[name] == other[name]
    assert (one["low"], one["high"]) == (-other["high"], -other["low"])
    assert one["mean_guise"] == other["mean_reference"]


def test_missing_pairs_are_counted_by_outcome(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    refused = {"item_id": "i4", "guise": "blue", "outcome": "refusal"}
    rows = make([*rated("red", [2, 3, None, 1, 5]), *rated("blue", [3, 5, 4]), refused])
    row = whole(effects(rows, plan))
    assert (row["n_missing_malformed"], row["n_missing_refusal"]) == (1, 1)
    assert (row["n_missing_low_mass"], row["n_missing_error"], row["n_unpaired"]) == (0, 0, 1)
    assert row["n_pairs"] == 2
    assert (row["mean_guise"], row["mean_reference"]) == (2.5, 4.0)


def test_nothing_but_missing_is_not_estimable(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    row = whole(effects(make(rated("red", [None, None]) + rated("blue", [3, 5])), plan))
    numbers = ["estimate", "low", "high", "p_value", "p_adjusted", "d_z", "mean_guise", "mde"]
    assert row[numbers].isna().all()
    assert row["status"] == row["verdict"] == "not_estimable"
    assert row["reason"]
    assert (row["n_pairs"], row["n_missing_malformed"]) == (0, 2)


def test_models_and_conditions_share_a_family(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for condition in ("helped", "plain")
            for row in rated("red", [1, 2, 4], model=model, condition=condition)
            + rated("blue", [2, 4, 5], model=model, condition=condition)
        ]
    )
    frame = effects(rows, plan)
    models = frame.loc[frame["subgroup"] == ""]
    assert models["family"].nunique() == 1
    assert models["family_size"].tolist() == [4] * 4
    assert models["p_adjusted"].tolist() == pytest.approx(
        (models["p_value"] * 4).clip(upper=1).tolist(), abs=ROUNDING
    )  # Holm on four equal p-values is Bonferroni
    assert models["condition"].tolist() == ["plain", "helped"] * 2


def test_subgroups_of_one_model_form_their_own_family(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    rows = make(
        [
            {**row, "category": "A" if row["item_id"] in ("i1", "i2") else "B"}
            for row in rated("red", [1, 2, 4, 1]) + rated("blue", [2, 4, 5, 4])
        ]
    )
    groups = effects(rows, plan).iloc[1:]
    assert groups["subgroup"].tolist() == ["A", "B"]
    assert groups["estimate"].tolist() == [-1.5, -2.0]
    assert set(groups["family_size"]) == {2}
    assert groups["family"].nunique() == 1


def test_verdict_uses_the_adjusted_p_value(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    red, blue = [1.0, 1.4, 0.8, 1.5, 1.0, 1.1], [2.0, 1.3, 2.0, 1.9, 1.5, 1.9]
    alone = make(rated("red", red) + rated("blue", blue))
    single = whole(effects(alone, plan))
    assert single["p_value"] < 0.05
    assert single["verdict"] == "different"
    many = make(
        [
            row
            for number in range(40)
            for row in rated("red", red, model=f"m{number:02d}")
            + rated("blue", blue, model=f"m{number:02d}")
        ]
    )
    verdicts = effects(many, plan).query("subgroup == ''")["verdict"]
    assert set(verdicts) == {"inconclusive"}


def test_equal_differences_within_the_bound_are_shown_equivalent(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    red, blue = [3.0, 3.1, 2.9, 3.0, 3.1, 2.9], [3.1, 3.0, 3.0, 2.9, 3.0, 3.0]
    row = whole(effects(make(rated("red", red) + rated("blue", blue)), plan))
    assert row["verdict"] == "equivalent"


def test_no_rows_give_an_empty_table_with_columns(make: Make, plan: AnalysisPlan) -> None:
    frame = effects(make([]), plan)
    assert frame.empty
    assert {"estimate", "p_adjusted", "n_missing_error", "verdict"} <= set(frame.columns)
