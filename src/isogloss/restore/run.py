"""Brings back the artifacts of a recorded run: fetched, verified, and only then accepted."""

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal

from filelock import FileLock, Timeout

from isogloss.errors import RecordError
from isogloss.record.dvcfile import read_dvcfile
from isogloss.record.expected import Expected
from isogloss.record.findings import Finding, Verification
from isogloss.record.lock import Lock, RecordedPath, read_lock
from isogloss.record.repository import require_repository, tracked_files
from isogloss.record.run_lock import lock_path
from isogloss.record.staleness import stale_stages
from isogloss.record.verify import verify, verify_content, verify_workflow
from isogloss.record.written import keep_recorded
from isogloss.restore.acceptance import accept, require_past
from isogloss.restore.contents import recorded_files, wanted_lists
from isogloss.restore.objects import Elsewhere, Wanted, bring, nowhere
from isogloss.restore.place import place, stage
from isogloss.restore.plan import make_plan
from isogloss.restore.remote import Store, open_store


@dataclass(frozen=True)
class Restoration:
    """What a call of `restore` did."""

    brought: int = 0
    """Objects that came from the remote."""
    written: int = 0
    """Files written into the working tree."""
    kept: int = 0
    """Files that were there already, with recorded bytes."""
    verification: Verification | None = None
    """The check of every byte afterwards; none when nothing was written because of a finding."""
    findings: tuple[Finding, ...] = ()
    """Everything that is not as recorded. Snakemake was told of the files only if there is none."""

    @property
    def ok(self) -> bool:
        """Whether all is restored and verified, and nothing is left to do."""
        return not self.findings

    @property
    def status(self) -> Literal["restored", "not_accepted", "differs"]:
        """What came of it.

        `not_accepted`: every byte is the recorded one, but the record is not that of the present
        project. `differs`: something differs from the record or is missing.
        """
        if self.ok:
            return "restored"
        verified = self.verification is not None and self.verification.ok
        return "not_accepted" if verified else "differs"

    @property
    def exit_code(self) -> Literal[0, 1]:
        """0 restored, 1 otherwise; a RecordError is 2."""
        return 0 if self.ok else 1


@dataclass(frozen=True)
class _Tree:
    """The project, its record, and where objects are."""

    project: Path
    lock: Lock
    store: Store
    remote: str | None
    elsewhere: Elsewhere

    @property
    def staged(self) -> Path:
        return _scratch(self.project) / "files"

    def bring(self, wanted: Collection[Wanted]) -> tuple[int, tuple[Finding, ...]]:
        return bring(
            wanted,
            self.store.cache,
            _scratch(self.project) / "objects",
            lambda: self.store.open_remote(self.remote),
            self.elsewhere,
        )


def restore(
    project: Path,
    *,
    remote: str | None = None,
    force: bool = False,
    options: Sequence[str] = (),
    elsewhere: Elsewhere = nowhere,
    changes: Callable[[], tuple[Finding, ...]] = tuple,
) -> Restoration:
    """Bring back what dvc.lock records in `project`, and let Snakemake accept it.

    In this order: dvc.yaml and the inputs are checked against dvc.lock; the lists of recorded
    directories are brought into DVC's cache; what is in the working tree is compared; the objects
    that it lacks are brought; their copies are hashed and moved into the tree; every file is
    hashed (`verify`); the workflow is compared with dvc.lock; Snakemake notes the outputs as made
    now, and they count as written by their commands (`keep_recorded`). The first step that finds
    something ends the call, and up to the copies the working tree is as before. A call that was
    killed is completed by another.

    Args:
        project: folder of the Snakefile.
        remote: name of a DVC remote; by default the one that DVC's configuration has as default.
        force: replace files that differ from the record, and remove those that are too many in
            recorded directories.
        options: Snakemake options that decide which jobs there are (see `workflow_jobs`).
        elsewhere: has what the remote lacks, such as a source that is read and not passed on.
        changes: what else tells that the record is none of the present project, asked before
            Snakemake accepts the files.

    Raises:
        RecordError: the record cannot be read or names paths outside the project, there is no
            remote or it cannot be read, an input is of a time in the future, a run or another call
            is going on, or Snakemake failed.
    """
    project = project.resolve()
    require_repository(project)
    with _alone(project), open_store(project) as store:
        lock = read_lock(project / "dvc.lock")
        restored = _restore_files(_Tree(project, lock, store, remote, elsewhere), force=force)
        if restored.findings:
            return restored
        found = (*verify_workflow(project, options), *changes())
        if not found:
            accept(project, options)
            keep_recorded(project, lock)
    return Restoration(
        restored.brought, restored.written, restored.kept, restored.verification, found
    )


def _restore_files(tree: _Tree, *, force: bool) -> Restoration:
    tracked = tracked_files(tree.project)
    stored, beside = _by_store(tree.lock.artifacts, tracked)
    found = _foundation(tree, beside)
    if found:
        return Restoration(findings=found)
    require_past((dep.path for dep in tree.lock.inputs), tree.project)
    lists, found = tree.bring(wanted_lists(stored))
    if found:
        return Restoration(lists, findings=found)
    files = recorded_files(stored, tree.store.cache)
    planned = partial(make_plan, tree.lock, files, tree.project, tracked, force=force)
    plan = planned()
    if plan.obstacles:
        return Restoration(lists, kept=plan.kept, findings=plan.obstacles)
    objects, found = tree.bring([Wanted(f.md5, f.size, f.path) for f in plan.needed])
    if found:
        return Restoration(lists + objects, kept=plan.kept, findings=found)
    stage(plan.needed, tree.store.cache, tree.staged)
    if planned() != plan:
        raise RecordError("files changed while the recorded ones were brought: nothing is restored")
    place(plan.needed, plan.removed, tree.staged, tree.project)
    checked = verify(tree.project)
    written = len(plan.needed)
    return Restoration(lists + objects, written, plan.kept, checked, checked.findings)


def _by_store(
    artifacts: Sequence[RecordedPath], tracked: Collection[str]
) -> tuple[list[RecordedPath], list[RecordedPath]]:
    """The artifacts that DVC stores, and those that git keeps, or keeps a file of."""
    in_git = {str(part) for path in tracked for part in (path, *PurePosixPath(path).parents)}
    stored = [out for out in artifacts if out.path not in in_git]
    return stored, [out for out in artifacts if out.path in in_git]


def _foundation(tree: _Tree, in_git: Sequence[RecordedPath]) -> tuple[Finding, ...]:
    """What is not as recorded of the things that no remote brings."""
    stages = read_dvcfile(tree.project / "dvc.yaml")
    kept = [Expected(out.path, out.md5, out.size) for out in in_git]
    content = verify_content(tree.lock, kept, tree.project)
    return (*stale_stages(stages, tree.lock, source="dvc.yaml"), *content.findings)


def _scratch(project: Path) -> Path:
    return project / ".dvc" / "tmp" / "restore"


@contextmanager
def _alone(project: Path) -> Iterator[None]:
    """Keep runs of the workflow and other calls out, and leave nothing behind.

    The lock is the one that `isogloss.record.run_lock` takes for a run.
    """
    path = lock_path(project)
    path.parent.mkdir(exist_ok=True)
    try:
        with FileLock(path, timeout=0):
            shutil.rmtree(_scratch(project), ignore_errors=True)
            try:
                yield
            finally:
                shutil.rmtree(_scratch(project), ignore_errors=True)
    except Timeout:
        raise RecordError(
            f"a run of the workflow, or another `isogloss restore`, is going on in {project}: "
            "wait until it has ended"
        ) from None
