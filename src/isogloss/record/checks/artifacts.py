"""Check `artifacts`: every file that dvc.lock records, and dvc.yaml beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.record.checks.base import Outcome
from isogloss.record.findings import covered
from isogloss.record.running import is_running
from isogloss.record.verify import verify


@dataclass(frozen=True)
class ArtifactsCheck:
    """Bytes of every artifact and input against dvc.lock, extra files, links, and dvc.yaml."""

    name: Literal["artifacts"] = "artifacts"

    def run(self, project: Path) -> Outcome:
        """Hash every file; while a run is going on, agreement counts for nothing."""
        before = is_running(project)
        found = verify(project)
        running = before or is_running(project)
        reason = "a run of the workflow is going on in this folder: verify again when it has ended"
        return Outcome(
            summary=covered(found),
            covered=found.artifacts + found.inputs,
            findings=found.findings,
            not_checked=(reason,) if running else (),
        )
