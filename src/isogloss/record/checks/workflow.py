"""Check `workflow`: the rules and the code that stand here against those that were recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.options import DEFAULT_CONFIG
from isogloss.record.checks.base import Outcome
from isogloss.record.code import changed_code
from isogloss.record.lock import read_lock
from isogloss.record.staleness import stale_stages
from isogloss.record.workflow import workflow_stages


@dataclass(frozen=True)
class WorkflowCheck:
    """Stages that the workflow would have now, and the code behind them.

    This runs the project's Snakefile.
    """

    config: Path = DEFAULT_CONFIG
    """Configuration of the run."""
    options: Sequence[str] = ()
    """Snakemake options that decide which jobs there are, as for `workflow_jobs`."""
    name: Literal["workflow"] = "workflow"

    def run(self, project: Path) -> Outcome:
        """Compare Snakemake's jobs with dvc.lock, and the code with its list."""
        lock = read_lock(project / "dvc.lock")
        stages = workflow_stages(project.resolve(), self.options)
        return Outcome(
            summary=f"{len(stages)} jobs of the workflow and the code that they ran",
            covered=len(stages),
            findings=(
                *stale_stages(stages, lock, source="the workflow"),
                *changed_code(project, self.config, lock),
            ),
        )
