"""Check `versions`: installed packages, and those that ran recorded models, against the pins."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.version import InvalidVersion

from isogloss.record.checks.base import Outcome
from isogloss.record.constraints import installed_versions, needed_packages, read_constraints
from isogloss.record.findings import Finding

CONSTRAINTS = "constraints.txt"
_OF_MANIFESTS = ("transformers", "torch")
"""Packages whose version a model's manifest has."""


@dataclass(frozen=True)
class VersionsCheck:
    """Versions in this environment against constraints.txt.

    A local version label (`+cpu`) counts only where the pin has one.
    """

    name: Literal["versions"] = "versions"

    def run(self, project: Path) -> Outcome:
        """Compare every pinned package that is installed or needed, and name what has no pin."""
        pins = read_constraints(project / CONSTRAINTS)
        installed, needed = installed_versions(), needed_packages("isogloss")
        compared = sorted(name for name in pins if name in installed or name in needed)
        versions = (_finding(name, pins[name], installed.get(name)) for name in compared)
        return Outcome(
            summary=f"{len(compared)} installed packages against {CONSTRAINTS}",
            covered=len(compared),
            findings=(
                *(finding for finding in versions if finding is not None),
                *(_unpinned(name, by) for name, by in sorted(needed.items()) if name not in pins),
                *_of_models(project, pins),
            ),
        )


def _finding(name: str, pin: Requirement, version: str | None) -> Finding | None:
    if version is not None and _fits(pin, version):
        return None
    how = f"install it with `pip install -c {CONSTRAINTS} {name}`"
    note = how if version is not None else f"not installed: {how}"
    return Finding("version", name, note=note, recorded=str(pin.specifier), found=version)


def _fits(pin: Requirement, version: str) -> bool:
    try:
        return pin.specifier.contains(version, prereleases=True)
    except InvalidVersion:
        return False


def _unpinned(name: str, needed_by: str) -> Finding:
    note = f"needed by {needed_by}, and {CONSTRAINTS} does not pin it"
    return Finding("unpinned", name, note=note)


def _of_models(project: Path, pins: Mapping[str, Requirement]) -> list[Finding]:
    """Manifests of models that ran with other versions than those pinned."""
    found = []
    for path in sorted((project / "data" / "models").glob("*.json")):
        manifest = _manifest(path)
        for package in _OF_MANIFESTS:
            version, pin = manifest.get(package), pins.get(package)
            if isinstance(version, str) and pin is not None and not _fits(pin, version):
                note = f"this model ran with another version of {package} than {CONSTRAINTS} has"
                place = path.relative_to(project).as_posix()
                wanted = str(pin.specifier)
                found.append(Finding("version", place, note=note, recorded=wanted, found=version))
    return found


def _manifest(path: Path) -> Mapping[str, object]:
    """Content of a manifest; an unreadable one is the concern of the check `models`."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
