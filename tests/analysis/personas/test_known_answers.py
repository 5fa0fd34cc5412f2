"""Simulated studies whose answer is known, and the level of the tests when there is nothing."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from tests.analysis.personas.frames import one, simulated

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.gaps import persona_gaps
from isogloss.analysis.personas.increments import increments
from isogloss.analysis.personas.interaction import interaction, interaction_means
from isogloss.analysis.personas.language import language_effects
from isogloss.analysis.plan import AnalysisPlan

BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""
WITHIN = 4
"""Standard errors within which an estimate of known value must lie."""
MODELS = 4
ITEMS = 30


def study(
    rng: np.random.Generator, effect: dict[str, float], *, paired: bool, spread: float = 0.5
) -> pd.DataFrame:
    """Scores of several models, where red adds `effect[persona]` and each model has its level.

    Wordings, in each guise, and models' opinions of wordings have a standard deviation `spread`.
    """
    personas, guises = list(effect), ("red", "blue")
    wording = rng.normal(0, spread, (2, ITEMS, 1, 1))
    shared = rng.normal(0, 1, (1, ITEMS, 1, 1)) if paired else 0.0
    opinion = rng.normal(0, spread, (2, ITEMS, MODELS, 1))
    level = rng.normal(0, 1, (1, 1, MODELS, 1))
    added = np.stack([np.array(list(effect.values())), np.zeros(len(personas))])
    noise = rng.normal(0, 0.5, (2, ITEMS, MODELS, len(personas)))
    score = 5 + wording + shared + opinion + level + added[:, None, None, :] + noise
    index = pd.MultiIndex.from_product(
        [guises, range(ITEMS), range(MODELS), personas],
        names=["guise", "number", "model", "persona"],
    )
    frame = pd.DataFrame({"expected": score.ravel()}, index=index).reset_index()
    prefix = "i" if paired else frame["guise"]
    frame["item_id"] = prefix + frame["number"].astype(str)
    frame["model"] = "m" + frame["model"].astype(str)
    return simulated(frame.drop(columns="number"))


@pytest.mark.parametrize("paired", [True, False])
def test_known_effects_of_each_persona_are_found(paired: bool, plan: AnalysisPlan) -> None:
    effect = {"anyone": -0.4, "tall": -1.5, "short": 0.0}
    split = blocks(study(np.random.default_rng(11), effect, paired=paired))
    language = language_effects(split, plan)
    for persona, true in effect.items():
        row = one(language, model="all models", persona=persona)
        assert abs(row["estimate"] - true) < WITHIN * row["se"]
        assert row["se"] < 0.3
    over = increments(split, plan)
    for kind, persona, true in (
        ("unspecified", "tall", -1.1),
        ("unspecified", "short", 0.4),
        ("reference", "tall", -1.5),
    ):
        row = one(over, model="all models", baseline_kind=kind, persona=persona)
        assert abs(row["estimate"] - true) < WITHIN * row["se"]
        # What wordings have in common for both personas is gone from the increment
        assert row["se"] < 0.15
    assert one(over, model="all models", baseline_kind="reference")["p_adjusted"] < 1e-6
    gaps = persona_gaps(split, plan)
    for guise, true in (("red", -1.5), ("blue", 0.0)):
        row = one(gaps, model="all models", guise=guise)
        assert abs(row["estimate"] - true) < WITHIN * row["se"]


def test_significant_for_one_persona_and_not_the_other_is_no_increment(plan: AnalysisPlan) -> None:
    effect = {"tall": -0.45, "short": -0.25}
    split = blocks(study(np.random.default_rng(5), effect, paired=True))
    language = language_effects(split, plan)
    tall, short = (one(language, model="all models", persona=p) for p in ("tall", "short"))
    assert tall["p_adjusted"] < 0.05 < short["p_adjusted"]
    row = one(increments(split, plan), model="all models", baseline_kind="reference")
    assert row["verdict"] != "different"
    assert row["estimate"] == pytest.approx(tall["estimate"] - short["estimate"])


def interacting(
    rng: np.random.Generator, lead: dict[str, float], shared: float = 0.0
) -> pd.DataFrame:
    """Scores in red in which tall leads short by `lead[place]`, on items that differ widely.

    To the lead an item adds the same in every place, with standard deviation `shared`.
    """
    rows = [
        (f"m{model}", f"i{item}", "red", f"{place}, {size}", score)
        for item in range(ITEMS)
        for of_item, own in [rng.normal(0, [1, shared])]
        for model in range(MODELS)
        for place, ahead in lead.items()
        for size in ("tall", "short")
        for score in [5 + of_item + (ahead + own) * (size == "tall") + rng.normal(0, 0.5)]
    ]
    columns = ["model", "item_id", "guise", "persona", "expected"]
    return simulated(pd.DataFrame(rows, columns=columns))


def test_a_known_interaction_is_found(plan: AnalysisPlan) -> None:
    lead = {"north": 0.0, "east": 0.0, "south": 0.8}
    split = blocks(interacting(np.random.default_rng(2), lead))
    pooled = interaction(split, plan).loc[lambda frame: frame["model"] == "all models"]
    assert (pooled["p_adjusted"] < 1e-6).all()
    means = interaction_means(split, plan).loc[lambda frame: frame["model"] == "all models"]
    for place, true in lead.items():
        row = one(means, outer=place)
        assert row["low"] - 0.1 < true < row["high"] + 0.1


def rejections(plan: AnalysisPlan, draws: int, *, paired: bool) -> dict[str, float]:
    """Share of studies without any effect in which each comparison of all models rejects."""
    rng, found = np.random.default_rng(17), {"language": 0, "increment": 0, "gap": 0}
    narrow = replace(plan, power=0.8)
    for _ in range(draws):
        split = blocks(study(rng, {"tall": 0.0, "short": 0.0}, paired=paired))[:1]
        effects = one(language_effects(split, narrow), persona="tall")
        found["language"] += effects["p_value"] < 0.05
        found["increment"] += one(increments(split, narrow))["p_value"] < 0.05
        found["gap"] += one(persona_gaps(split, narrow), guise="red")["p_value"] < 0.05
    return {name: count / draws for name, count in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
def test_nothing_is_found_in_one_study_of_twenty(paired: bool, plan: AnalysisPlan) -> None:
    draws = 600
    for name, rate in rejections(plan, draws, paired=paired).items():
        assert abs(rate - 0.05) < BINOMIAL * sqrt(0.05 * 0.95 / draws), name


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_the_interaction_tests_hold_their_level(shared: float, plan: AnalysisPlan) -> None:
    rng, draws, found = np.random.default_rng(23), 300, {"Kruskal-Wallis": 0, "Friedman": 0}
    for _ in range(draws):
        lead = {"north": 0.3, "east": 0.3, "south": 0.3}
        split = blocks(interacting(rng, lead, shared))[:1]
        for name, p_value in interaction(split, plan)[["test", "p_value"]].to_numpy():
            found[name] += p_value < 0.05
    margin = BINOMIAL * sqrt(0.05 * 0.95 / draws)
    assert abs(found["Friedman"] / draws - 0.05) < margin
    # What items add to every place hides differences from a test that takes places as independent.
    kruskal = found["Kruskal-Wallis"] / draws
    assert kruskal < 0.02 if shared else abs(kruskal - 0.05) < margin
