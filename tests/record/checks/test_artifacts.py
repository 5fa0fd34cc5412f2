import subprocess
import sys

from tests.record.conftest import Project

from isogloss.record.checks.artifacts import ArtifactsCheck

HOLD = """
import sys
from pathlib import Path
from isogloss.record.run_lock import run_lock
run_lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_counts_of_what_was_covered(recorded: Project) -> None:
    outcome = ArtifactsCheck().run(recorded.folder)
    assert (outcome.status, outcome.covered) == ("verified", 12)
    assert outcome.summary.startswith("10 artifacts (0.0 MB) in 7 stages, and the 2 inputs")


def test_while_a_run_is_going_on_nothing_is_verified(project: Project) -> None:
    command = [sys.executable, "-c", HOLD, str(project.folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        outcome = ArtifactsCheck().run(project.folder)
        process.kill()
    assert outcome.status == "not_checked"
    assert "a run of the workflow is going on" in outcome.not_checked[0]
    assert ArtifactsCheck().run(project.folder).status == "verified"
