"""Outputs that are younger than the end of their rule, in what Snakemake itself keeps."""

import os
import shutil
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.errors import RecordError
from isogloss.record.endings import changes_after_rules

pytestmark = pytest.mark.slow  # all need a run of a workflow


OUTPUTS = {
    "data/raw/toy/a.txt",
    "data/raw/toy/b.1.txt",
    "data/responses/toy/b.1.one",
    "data/results/toy/all.csv",
    "reports/_site",
}
LONG = f"data/results/{'x' * 240}.csv"
RULE = f"""\
rule long:
    output:
        "{LONG}",
    shell:
        "echo 1 > {{output}}"


rule site:
"""


def later(file: Path) -> None:
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))


def test_nothing_changed_after_a_run(project: Project) -> None:
    assert changes_after_rules(project.folder, OUTPUTS) == ()


def test_a_file_and_a_folder_with_a_younger_file_are_named(project: Project) -> None:
    later(project.path("data/responses/toy/b.1.one"))
    later(project.path("reports/_site/pages/1.html"))
    (project.path("reports/_site") / ".DS_Store").write_text("no file of the output")
    # The site's files are older than the folder's stamp, so a millisecond may not be enough.
    os.utime(project.path("reports/_site/pages/1.html"))
    file, folder = changes_after_rules(project.folder, OUTPUTS)
    assert (file.output, folder.output) == ("data/responses/toy/b.1.one", "reports/_site")
    assert file.note.startswith("younger than the end of the rule")
    assert folder.note.startswith("reports/_site/pages/1.html is younger than the end of the rule")


def test_an_output_that_snakemake_knows_nothing_of_is_named(project: Project) -> None:
    shutil.rmtree(project.path(".snakemake/metadata"))
    project.path("data/raw/toy/a.txt").unlink()
    found = changes_after_rules(project.folder, OUTPUTS)
    assert {change.output for change in found} == OUTPUTS - {"data/raw/toy/a.txt"}
    assert {"isogloss restore" in change.note for change in found} == {True}


def test_an_output_that_is_gone_or_older_is_not_named(project: Project) -> None:
    project.path("data/raw/toy/a.txt").unlink()
    os.utime(project.path("data/raw/toy/b.1.txt"), (0, 0))
    assert changes_after_rules(project.folder, OUTPUTS) == ()


def test_a_long_path_is_found(project: Project) -> None:
    project.edit("Snakefile", "TARGETS = [", f'TARGETS = ["{LONG}", ')
    project.edit("Snakefile", "rule site:\n", RULE)
    assert project.snakemake().returncode == 0
    assert changes_after_rules(project.folder, {LONG}) == ()
    later(project.path(LONG))
    assert [change.output for change in changes_after_rules(project.folder, {LONG})] == [LONG]
    assert changes_after_rules(project.folder, OUTPUTS) == ()  # as after another configuration


def test_what_cannot_be_read_is_named(project: Project) -> None:
    kept = next((project.folder / ".snakemake" / "metadata").iterdir())
    kept.write_text("{")
    with pytest.raises(RecordError, match=f"{kept.name}.*delete it"):
        changes_after_rules(project.folder, OUTPUTS)
