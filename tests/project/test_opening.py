"""A configuration, sources and stimuli that do not fit each other open no project."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.project.conftest import CONFIG, Open

from isogloss.errors import ConfigurationError
from isogloss.project import Project, open_project, opening, used_sources


def test_an_association_test_needs_a_declared_set(open_with: Open, shipped: dict[str, Any]) -> None:
    shipped["weat"]["contrasts"]["agentic-communal"]["set"] = "recruitment/none"
    with pytest.raises(
        ConfigurationError, match=r"weat\.contrasts\.agentic-communal\.set: no item"
    ):
        open_with(shipped)


def test_sources_in_use_are_those_of_items_and_models(opened: Project) -> None:
    assert set(used_sources(opened)) == set(opened.sources)


def test_a_source_in_use_that_does_not_exist(open_with: Open, shipped: dict[str, Any]) -> None:
    shipped["models"]["phi-4"]["source"] = "hedging-interviews-phi4"
    with pytest.raises(ConfigurationError, match="did you mean 'hedging-interviews-phi-4'"):
        open_with(shipped)


def test_an_item_set_that_does_not_exist(open_with: Open, shipped: dict[str, Any]) -> None:
    shipped["studies"]["hedging"]["runs"][0]["items"] = "owned"
    with pytest.raises(
        ConfigurationError, match="studies: no item set 'hedging/owned' in data/stimuli"
    ):
        open_with(shipped)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sets": ["hedging/lent"]}, "stimuli.sets: no item set 'hedging/lent'"),
        (
            {"generate": {"x": {"set": "a/b", "reference": "c", "guise": "hedged"}}},
            "stimuli.generate.x.set: no item set 'a/b'",
        ),
        (
            {"generate": {"x": {"set": "hedging/own", "reference": "c", "guise": "loud"}}},
            "stimuli.generate.x.guise: no guise 'loud'",
        ),
        (
            {
                "generate": {
                    "x": {"set": "hedging/own", "reference": "c", "guise": "hedged", "by": "m"}
                }
            },
            "stimuli.generate.x.by: 'm' is neither rules nor a configured model",
        ),
        ({"judge": "m"}, "model 'm' is not configured"),
    ],
)
def test_what_stimuli_name_must_exist(
    open_with: Open, shipped: dict[str, Any], change: dict[str, Any], said: str
) -> None:
    shipped["stimuli"] = change
    with pytest.raises(ConfigurationError) as refusal:
        open_with(shipped)
    assert said in str(refusal.value)


def test_hateful_content_needs_leave_before_any_job(
    open_with: Open, shipped: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = opening.load_sources

    def one_is_hateful(path: Path) -> dict[str, Any]:
        sources = load(path)
        pin = sources["hedging-questions"].model_copy(update={"hateful": True})
        return {**sources, "hedging-questions": pin}

    monkeypatch.setattr(opening, "load_sources", one_is_hateful)
    with pytest.raises(ConfigurationError, match="hedging-questions contains hateful content"):
        open_with(shipped)
    shipped["allow_hateful_content"] = True
    assert open_with(shipped).config.allow_hateful_content


def test_the_configuration_may_stand_anywhere(project: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    shutil.copy(project / CONFIG, path)
    assert open_project(path, project).jobs() == open_project(CONFIG, project).jobs()


def test_the_root_is_the_working_directory_unless_given(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert open_project(CONFIG).root == project
