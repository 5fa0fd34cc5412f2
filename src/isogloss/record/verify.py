"""Compares the bytes of every artifact and input with dvc.lock.

Every file is read and hashed here. DVC itself trusts a cache of file times and sizes and does not
see a changed byte whose time was put back. The check is one of integrity: it says that the files
are the recorded ones, not that running the workflow again would give them, and it believes
dvc.lock, whose own history is in git.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from isogloss.record.changes import cause_of_change
from isogloss.record.dvcfile import read_dvcfile
from isogloss.record.expected import Expected, expected_artifacts, expected_inputs
from isogloss.record.findings import Finding, FindingKind, Verification
from isogloss.record.hashing import ContentHash, hash_directory, hash_files
from isogloss.record.links import linked_files
from isogloss.record.lock import Lock, read_lock
from isogloss.record.repository import tracked_files
from isogloss.record.staleness import stale_stages
from isogloss.record.strays import artifact_folders, stray_files
from isogloss.record.workflow import workflow_stages


def verify(project: Path, *, folders: Sequence[str] | None = None) -> Verification:
    """Check all that dvc.lock records, in `project`, without Snakemake and without DVC's state.

    `folders` are those, relative to `project`, that hold artifacts only, so that any other file
    in them is a finding; by default `artifact_folders`. What git keeps is never extra.

    Raises:
        RecordError: the check is not possible: dvc.lock or dvc.yaml is missing or unreadable, a
            file cannot be read, or git or DVC refuse an answer.
    """
    lock = read_lock(project / "dvc.lock")
    stages = read_dvcfile(project / "dvc.yaml")
    artifacts = expected_artifacts(lock, project)
    strays = stray_files(
        project,
        artifact_folders(lock) if folders is None else folders,
        artifacts={entry.path for entry in artifacts},
        tracked=tracked_files(project),
    )
    content = verify_content(lock, artifacts, project)
    links = linked_files((entry.path for entry in artifacts), project)
    stale = stale_stages(stages, lock, source="dvc.yaml")
    return replace(content, findings=(*content.findings, *links, *strays, *stale))


def verify_workflow(project: Path, options: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Check that the rules in `project` are those of the recorded run.

    `options` as for `workflow_jobs`. This reads the Snakefile, that is, runs code of the project.

    Raises:
        RecordError: the check is not possible, for example because an input is missing.
    """
    stages = workflow_stages(project.resolve(), options)
    return stale_stages(stages, read_lock(project / "dvc.lock"), source="the workflow")


def verify_content(lock: Lock, artifacts: Sequence[Expected], project: Path) -> Verification:
    """Check only whether `artifacts` (of `lock`) and the inputs are there with recorded content.

    Raises:
        RecordError: a file cannot be read.
    """
    inputs = expected_inputs(lock)
    hashes = _hashes((*artifacts, *inputs), project)
    return Verification(
        stages=len(lock.stages),
        artifacts=sum(out.nfiles for out in lock.artifacts),
        size=sum(out.size for out in lock.artifacts),
        inputs=len(inputs),
        findings=(
            *_changes(artifacts, hashes, project, "differs", "missing"),
            *_changes(inputs, hashes, project, "input differs", "input missing"),
        ),
    )


def _hashes(entries: Iterable[Expected], project: Path) -> dict[str, ContentHash]:
    """Content of those entries that exist; a directory as a whole."""
    paths = {entry.path: project / entry.path for entry in entries}
    files = hash_files(paths.values())
    folders = {path: hash_directory(path) for path in paths.values() if path.is_dir()}
    found = files | folders
    return {name: found[path] for name, path in paths.items() if path in found}


def _changes(
    entries: Iterable[Expected],
    hashes: Mapping[str, ContentHash],
    project: Path,
    differs: FindingKind,
    missing: FindingKind,
) -> list[Finding]:
    entries = tuple(entries)
    recorded = {entry.md5: entry.path for entry in entries}
    cache = project / ".dvc" / "cache"
    changes = []
    for entry in entries:
        found = hashes.get(entry.path)
        if found is None:
            changes.append(Finding(missing, entry.path, entry.md5, None, entry.size, None))
        elif found.md5 != entry.md5 or entry.size not in (None, found.size):
            path = project / entry.path
            if found.md5 == entry.md5:
                note = "has the recorded bytes, of which dvc.lock states another number"
            else:
                note = entry.note or cause_of_change(path, entry.md5, recorded, cache)
            changes.append(
                Finding(differs, entry.path, entry.md5, found.md5, entry.size, found.size, note)
            )
    return changes
