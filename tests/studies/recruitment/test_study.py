"""The study declares a plan and models that fit its rows, and turns bad settings down."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from isogloss.errors import ResponseError
from isogloss.postings.personas import GENDER, RACE, crossed
from isogloss.studies.base import ItemTable, Origin
from isogloss.studies.recruitment.respond import personas_of
from isogloss.studies.recruitment.settings import RecruitmentSettings
from isogloss.studies.recruitment.study import Recruitment

RUNS = [{"items": "gender", "models": ["m"]}]
STUDY = Recruitment()


def settings(**more: object) -> RecruitmentSettings:
    return RecruitmentSettings.model_validate({"runs": RUNS, **more})


def test_the_plan_knows_every_persona_that_is_asked_about() -> None:
    plan = STUDY.plan(settings(), 5)
    assert plan.personas is not None
    design = plan.personas
    known = {design.unspecified}
    known |= {name for family in design.families for name in family.personas}
    known |= {persona for family in design.crossed for _, _, persona in family.cells}
    asked = {p.name for c in STUDY.contrasts for p in personas_of(c, crossed_too=True)}
    assert known == asked
    assert all(family.reference in family.personas for family in design.families)
    assert plan.scale == tuple(range(1, 11))
    assert plan.design == STUDY.design == "personas"
    assert plan.rated_tasks == ("recruiter", "job_seeker")


def test_crossed_cells_name_their_persona() -> None:
    plan = STUDY.plan(settings(), 5)
    assert plan.personas is not None
    (family,) = plan.personas.crossed
    assert ("hispanic", "female", "hispanic, female") in family.cells
    assert len(family.cells) == len(crossed([RACE, GENDER]))
    assert family.inner == ("female", "male")


def test_mixed_models_are_by_persona() -> None:
    models = STUDY.mixed_models(settings())
    assert {(m.family, m.value, m.by) for m in models} == {
        ("ordinal", "modal", "persona"),
        ("gaussian", "expected", "persona"),
    }


def test_recorded_responses_are_turned_down(gender: ItemTable, tmp_path: Path) -> None:
    with pytest.raises(ResponseError, match="recruitment replays no recorded responses; give m"):
        STUDY.replay(gender, tmp_path / "r.csv", Origin("m", 1))


@pytest.mark.parametrize(
    ("scoring", "fault"),
    [
        ({"roles": []}, "roles"),
        ({"roles": ["recruiter", "recruiter"]}, "roles"),
        ({"roles": ["judge"]}, "roles"),
        ({"roles": ["recruiter"]}, "job_seeker is used under ablations"),
        ({"ablations": {"conditions": ["full"]}}, "conditions"),
        ({"generated": {"items": -1}}, "items"),
        ({"min_answer_mass": 1.5}, "min_answer_mass"),
        ({"rolls": 1}, "rolls"),
    ],
)
def test_bad_settings_are_named(scoring: dict[str, object], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        settings(scoring=scoring)
