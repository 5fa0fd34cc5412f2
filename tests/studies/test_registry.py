"""Every study in the registry declares what the stages ask of it."""

from pathlib import Path

import pytest

from isogloss.config import StudySettings
from isogloss.errors import ConfigurationError
from isogloss.fetch import load_sources
from isogloss.project import Section
from isogloss.studies.base import Study
from isogloss.studies.registry import STUDIES

EVERY = pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)


def test_studies_are_found_by_their_own_name() -> None:
    assert STUDIES
    assert all(study.name == name for name, study in STUDIES.items())


@EVERY
def test_its_files_and_sources_exist(study: Study, project: Path) -> None:
    sources = load_sources(project / "data" / "sources.yaml")
    for name, item_set in study.item_sets.items():
        assert (project / "data" / "stimuli" / study.name / f"{name}.yaml").is_file()
        assert all((project / file).is_file() for file in item_set.files)
        assert set(item_set.sources) <= set(sources)


@EVERY
def test_its_settings_are_grouped_by_stage(study: Study) -> None:
    assert issubclass(study.settings_model, StudySettings)
    assert set(Section.__args__) <= set(study.settings_model.model_fields)


@EVERY
def test_its_contrasts_have_names_of_their_own(study: Study) -> None:
    names = [contrast.name for contrast in study.contrasts]
    assert len(set(names)) == len(names) > 0
    for contrast in study.contrasts:
        assert contrast.name == f"{contrast.guise} - {contrast.reference}"
        assert contrast.guise != contrast.reference


@EVERY
def test_an_item_set_that_it_does_not_have(study: Study) -> None:
    for name in study.item_sets:
        assert study.item_set(name) is study.item_sets[name]
    with pytest.raises(ConfigurationError, match=f"study {study.name} has no item set 'lent'"):
        study.item_set("lent")
