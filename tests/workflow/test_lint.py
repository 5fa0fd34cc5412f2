"""Snakemake's own lint of the workflow."""

import subprocess
import sys
from pathlib import Path

# Software is pinned by constraints.txt for the whole project, not by a conda environment a rule.
ACCEPTED = "Specify a conda environment or container for each rule."


def test_the_workflow_passes_the_lint(project: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--lint"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    titles = [line for line in done.stderr.splitlines() if line.startswith("    * ")]
    rules = [line for line in done.stderr.splitlines() if line.startswith("Lints for rule ")]
    assert len(rules) == len(titles) > 0, done.stderr
    assert {title.strip(" *:") for title in titles} == {ACCEPTED}
