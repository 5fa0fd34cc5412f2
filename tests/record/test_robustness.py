"""Whatever happens to a run or to its record, `verify` describes what is left truthfully."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.record.chain import Chain, default_checks, verify_chain

RECORDED = ("dvc.yaml", "dvc.lock")
NOT_OF_THE_RECORD = ("sources", "models", "versions", "workflow")


def check(project: Project) -> Chain:
    return verify_chain(project.folder, default_checks(), NOT_OF_THE_RECORD)


def pair(project: Project) -> list[bytes | None]:
    paths = [project.path(name) for name in RECORDED]
    return [path.read_bytes() if path.exists() else None for path in paths]


def run_code(project: Project, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def run_again(recorded: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project after a run on other items, of which the record knows nothing yet."""
    folder = tmp_path_factory.mktemp("again") / "project"
    shutil.copytree(recorded.folder, folder, symlinks=True)
    project = Project(folder)
    project.edit("data/stimuli/items.csv", "item 1", "item 7")
    done = project.snakemake("--cores", "all", "reports/_site", "data/responses/toy/a.two")
    assert done.returncode == 0, done.stdout + done.stderr
    assert pair(project) == pair(recorded)
    return project


@pytest.fixture
def unrecorded(run_again: Project, tmp_path: Path) -> Project:
    shutil.copytree(run_again.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


def assert_described(project: Project, old: list[bytes | None]) -> None:
    """The old record, no record, or a record of what stands here; and each is said."""
    chain = check(project)
    artifacts = chain.checked[0].outcome
    if project.path("dvc.lock").exists() and pair(project)[1] == old[1]:
        assert artifacts.status == "differs"
        assert ("differs", "data/results/toy/all.csv") in {(f.kind, f.path) for f in chain.findings}
    elif not project.path("dvc.lock").exists():
        assert chain.exit_code == 2
        assert all("dvc.lock" in one.outcome.not_checked[0] for one in chain.checked)
    else:
        assert artifacts.status == "verified"
    # What happened does not hinder the next record.
    done = run_code(project, "from isogloss.record.recording import *; record(Path())")
    assert done.returncode == 0, done.stderr
    assert check(project).checked[0].outcome.status == "verified"


DIES = """
    import os, signal, sys
    from pathlib import Path
    from isogloss.record import recording

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    def replace(path, target):
        if Path(target).name == sys.argv[1]:
            die()
        return original(path, target)

    def then_die(*arguments):
        function(*arguments)
        die()

    if sys.argv[1] in ("dvc.yaml", "dvc.lock"):
        original = Path.replace
        Path.replace = replace
    else:
        function = getattr(recording, sys.argv[1])
        setattr(recording, sys.argv[1], then_die)
    recording.record(Path())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("point", "left"),
    [
        ("link_content", "the old record"),
        ("commit", "the old record"),
        ("_require_unchanged", "the old record"),
        ("dvc.yaml", "no record"),
        ("dvc.lock", "no record"),
        ("_publish", "the new record"),
    ],
)
def test_record_that_is_killed(unrecorded: Project, point: str, left: str) -> None:
    old = pair(unrecorded)
    assert run_code(unrecorded, DIES, point).returncode == -signal.SIGKILL
    now = pair(unrecorded)[1]
    said = "no record" if now is None else "the old record" if now == old[1] else "the new record"
    assert said == left
    assert_described(unrecorded, old)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_record_that_is_killed_at_any_time(unrecorded: Project, seed: int) -> None:
    old = pair(unrecorded)
    code = "from isogloss.record.recording import *; record(Path())"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=unrecorded.folder,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(random.Random(seed).uniform(0.5, 8))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert_described(unrecorded, old)


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 1_500, 20_000])
def test_record_on_a_full_disk(unrecorded: Project, room: int) -> None:
    """No file may grow past some bytes, as on a disk that is full; some rooms suffice for some."""
    old = pair(unrecorded)
    code = f"""
        import resource
        from isogloss.record.recording import *
        resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {resource.RLIM_INFINITY}))
        record(Path())
    """
    done = run_code(unrecorded, code)
    assert done.returncode != 0
    assert pair(unrecorded) == old
    assert_described(unrecorded, old)


@pytest.mark.slow
def test_disk_that_is_full_when_the_record_is_moved_into_place(unrecorded: Project) -> None:
    old = pair(unrecorded)
    code = """
        from isogloss.record.recording import *

        def replace(path, target):
            raise OSError(28, "No space left on device", str(target))

        Path.replace = replace
        record(Path())
    """
    assert "No space left on device" in run_code(unrecorded, code).stderr
    assert pair(unrecorded)[1] is None
    assert_described(unrecorded, old)


def run_with(project: Project, rule: str, during: str) -> subprocess.CompletedProcess[str]:
    """Run the workflow on other items; `during` happens at the end of a rule's command."""
    hook = {"record": "{sys.executable} -c '{RECORD}'", "analysis": "cat {input} > {output}"}[rule]
    there = {"record": f'$HOOK; {hook}"', "analysis": f'{hook}; $HOOK"'}[rule]
    project.edit("Snakefile", f'{hook}"', there)
    script = project.folder.parent / "hook"
    script.write_text(f"#!/bin/sh\n{during}\n")
    script.chmod(0o755)
    project.edit("data/stimuli/items.csv", "item 1", "item 7")
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1"],
        cwd=project.folder,
        env={**os.environ, "HOOK": str(script)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_rule_that_is_edited_during_a_run(project: Project) -> None:
    edit = "sed -i 's/cat {input} > {output};/sort {input} > {output};/' Snakefile"
    done = run_with(project, "analysis", edit)
    assert done.returncode != 0
    assert "something changed while it ran" in done.stdout + done.stderr
    chain = check(project)
    assert chain.exit_code == 2
    assert "dvc.lock does not exist" in chain.checked[0].outcome.not_checked[0]


@pytest.mark.slow
def test_output_that_is_replaced_between_its_rule_and_the_record(project: Project) -> None:
    done = run_with(project, "record", "echo replaced > data/raw/toy/a.txt")
    assert done.returncode != 0
    assert "data/raw/toy/a.txt" in done.stdout + done.stderr
    assert check(project).exit_code == 2


@pytest.mark.slow
def test_last_output_that_is_replaced_before_the_record(project: Project) -> None:
    done = run_with(project, "record", "echo replaced > reports/_site/index.html")
    assert done.returncode != 0
    assert (
        "  reports/_site (rule site): reports/_site/index.html is younger"
        in done.stdout + done.stderr
    )
    assert check(project).exit_code == 2


@pytest.mark.slow
def test_output_with_its_time_put_back_is_recorded_as_it_stands(project: Project) -> None:
    """These rules' commands are not Isogloss's own and note nothing of what they wrote."""
    replace = "echo replaced > reports/_site/index.html; touch -d 2001-01-01"
    done = run_with(project, "record", f"{replace} reports/_site/index.html")
    assert done.returncode == 0, done.stdout + done.stderr
    assert check(project).checked[0].outcome.status == "verified"
    project.path("reports/_site/index.html").write_text("replaced again\n")
    assert ("differs", "reports/_site/index.html") in {
        (finding.kind, finding.path) for finding in check(project).findings
    }


@pytest.mark.slow
def test_result_that_is_edited_between_two_runs(project: Project) -> None:
    """Snakemake makes again what reads it, and would let the edit pass for a result."""
    project.edit("data/results/toy/all.csv", "a", "b")
    done = project.snakemake()
    assert done.returncode != 0
    assert "  data/results/toy/all.csv (rule analysis)" in done.stdout + done.stderr
    assert check(project).exit_code == 2
    project.path("data/results/toy/all.csv").unlink()
    assert project.snakemake().returncode == 0
    assert check(project).checked[0].outcome.status == "verified"


@pytest.mark.slow
def test_run_that_is_not_committed_yet_is_verified_and_said(unrecorded: Project) -> None:
    done = run_code(unrecorded, "from isogloss.record.recording import *; record(Path())")
    assert done.returncode == 0, done.stderr
    chain = check(unrecorded)
    assert chain.exit_code == 0
    assert "recorded by a run here and not committed yet" in chain.checked[1].outcome.summary
    unrecorded.edit("dvc.lock", "size: ", "size:  ")
    assert {(f.kind, f.path) for f in check(unrecorded).findings} == {("uncommitted", "dvc.lock")}
