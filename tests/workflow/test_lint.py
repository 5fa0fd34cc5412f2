"""Snakemake's own lint of the workflow."""

import json
import subprocess
import sys
from pathlib import Path

# Software is pinned by constraints.txt for the whole project, not by a conda environment a rule.
ACCEPTED = {"Specify a conda environment or container for each rule."}


def test_the_workflow_passes_the_lint(project: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--lint", "json"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    findings = json.loads(done.stderr[done.stderr.index("{") :])
    lints = [lint for rule in findings["rules"] for lint in rule["lints"]]
    lints += [lint for file in findings["snakefiles"] for lint in file["lints"]]
    assert findings["rules"], "the lint saw no rule"
    assert [lint for lint in lints if lint["title"] not in ACCEPTED] == []
