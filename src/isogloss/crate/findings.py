"""What the check of a package found, in words and as JSON."""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

from isogloss import __version__
from isogloss.crate.signing import Signature

FORMAT = "isogloss-package-check/1"
"""Name of the JSON form; another form gets another number."""

NOT_CHECKED = 2
"""Exit status of a check that was not possible."""

Kind = Literal["differs", "missing", "extra", "unsafe", "contradicts", "signature"]
"""What may be wrong.

- `differs`: a file has other bytes than its description.
- `missing`, `extra`: a file is described and not there, or there and not described.
- `unsafe`: an entry points outside the package, is no plain file, stands there twice, or is
  larger than it says. It is not read.
- `contradicts`: the description and the package's own dvc.lock do not say the same.
- `signature`: the signature is not one of these bytes, or its key is no longer good.
"""


@dataclass(frozen=True)
class CrateFinding:
    """One thing that is wrong with a package."""

    kind: Kind
    """What is wrong."""
    path: str
    """Entry of the package, or the signature's file."""
    note: str
    """How it is wrong."""


@dataclass(frozen=True)
class CrateCheck:
    """What a check covered and found."""

    identifier: str
    """Identifier of the run, as the package states it."""
    files: int
    """Files that are described as being in the package."""
    size: int
    """Their bytes, as described."""
    withheld: int
    """Files that are described and withheld."""
    signature: Signature | None = None
    """What was found of the signature; none where none was given."""
    findings: tuple[CrateFinding, ...] = ()
    """Everything that is wrong."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def exit_code(self) -> Literal[0, 1]:
        """0 when nothing is wrong, 1 otherwise; a RecordError is 2."""
        return 0 if self.ok else 1


def render(check: CrateCheck) -> str:
    """One line per finding, one on the signature, and a line that sums up."""
    lines = [f"{found.kind}: {found.path} ({found.note})" for found in check.findings]
    if check.signature is not None and check.signature.ok:
        signer, key = check.signature.signer, check.signature.fingerprint
        lines.append(f"signed by {signer}, key {key}")
    return "\n".join((*lines, _sum(check)))


def to_json(check: CrateCheck) -> str:
    """The check as JSON in the form of package-check.schema.json."""
    return _document(
        status="verified" if check.ok else "differs",
        exit_code=check.exit_code,
        **asdict(check),
        reason=None,
    )


def not_checked_to_json(reason: str) -> str:
    """The same of a check that was not possible, for a reason."""
    return _document(
        status="not_checked",
        exit_code=NOT_CHECKED,
        identifier=None,
        files=None,
        size=None,
        withheld=None,
        signature=None,
        findings=[],
        reason=reason,
    )


def _document(**fields: Any) -> str:
    return json.dumps({"format": FORMAT, "version": __version__, **fields}, indent=2)


def _sum(check: CrateCheck) -> str:
    covered = f"{check.files} files ({check.size / 1e6:.1f} MB) of {check.identifier}"
    if check.ok:
        signed = "" if check.signature else ", without a signature"
        return f"verified {covered}, {check.withheld} withheld{signed}"
    counts = Counter(found.kind for found in check.findings)
    listed = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    return f"not verified: {listed}; checked {covered}"
