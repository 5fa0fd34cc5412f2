import json

import pytest

from isogloss.errors import RecordError
from isogloss.record.jobs import Job
from isogloss.record.workflow import read_jobs, workflow_stages


def test_jobs_are_read_from_lines() -> None:
    fields = {
        "rule_name": "score",
        "wildcards": {"name": "a"},
        "input": ["in"],
        "output": ["out"],
        "shellcmd": "x",
    }
    [job] = read_jobs(json.dumps(fields) + "\n")
    assert job == Job(**fields)
    assert (job.rule, job.wildcards["name"], job.command) == ("score", "a", "x")


def test_configuration_decides_which_stages_there_are(project) -> None:
    project.edit("Snakefile", '["a", "b.1"]', 'config["names"]')
    stages = workflow_stages(project.folder, ("--config", "names=[a]"))
    assert [stage.name for stage in stages] == [
        "fetch-a",
        "list_code",
        "score-a",
        "analysis",
        "site",
    ]


@pytest.mark.parametrize("quiet", ["all", "[rules, progress]"])
def test_quiet_profile_hides_no_stage(project, quiet: str) -> None:
    profile = project.path("profiles/default/config.yaml")
    profile.write_text(f"{profile.read_text()}quiet: {quiet}\n")
    assert len(workflow_stages(project.folder)) == 7


def test_broken_workflow_is_an_error_with_its_reason(project) -> None:
    project.edit("Snakefile", "rule fetch:", "rule fetch")
    with pytest.raises(RecordError, match=r"(?s)cannot list the jobs.*Snakefile"):
        workflow_stages(project.folder)
