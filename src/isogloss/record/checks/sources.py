"""Check `sources`: fetched files against their pins in data/sources.yaml."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from isogloss.fetch import FileSource, Source, load_sources
from isogloss.fetch.obtain import sha256_of
from isogloss.record.checks.base import Outcome
from isogloss.record.findings import Finding
from isogloss.record.lock import read_lock

PINS = "data/sources.yaml"
_FETCHED = "data/raw"


@dataclass(frozen=True)
class SourcesCheck:
    """SHA-256 and size of every recorded file below data/raw, and that its pin is still there."""

    name: Literal["sources"] = "sources"

    def run(self, project: Path) -> Outcome:
        """Hash the files that stages fetched: `data/raw/<source>/<file>`."""
        paths = [
            PurePosixPath(out.path)
            for out in read_lock(project / "dvc.lock").artifacts
            if PurePosixPath(out.path).is_relative_to(_FETCHED)
        ]
        if not paths:
            return Outcome("no fetched sources")
        pins = load_sources(project / PINS)
        here = [path for path in paths if (project / path).is_file()]
        findings = (_finding(path, pins.get(path.parts[2]), project) for path in here)
        return Outcome(
            summary=f"{len(here)} fetched sources against {PINS}",
            covered=len(here),
            findings=tuple(finding for finding in findings if finding is not None),
            not_checked=tuple(
                f"{path} is not here: `isogloss restore` or a run brings it"
                for path in paths
                if path not in here
            ),
        )


def _finding(path: PurePosixPath, pin: Source | None, project: Path) -> Finding | None:
    if pin is None:
        return Finding("source", str(path), note=f"{PINS} has no source {path.parts[2]}")
    place = pin.mirror if isinstance(pin, FileSource) else pin.member
    if PurePosixPath(place).name != path.name:
        return Finding("source", str(path), note=f"{PINS} pins the file {place}")
    file = project / path
    found, size = sha256_of(file), file.stat().st_size
    if (found, size) == (pin.sha256, pin.bytes):
        return None
    return Finding(
        "source",
        str(path),
        note=f"not what {PINS} pins: run the workflow, or put the pin back",
        recorded=pin.sha256,
        found=found,
        recorded_size=pin.bytes,
        found_size=size,
    )
