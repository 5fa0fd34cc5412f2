"""Check `commit`: dvc.yaml and dvc.lock against the git commit that is checked out.

The other checks believe dvc.lock. Whoever changes a file and its entry in dvc.lock together is
found here only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.record.checks.base import Outcome
from isogloss.record.findings import Finding
from isogloss.record.receipts import was_recorded_here
from isogloss.record.repository import Committed, committed, git_hashes
from isogloss.record.stages import RECORD_FILES

MOST_NAMED = 5
"""Files that differ from the commit and are named without `demanded`."""


@dataclass(frozen=True)
class CommitCheck:
    """The record, or with `demanded` every committed file, against the commit."""

    demanded: bool = False
    """Whether a record that was made here and is not committed yet counts as a finding."""
    name: Literal["commit"] = "commit"

    def run(self, project: Path) -> Outcome:
        """Compare contents as git would store them."""
        head = committed(project)
        if head is None:
            reason = (
                "there is no git commit to compare dvc.yaml and dvc.lock with: work in a clone, "
                "commit them, or leave this out with --no-commit"
            )
            return Outcome("nothing was compared with git", not_checked=(reason,))
        missing = [name for name in RECORD_FILES if not (project / name).is_file()]
        if missing:
            reason = (
                f"{' and '.join(missing)} does not exist: restore it from git, or run the workflow"
            )
            return Outcome("nothing was compared with git", not_checked=(reason,))
        changed = _changed(project, head)
        return _strict(head, changed) if self.demanded else _lenient(project, head, changed)


def _strict(head: Committed, changed: Mapping[str, str | None]) -> Outcome:
    return Outcome(
        summary=f"the {len(head.blobs)} files of commit {head.commit[:12]}",
        covered=len(head.blobs),
        findings=_findings(changed, changed, head),
    )


def _lenient(project: Path, head: Committed, changed: Mapping[str, str | None]) -> Outcome:
    record = [name for name in RECORD_FILES if name in changed]
    more = _others([name for name in changed if name not in RECORD_FILES])
    if record and was_recorded_here(project):
        said = (
            f"{' and '.join(record)} recorded by a run here and not committed yet (commit "
            f"{head.commit[:12]} has another): commit dvc.yaml and dvc.lock, or ask for --commit"
        )
        return Outcome(said + more, covered=len(RECORD_FILES))
    return Outcome(
        summary=f"dvc.yaml and dvc.lock as in commit {head.commit[:12]}{more}",
        covered=len(RECORD_FILES),
        findings=_findings(record, changed, head),
    )


def _others(names: Sequence[str]) -> str:
    """Name files that nothing here compares, which a reader should not take for the recorded."""
    if not names:
        return ""
    rest = len(names) - MOST_NAMED
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
    differ = "file of the commit differs" if len(names) == 1 else "files of the commit differ"
    return f"; {len(names)} other {differ} here, a finding with --commit only: {shown}"


def _changed(project: Path, head: Committed) -> dict[str, str | None]:
    """Committed files, and the record, that stand here otherwise, with git's hash of them."""
    wanted = {*head.blobs, *RECORD_FILES}
    links = {path for path in wanted if (project / path).is_symlink()}
    hashed = git_hashes(project, (path for path in wanted - links if (project / path).is_file()))
    return {
        path: hashed.get(path)
        for path in sorted(wanted)
        if (path in links) != (path in head.links)
        or (path not in links and hashed.get(path) != head.blobs.get(path))
    }


def _findings(
    paths: Iterable[str], changed: Mapping[str, str | None], head: Committed
) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            "uncommitted",
            path,
            note=_remedy(path, head),
            recorded=head.blobs.get(path),
            found=changed[path],
        )
        for path in paths
    )


def _remedy(path: str, head: Committed) -> str:
    commit = head.commit[:12]
    if path not in head.blobs:
        return f"is not in commit {commit}: commit {path}"
    return f"is another in commit {commit}: commit {path}, or `git checkout -- {path}`"
