"""Declarations of item sets: those of the project, and faults in others."""

from pathlib import Path

import pytest
import yaml

from isogloss.errors import ConfigurationError, ItemError
from isogloss.guises.definition import GuiseDefinition, load_guises
from isogloss.stimuli.sets import DeclaredSet, load_sets, set_named

GOOD = {
    "title": "Colours",
    "file": "data/stimuli/colours/own.csv",
    "compare": [{"guise": "red", "reference": "blue", "definition": "hedged"}],
}


@pytest.fixture(scope="module")
def guises(project: Path) -> dict[str, GuiseDefinition]:
    """The project's guises."""
    return load_guises(project / "data" / "guises")


def declare(folder: Path, content: object, name: str = "own") -> Path:
    path = folder / "colours" / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def test_every_set_of_the_project_is_read_and_its_guises_exist(
    project: Path, guises: dict[str, GuiseDefinition]
) -> None:
    sets = load_sets(project / "data" / "stimuli")
    assert {"hedging/own", "hedging/styles", "dialect/own", "recruitment/gender"} < set(sets)
    for declared in sets.values():
        assert declared.comparisons(guises, {})
        if declared.content.file is not None:
            assert (project / declared.content.file).is_file(), declared.name


def test_a_comparison_is_named_after_its_columns_or_as_told(
    tmp_path: Path, guises: dict[str, GuiseDefinition]
) -> None:
    compare = [*GOOD["compare"], {"guise": "red"}, {"name": "third", "guise": "red"}]
    declare(tmp_path, {**GOOD, "compare": compare})
    found = load_sets(tmp_path)["colours/own"].comparisons(guises, {})
    assert [one.name for one in found] == ["red - blue", "red", "third"]
    assert found[0].definition is guises["hedged"]
    assert found[1].columns == ("red",)
    assert found[0].columns == ("blue", "red")


def test_a_sets_own_threshold_comes_before_the_general_one(
    tmp_path: Path, guises: dict[str, GuiseDefinition]
) -> None:
    compare = {**GOOD["compare"][0], "thresholds": {"min_similarity": 0.5}}
    declare(tmp_path, {**GOOD, "compare": [compare]})
    general = {"min_similarity": 0.9, "max_characters": 10}
    (found,) = load_sets(tmp_path)["colours/own"].comparisons(guises, general)
    assert (found.thresholds.min_similarity, found.thresholds.max_characters) == (0.5, 10)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"source": "x"}, "give either file or source"),
        ({"file": None}, "give either file or source"),
        ({"compare": []}, "compare"),
        ({"compare": [{"guise": "red"}, {"guise": "red"}]}, "have the same name"),
        ({"compare": [{"guise": "red", "counter": "status"}]}, "counter needs a reference"),
        ({"colour": "red"}, "colour"),
        ({"related": ["colours/lent"]}, "no set 'colours/lent'"),
    ],
)
def test_faults_name_the_file_and_the_field(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    path = declare(tmp_path, {**GOOD, **changes})
    with pytest.raises(ItemError) as refusal:
        load_sets(tmp_path)
    assert str(path) in str(refusal.value)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("compare", "said"),
    [
        ({"guise": "red", "definition": "shouted"}, "no guise 'shouted' in data/guises"),
        ({"guise": "red", "thresholds": {"min_smell": 1}}, "thresholds: min_smell"),
        ({"guise": "red", "thresholds": {"min_similarity": 2}}, "thresholds: min_similarity"),
    ],
)
def test_unknown_guises_and_thresholds_are_told(
    tmp_path: Path, guises: dict[str, GuiseDefinition], compare: dict[str, object], said: str
) -> None:
    declare(tmp_path, {**GOOD, "compare": [compare]})
    with pytest.raises(ItemError) as refusal:
        load_sets(tmp_path)["colours/own"].comparisons(guises, {})
    assert said in str(refusal.value)


def test_a_set_that_does_not_exist(tmp_path: Path) -> None:
    declare(tmp_path, GOOD)
    sets: dict[str, DeclaredSet] = load_sets(tmp_path)
    assert set_named(sets, "colours", "own").folder == "colours"
    with pytest.raises(ConfigurationError, match=r"no item set colours/lent .* colours/own"):
        set_named(sets, "colours", "lent")
