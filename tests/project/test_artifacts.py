"""The workflow asks for whatever any of its rules writes, and for nothing more."""

from pathlib import Path

import pytest

from isogloss.project import open_project
from isogloss.record.workflow import workflow_jobs

REPORT = {"reports/_generated", "reports/_variables.yml", "reports/_site"}
RECORD = {"data/code.sha256", "dvc.yaml", "dvc.lock"}


@pytest.mark.parametrize("config", ["config/config.yaml", "config/paper.yaml"])
def test_artifacts_are_what_the_jobs_write_for_each_other(project: Path, config: str) -> None:
    jobs = workflow_jobs(project, ("--config", f"file={config}"))
    paths = open_project(Path(config), project).artifacts()
    assert len(paths) == len(set(paths))
    assert {out for job in jobs for out in job.outputs} == {*paths, *REPORT, *RECORD}
    read = {path for job in jobs if job.outputs for path in job.inputs}
    unread = [job for job in jobs if job.outputs and not read & {*job.outputs}]
    assert [job.rule for job in unread] == ["record"]
