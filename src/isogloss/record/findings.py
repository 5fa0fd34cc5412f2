"""Result of a verification: what was found, in words and as JSON."""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Literal

FindingKind = Literal["differs", "missing", "extra", "input differs", "input missing", "stale"]
"""What may be wrong with a path.

- `differs`, `missing`: an artifact has other bytes than recorded, or is not there.
- `extra`: a file that no stage wrote stands in a folder that holds artifacts only.
- `input differs`, `input missing`: the same of something that a stage read and none wrote.
- `stale`: dvc.yaml or the workflow has another stage, command, input or output than dvc.lock.
"""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as recorded."""

    kind: FindingKind
    """What is wrong."""
    path: str
    """File or directory, relative to the project's folder."""
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
    return "\n".join((*map(_line, verification.findings), _sum(verification)))


def to_json(verification: Verification) -> str:
    """The verification as a JSON object with `status` `verified` or `differs`."""
    status = "verified" if verification.ok else "differs"
    return json.dumps({"status": status, **asdict(verification)}, indent=2)


def _line(finding: Finding) -> str:
    parts = [
        _content("recorded", finding.recorded_md5, finding.recorded_size),
        _content("found", finding.found_md5, finding.found_size),
        finding.note,
    ]
    details = "; ".join(part for part in parts if part)
    return f"{finding.kind}: {finding.path}" + (f" ({details})" if details else "")


def _content(word: str, md5: str | None, size: int | None) -> str:
    if md5 is None:
        return ""
    return f"{word} {md5}" + ("" if size is None else f", {size} bytes")


def _sum(verification: Verification) -> str:
    covered = (
        f"{verification.artifacts} artifacts ({verification.size / 1e6:.1f} MB) "
        f"in {verification.stages} stages"
    )
    if verification.ok:
        return f"verified {covered}, and the {verification.inputs} inputs they were made from"
    kinds = Counter(finding.kind for finding in verification.findings)
    counts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    remedy = "; `dvc pull` brings artifacts that are missing" if kinds["missing"] else ""
    return f"not verified: {counts}; checked {covered}{remedy}"
