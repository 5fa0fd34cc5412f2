from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.analysis.personas.frames import given, make, one

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.interaction import interaction, interaction_means
from isogloss.analysis.plan import AnalysisPlan, CrossedFamily

SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""
PLACES = ("north", "east", "south")


def crossed(differences: dict[str, list[float]], **common: str) -> list[dict[str, object]]:
    """Rows in which tall leads short by these differences, item by item."""
    return [
        row
        for place, values in differences.items()
        for persona, scores in (
            (f"{place}, tall", [5.0 + v for v in values]),
            (f"{place}, short", [5.0 for _ in values]),
        )
        for row in given("red", persona, list(scores), **common)
    ]


def test_kruskal_wallis_ranks_all_differences(tmp_path: Path, plan: AnalysisPlan) -> None:
    values = {"north": [1.0, 0, 2, 0], "east": [0.0, 0, 1, -1], "south": [-2.0, -1, 0, -1]}
    frame = interaction(blocks(make(crossed(values), tmp_path)), plan)
    row = one(frame, test="Kruskal-Wallis")
    reference = stats.kruskal(*values.values())
    assert row["statistic"] == pytest.approx(reference.statistic, rel=SAME_FORMULA)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert (row["df"], row["n"], row["n_groups"], row["difference"]) == (2, 12, 3, "tall - short")


def test_friedman_compares_the_groups_within_items(tmp_path: Path, plan: AnalysisPlan) -> None:
    values = {"north": [1.0, 0, 2, 3], "east": [0.0, -1, 1, 1], "south": [-2.0, -1, 0, 2]}
    frame = interaction(blocks(make(crossed(values), tmp_path)), plan)
    row = one(frame, test="Friedman")
    reference = stats.friedmanchisquare(*values.values())
    assert row["statistic"] == pytest.approx(reference.statistic, rel=SAME_FORMULA)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert (row["df"], row["n"]) == (2, 4)


def test_models_are_averaged_before_items_are_compared(tmp_path: Path, plan: AnalysisPlan) -> None:
    first = {"north": [1.0, 0, 2, 3], "east": [0.0, -1, 1, 1], "south": [-2.0, -1, 0, 2]}
    second = {"north": [0.0, 0, 0, 1], "east": [3.0, 1, 1, 1], "south": [2.0, -1, 1, 2]}
    rows = crossed(first, model="m1") + crossed(second, model="m2")
    frame = interaction(blocks(make(rows, tmp_path)), plan)
    pooled = frame.loc[frame["model"] == "all models"]
    means = [np.add(first[place], second[place]) / 2 for place in PLACES]
    friedman, kruskal = (one(pooled, test=name) for name in ("Friedman", "Kruskal-Wallis"))
    expected = stats.friedmanchisquare(*means).statistic
    assert friedman["statistic"] == pytest.approx(expected, rel=SAME_FORMULA)
    assert (friedman["n"], kruskal["n"]) == (4, 24)
    per_model = frame.loc[frame["model"] != "all models"]
    assert set(per_model["family_size"]) == {2}
    assert set(pooled["family_size"]) == {1}


def test_equal_differences_of_unequal_scores_tie(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = [
        row
        for place, low in zip(PLACES, (0.1, 0.3, 0.7), strict=True)
        for persona, value in ((f"{place}, tall", low + 0.2), (f"{place}, short", low))
        for row in given("red", persona, [value, value])
    ]
    frame = interaction(blocks(make(rows, tmp_path)), plan)
    assert set(frame["status"]) == {"not_estimable"}
    assert frame["p_value"].isna().all()
    assert frame["reason"].tolist() == ["all values are equal", "no block's values differ"]


def test_lost_differences_are_counted(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = crossed({"north": [1, 0, 2], "east": [0, 1, 1], "south": [2, 0, 1]})
    # north, tall of i1 refuses; north, short of i2 was never asked for.
    rows[0] = {**rows[0], "outcome": "refusal", "expected": None, "modal": None}
    del rows[4]
    split = blocks(make(rows, tmp_path))
    frame = interaction(split, plan)
    assert frame["n"].tolist() == [7, 1]
    assert frame["n_unpaired"].tolist() == [1, 1]
    assert frame["n_missing_refusal"].tolist() == [1, 1]
    means = interaction_means(split, plan)
    assert means["n"].tolist() == [1, 3, 3]
    assert means["n_unpaired"].tolist() == [1, 0, 0]


def test_a_group_that_nobody_scored_is_not_left_out_in_silence(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = crossed({"north": [1, 0, 2], "east": [0, 1, 1]}) + [
        row
        for persona in ("south, tall", "south, short")
        for row in given("red", persona, [None, None, None])
    ]
    frame = interaction(blocks(make(rows, tmp_path)), plan)
    assert set(frame["status"]) == {"not_estimable"}
    assert set(frame["n_groups"]) == {3}
    assert frame["n_missing_malformed"].tolist() == [3, 3]


def test_mean_difference_of_each_group(tmp_path: Path, plan: AnalysisPlan) -> None:
    values = {"north": [1.0, 0, 2, 0], "east": [0.0, 0, 1, -1], "south": [-2.0, -1, 0, -1]}
    frame = interaction_means(blocks(make(crossed(values), tmp_path)), plan)
    assert frame["outer"].tolist() == list(PLACES)
    assert frame["estimate"].tolist() == [0.75, 0.0, -1.0]
    assert frame["mean_first"].tolist() == [5.75, 5.0, 4.0]
    assert frame["mean_second"].tolist() == [5.0] * 3
    south = frame.iloc[2]
    reference = stats.ttest_1samp(values["south"], 0)
    assert south["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    interval = reference.confidence_interval()
    assert (south["low"], south["high"]) == pytest.approx((interval.low, interval.high))


def test_swapping_the_inner_personas_changes_signs_only(tmp_path: Path, plan: AnalysisPlan) -> None:
    values = {"north": [1.0, 0, 2, 0], "east": [0.0, 0.1, 1, -1], "south": [-2.0, -1, 0, -1]}
    split = blocks(make(crossed(values), tmp_path))
    design = plan.personas
    assert design is not None
    family = design.crossed[0]
    turned = CrossedFamily(family.name, family.outer, family.inner[::-1], family.cells)
    other = replace(plan, personas=replace(design, crossed=(turned,)))
    means = interaction_means(split, plan), interaction_means(split, other)
    assert means[0]["estimate"].tolist() == (-means[1]["estimate"]).tolist()
    assert means[0]["low"].tolist() == (-means[1]["high"]).tolist()
    tests = interaction(split, plan), interaction(split, other)
    columns = ["p_value", "p_adjusted", "n"]
    pd.testing.assert_frame_equal(tests[0][columns], tests[1][columns])
