"""Tests of isogloss.crate.identifier."""

import uuid

from tests.record.conftest import Project

from isogloss.crate.identifier import identifier_of_files, recorded_identifier, run_identifier
from isogloss.record.lock import Lock, read_lock

FILES = {"data/results/b.csv": "1" * 32, "data/results/a.csv": "2" * 32}


def test_the_identifier_is_the_one_that_its_definition_gives() -> None:
    """Computed here from the sentence in the documentation; a change would orphan packages."""
    space = uuid.uuid5(uuid.NAMESPACE_URL, "urn:isogloss:run")
    text = f'{{"data/results/a.csv":"{"2" * 32}","data/results/b.csv":"{"1" * 32}"}}'
    assert run_identifier(FILES) == f"urn:uuid:{uuid.uuid5(space, text)}"


def test_every_byte_of_a_result_counts_and_the_form_of_the_report_does_not() -> None:
    assert run_identifier(FILES | {"reports/a.qmd": "3" * 32}) == run_identifier(FILES)
    assert run_identifier(FILES | {"data/results/b.csv": "3" * 32}) != run_identifier(FILES)
    assert run_identifier({"data/results/a.csv": "2" * 32}) != run_identifier(FILES)


def test_the_report_and_the_record_come_to_the_same_identifier(recorded: Project) -> None:
    read = [
        "data/results/toy/counts.csv",
        "data/raw/closed/items.csv",
        "reports/index.qmd",
        "data/sources.yaml",
    ]
    lock = read_lock(recorded.path("dvc.lock"))
    assert identifier_of_files(recorded.folder, read) == recorded_identifier(lock)
    assert identifier_of_files(recorded.folder, read[:1]) != recorded_identifier(lock)


def test_a_directory_counts_as_dvc_hashes_it(recorded: Project) -> None:
    lock = read_lock(recorded.path("dvc.lock"))
    folder = "data/results/toy/empty dir"
    (md5,) = (out.md5 for out in lock.artifacts if out.path == folder)
    assert identifier_of_files(recorded.folder, [folder]) == run_identifier({folder: md5})


def test_a_run_without_a_report_has_the_identifier_of_its_artifacts(recorded: Project) -> None:
    lock = read_lock(recorded.path("dvc.lock"))
    kept = {name: stage for name, stage in lock.stages.items() if name != "report"}
    bare = Lock(schema="2.0", stages=kept)
    assert recorded_identifier(bare) == run_identifier({o.path: o.md5 for o in bare.artifacts})
