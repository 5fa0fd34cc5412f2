"""What a verification of the record found, in words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

FindingKind = Literal[
    "differs",
    "missing",
    "extra",
    "link",
    "input differs",
    "input missing",
    "stale",
    "uncommitted",
    "source",
    "model",
    "version",
    "unpinned",
    "part",
    "page",
    "prose",
    "signature",
]
"""What may be wrong with a path.

- `differs`, `missing`: an artifact has other bytes than recorded, or is not there.
- `extra`: a file that no stage wrote stands in a folder that holds artifacts only.
- `link`: a symbolic link stands where a stage wrote a file, and leads out of DVC's cache.
- `input differs`, `input missing`: the same of something that a stage read and none wrote.
- `stale`: dvc.yaml or the workflow has another stage, command, input or output than dvc.lock.
- `uncommitted`: a file is not the one of the git commit that is checked out.
- `source`: a fetched source is not what data/sources.yaml pins, or has no pin there.
- `model`: a file of a model is not the one that the model's manifest describes.
- `version`: a package has another version than constraints.txt pins, or is not installed.
- `unpinned`: an installed package that this one needs has no pin in constraints.txt.
- `part`: a table, figure or value of the report is not what the result tables give.
- `page`: a page shows something else than the report's parts, or is none of the report's pages.
- `prose`: a number in a sentence of the report that nothing backs, or a stale entry in their list.
- `signature`: the signature of dvc.lock is not one of these bytes, or not a valid one.
"""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as recorded."""

    kind: FindingKind
    """What is wrong."""
    path: str
    """File or directory, relative to the project's folder; of a version, the package's name."""
    recorded_md5: str | None = None
    """Hash in dvc.lock; none for what it does not name."""
    found_md5: str | None = None
    """Hash computed now; none for what does not exist."""
    recorded_size: int | None = None
    """Bytes; none where dvc.lock has no size (a file of a directory)."""
    found_size: int | None = None
    """Bytes found."""
    note: str = ""
    """Cause or remedy, where known."""
    recorded: str | None = None
    """What else was recorded or pinned: a SHA-256, a version, a git blob."""
    found: str | None = None
    """What was found instead."""


@dataclass(frozen=True)
class Verification:
    """What a verification covered and found."""

    stages: int
    """Stages in dvc.lock."""
    artifacts: int
    """Files that the stages wrote, those of directories counted singly."""
    size: int
    """Recorded bytes of the artifacts."""
    inputs: int
    """Files and directories that the stages read and none wrote."""
    findings: tuple[Finding, ...] = ()
    """Everything that is not as recorded."""

    @property
    def ok(self) -> bool:
        """Whether everything is as recorded."""
        return not self.findings

    @property
    def exit_code(self) -> Literal[0, 1]:
        """0 when everything is as recorded, 1 otherwise; a RecordError is 2."""
        return 0 if self.ok else 1


def render(verification: Verification) -> str:
    """One line per finding, and a line that sums up."""
    return "\n".join((*map(finding_line, verification.findings), _sum(verification)))


def finding_line(finding: Finding) -> str:
    """A finding as a line: kind, path, what was recorded and found, cause or remedy."""
    parts = [
        _content("recorded", finding.recorded_md5 or finding.recorded, finding.recorded_size),
        _content("found", finding.found_md5 or finding.found, finding.found_size),
        finding.note,
    ]
    details = "; ".join(part for part in parts if part)
    return f"{finding.kind}: {finding.path}" + (f" ({details})" if details else "")


def _content(word: str, content: str | None, size: int | None) -> str:
    if content is None:
        return ""
    return f"{word} {content}" + ("" if size is None else f", {size} bytes")


def counted(findings: Iterable[Finding]) -> str:
    """How many findings there are of each kind, and how missing artifacts are had."""
    kinds = Counter(finding.kind for finding in findings)
    counts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    remedy = "; `isogloss restore` brings artifacts that are missing" if kinds["missing"] else ""
    return counts + remedy


def covered(verification: Verification) -> str:
    """What a verification read, in words."""
    return (
        f"{verification.artifacts} artifacts ({verification.size / 1e6:.1f} MB) "
        f"in {verification.stages} stages, and the {verification.inputs} inputs they were made from"
    )


def _sum(verification: Verification) -> str:
    if verification.ok:
        return f"verified {covered(verification)}"
    return f"not verified: {counted(verification.findings)}; checked {covered(verification)}"
