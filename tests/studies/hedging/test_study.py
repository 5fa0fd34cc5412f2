"""What the study declares to the stages."""

from pathlib import Path
from typing import Any

from isogloss.score.parse import DECISIONS
from isogloss.stimuli.sets import load_sets
from isogloss.studies.hedging.settings import AnalysisSettings, HedgingSettings, ScoringSettings
from isogloss.studies.hedging.study import ACCENT, HEDGED, Hedging


def settings(**sections: Any) -> HedgingSettings:
    runs = [{"items": "own", "models": ["m"]}]
    return HedgingSettings.model_validate({"runs": runs, **sections})


def test_a_lower_rating_of_hedged_answers_is_a_negative_effect() -> None:
    assert (HEDGED.guise, HEDGED.reference) == ("hedged", "confident")
    assert (ACCENT.guise, ACCENT.reference) == ("accent", "confident")
    assert Hedging.contrasts == (HEDGED, ACCENT)


def test_its_declared_sets_compare_what_it_compares(project: Path) -> None:
    sets = load_sets(project / "data" / "stimuli")
    named = {
        name: [one.called for one in sets[f"hedging/{name}"].content.compare]
        for name in Hedging.item_sets
    }
    assert named == {"own": [HEDGED.name, ACCENT.name], "published": [HEDGED.name]}


def test_the_plan_follows_the_settings() -> None:
    given = settings(
        scoring=ScoringSettings(conditions=("antibias", "baseline")),
        analysis=AnalysisSettings(
            alpha=0.01, smallest_effect=0.25, bootstrap_draws=500, threshold=3.5
        ),
    )
    plan = Hedging().plan(given, 11)
    assert plan.contrasts == (HEDGED, ACCENT)
    assert plan.conditions == ("antibias", "baseline")
    assert plan.baseline == "baseline"
    assert (plan.alpha, plan.smallest_effect, plan.draws) == (0.01, 0.25, 500)
    assert (plan.threshold, plan.seed) == (3.5, 11)


def test_decisions_are_ordered_from_worst_to_best() -> None:
    plan = Hedging().plan(settings(), 1)
    assert plan.decisions == ("do not advance", "advance with reservations", "advance")
    assert set(plan.decisions) == set(DECISIONS)


def test_ratings_have_an_ordinal_and_a_gaussian_mixed_model() -> None:
    ordinal, gaussian = Hedging().mixed_models(settings())
    assert (ordinal.family, ordinal.value) == ("ordinal", "modal")
    assert (gaussian.family, gaussian.value, gaussian.reml) == ("gaussian", "expected", True)
    for model in (ordinal, gaussian):
        assert model.several == "rating ~ guise * model + (1 | item)"
        assert model.single == "rating ~ guise + (1 | item)"
        assert model.modes == ("direct", "recorded")
