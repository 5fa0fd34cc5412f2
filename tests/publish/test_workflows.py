"""The GitHub workflows: pinned, with few rights, and with commands that exist.

actionlint checks the rest where it is installed.
"""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import PROJECT

FOLDER = PROJECT / ".github" / "workflows"
NAMES = sorted(path.name for path in FOLDER.glob("*.yml"))
PINNED = re.compile(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
HARMLESS = {"github.ref", "!cancelled()", "steps.deployment.outputs.page_url"}


def read(name: str) -> dict[Any, Any]:
    content = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    # YAML 1.1 takes the bare word `on` for true.
    content["on"] = content.pop(True)
    return content


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in read(name)["jobs"].values() for step in job["steps"]]


def test_there_is_one_that_checks_and_one_that_publishes() -> None:
    assert NAMES == ["ci.yml", "pages.yml"]


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_githubs_own_and_pinned_by_commit(name: str) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    used = [line.partition("uses:")[2].strip() for line in lines if "uses:" in line]
    assert len(used) == sum("uses" in step for step in steps(name))
    assert [one for one in used if not PINNED.fullmatch(one)] == []


@pytest.mark.parametrize("name", NAMES)
def test_rights_are_few_and_jobs_end(name: str) -> None:
    workflow = read(name)
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in workflow["on"]
    for job, content in workflow["jobs"].items():
        assert 0 < content["timeout-minutes"] <= 90, job
        rights = content.get("permissions", {})
        assert rights in ({}, {"pages": "write", "id-token": "write"}), job
        assert bool(rights) == (job == "deploy"), job
    for step in steps(name):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_others_write_gets_into_a_command(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert set(EXPRESSION.findall(text)) <= HARMLESS
    assert [step for step in steps(name) if EXPRESSION.search(step.get("run", ""))] == []


@pytest.mark.parametrize("name", NAMES)
def test_commands_are_those_of_the_project(name: str, project: Path) -> None:
    makefile = (project / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)) | {".venv/.installed"}
    runs = "\n".join(step["run"] for step in steps(name) if "run" in step)
    assert set(re.findall(r"\bmake (\S+)", runs)) <= targets
    for script in re.findall(r"\bbash (\S+)", runs):
        assert (project / script).is_file()


def test_pages_are_handed_over_only_after_they_were_verified_and_checked() -> None:
    build = read("pages.yml")["jobs"]["build"]["steps"]
    order = [step.get("run", step.get("uses", "")) for step in build]
    verified, checked = order.index("make verify"), order.index("make publish-check")
    handed = next(n for n, one in enumerate(order) if one.startswith("actions/upload-pages-"))
    assert verified < checked < handed
    assert build[handed]["with"]["path"] == "reports/_site"
    assert not any(step.get("continue-on-error") for step in build)


def test_pages_are_deployed_from_the_main_branch_only() -> None:
    workflow = read("pages.yml")
    assert workflow["on"]["push"]["branches"] == ["main"]
    assert workflow["jobs"]["build"]["if"] == "github.ref == 'refs/heads/main'"
    assert workflow["jobs"]["deploy"]["needs"] == "build"


def test_screenshots_are_kept_even_when_a_test_failed() -> None:
    (job,) = read("ci.yml")["jobs"].values()
    kept = job["steps"][-1]
    assert kept["if"] == "${{ !cancelled() }}"
    assert kept["with"]["path"] == job["env"]["SCREENSHOTS"]


def test_actionlint_has_no_complaint() -> None:
    linter = shutil.which("actionlint")
    if linter is None:
        pytest.skip("no actionlint on PATH")
    done = subprocess.run(
        [linter, *(str(FOLDER / name) for name in NAMES)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
