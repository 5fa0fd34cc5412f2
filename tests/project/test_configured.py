"""Jobs, settings and sources of a run."""

import json
from typing import Any, get_args

import pytest
from tests.project.conftest import LOCAL, Open

from isogloss.errors import ConfigurationError
from isogloss.project import Job, Project, Section

RECORDED = [
    "command-r-plus-4bit",
    "olmoe-1b-7b-instruct",
    "deepseek-r1-distill-qwen-1.5b",
    "llama-3.1-8b-instruct",
    "phi-4",
]


def test_jobs_are_the_runs_of_the_configuration_in_order(opened: Project) -> None:
    hedging = [Job("hedging", "own", LOCAL)]
    hedging += [Job("hedging", "published", model) for model in RECORDED]
    postings = [Job("recruitment", items, LOCAL) for items in ("gender", "exclusion")]
    assert opened.jobs() == hedging + postings
    assert opened.jobs("hedging") == hedging
    assert opened.jobs("colours") == []


def test_a_study_that_is_not_configured(opened: Project) -> None:
    for ask in (opened.study, opened.settings, opened.item_sets):
        with pytest.raises(ConfigurationError, match=r"'dialect' is not configured; .* hedging"):
            ask("dialect")


def test_each_section_is_a_parameter_of_its_own(open_with: Open, shipped: dict[str, Any]) -> None:
    before = open_with(shipped)
    shipped["studies"]["hedging"]["analysis"]["alpha"] = 0.01
    after = open_with(shipped)
    for section in get_args(Section):
        same = before.section("hedging", section) == after.section("hedging", section)
        assert same == (section != "analysis")
    assert json.loads(after.section("hedging", "analysis"))["alpha"] == 0.01


def test_parameters_are_canonical(open_with: Open, shipped: dict[str, Any]) -> None:
    before = open_with(shipped)
    scoring = shipped["studies"]["hedging"]["scoring"]
    shipped["studies"]["hedging"]["scoring"] = dict(reversed(scoring.items()))
    shipped["models"][LOCAL] = dict(reversed(shipped["models"][LOCAL].items()))
    after = open_with(shipped)
    assert before.section("hedging", "scoring") == after.section("hedging", "scoring")
    assert before.model_settings(LOCAL) == after.model_settings(LOCAL)


def test_parameters_name_what_they_stand_for(opened: Project) -> None:
    assert json.loads(opened.pin("hedging-questions"))["bytes"] == 29102
    assert json.loads(opened.model_settings("phi-4")) == {
        "backend": "recorded",
        "source": "hedging-interviews-phi-4",
    }
    assert "package" in json.loads(opened.encoder_settings())


def test_a_file_inside_a_wheel_keeps_its_own_name(opened: Project) -> None:
    assert opened.raw_path("smollm2-135m-instruct-q4_1") == (
        "data/raw/smollm2-135m-instruct-q4_1/SmolLM2-135M-Instruct.Q4_1.gguf"
    )
    with pytest.raises(ConfigurationError, match="no source 'nobody'"):
        opened.raw_path("nobody")
