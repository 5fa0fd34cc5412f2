"""Check `workflow`: the rules that stand here against the stages that were recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.record.checks.base import Outcome
from isogloss.record.lock import read_lock
from isogloss.record.staleness import stale_stages
from isogloss.record.workflow import workflow_stages


@dataclass(frozen=True)
class WorkflowCheck:
    """Stages that the workflow would have now; this runs the project's Snakefile."""

    options: Sequence[str] = ()
    """Snakemake options that decide which jobs there are, as for `workflow_jobs`."""
    name: Literal["workflow"] = "workflow"

    def run(self, project: Path) -> Outcome:
        """Ask Snakemake for its jobs and compare each with dvc.lock."""
        lock = read_lock(project / "dvc.lock")
        stages = workflow_stages(project.resolve(), self.options)
        return Outcome(
            summary=f"{len(stages)} jobs of the workflow",
            covered=len(stages),
            findings=stale_stages(stages, lock, source="the workflow"),
        )
