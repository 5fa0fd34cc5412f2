from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.errors import ConfigurationError
from isogloss.record.checks.sources import SourcesCheck

RAW = "data/raw/ratings/ratings.csv"


def test_fetched_files_are_the_pinned_ones(recorded_chain: Project) -> None:
    outcome = SourcesCheck().run(recorded_chain.folder)
    assert (outcome.status, outcome.covered) == ("verified", 1)


def test_a_pin_with_another_size_is_named(chain: Project) -> None:
    size = chain.path(RAW).stat().st_size
    chain.edit("data/sources.yaml", f"bytes: {size}", f"bytes: {size + 1}")
    [finding] = SourcesCheck().run(chain.folder).findings
    assert (finding.kind, finding.path) == ("source", RAW)
    assert (finding.recorded_size, finding.found_size) == (size + 1, size)


def test_a_pin_of_another_file_is_named(chain: Project) -> None:
    chain.edit("data/sources.yaml", "published/ratings.csv", "published/other.csv")
    [finding] = SourcesCheck().run(chain.folder).findings
    assert "pins the file published/other.csv" in finding.note


def test_a_source_that_is_not_here_could_not_be_checked(chain: Project) -> None:
    chain.path(RAW).unlink()
    outcome = SourcesCheck().run(chain.folder)
    assert (outcome.status, outcome.covered) == ("not_checked", 0)
    assert RAW in outcome.not_checked[0]


def test_without_pins_nothing_can_be_checked(chain: Project) -> None:
    chain.path("data/sources.yaml").unlink()
    with pytest.raises(ConfigurationError, match=r"sources\.yaml: no such file"):
        SourcesCheck().run(chain.folder)


def test_a_record_without_sources_needs_no_pins(tmp_path: Path) -> None:
    (tmp_path / "dvc.lock").write_text("schema: '2.0'\nstages:\n  a:\n    cmd: b\n")
    assert SourcesCheck().run(tmp_path).status == "verified"
