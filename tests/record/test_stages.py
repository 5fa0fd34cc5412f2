from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.jobs import Job
from isogloss.record.stages import stages_of_jobs

PROJECT = Path("/project")


def _job(rule: str, inputs: list[str], outputs: list[str], **wildcards: str) -> Job:
    return Job(
        rule_name=rule, wildcards=wildcards, input=inputs, output=outputs, shellcmd=f" run {rule}\n"
    )


def test_one_stage_per_job_in_the_order_of_the_chain() -> None:
    jobs = [
        _job("all", ["z/out", "dvc.lock"], []),
        _job("record", ["z/out"], ["dvc.yaml", "dvc.lock"]),
        _job("last", ["a/folder/file", "a/two"], ["z/out"]),
        _job("zeroth", ["source"], ["a/two", "a/folder"]),
        _job("also", ["source", "source"], ["b/out"]),
    ]
    stages = stages_of_jobs(jobs, PROJECT)
    assert [stage.name for stage in stages] == ["also", "zeroth", "last"]
    assert stages[0].deps == ("source",)
    assert stages[1].outs == ("a/folder", "a/two")
    assert stages[1].command == "run zeroth"
    assert stages_of_jobs(reversed(jobs), PROJECT) == stages


def test_names_are_legal_for_dvc_and_unique() -> None:
    jobs = [
        _job("score", [], ["x"], study="hedging", model="org/model-1.5"),
        _job("fetch", [], ["y"], name="a.b"),
        _job("fetch", [], ["z"], name="a b"),
    ]
    names = [stage.name for stage in stages_of_jobs(jobs, PROJECT)]
    assert names[-1] == "score-hedging-org-model-1-5"
    assert len(set(names)) == 3
    assert all(name.startswith("fetch-a-b-") for name in names[:2])


def test_path_inside_the_project_may_be_absolute() -> None:
    [stage] = stages_of_jobs([_job("fetch", ["/project/in"], ["./out"])], PROJECT)
    assert (stage.deps, stage.outs) == (("in",), ("out",))


@pytest.mark.parametrize("path", ["../shared/file", "/elsewhere/file"])
def test_path_outside_the_project_is_refused(path: str) -> None:
    with pytest.raises(RecordError, match=f"rule fetch names {path}"):
        stages_of_jobs([_job("fetch", [path], ["out"])], PROJECT)


def test_rule_without_shell_command_is_refused() -> None:
    job = Job(rule_name="plot", input=[], output=["out"], shellcmd=None)
    with pytest.raises(RecordError, match="rule plot has no shell command"):
        stages_of_jobs([job], PROJECT)
