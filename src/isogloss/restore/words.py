"""What a restoration did, in words and as JSON."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from isogloss import __version__
from isogloss.record.findings import Verification, covered, finding_line
from isogloss.restore.run import Restoration

FORMAT = "isogloss-restore/1"
"""Name of the JSON form; another form gets another number."""

NOT_DONE = 2
"""Exit status of a restoration that could not be done or checked."""


def render(restored: Restoration) -> str:
    """One line per finding, and a line that sums up."""
    return "\n".join((*map(finding_line, restored.findings), _sum(restored)))


def to_json(restored: Restoration) -> str:
    """The outcome as JSON in the form of restore.schema.json."""
    return _document(
        status=restored.status,
        exit_code=restored.exit_code,
        brought=restored.brought,
        written=restored.written,
        kept=restored.kept,
        verified=_verified(restored.verification),
        findings=[asdict(finding) for finding in restored.findings],
        reason=None,
    )


def not_done_to_json(reason: str) -> str:
    """The same of a restoration that could not be done, for a reason."""
    return _document(
        status="not_done",
        exit_code=NOT_DONE,
        brought=None,
        written=None,
        kept=None,
        verified=None,
        findings=[],
        reason=reason,
    )


def _verified(checked: Verification | None) -> dict[str, int] | None:
    if checked is None:
        return None
    return {name: getattr(checked, name) for name in ("stages", "artifacts", "size", "inputs")}


def _document(**fields: Any) -> str:
    return json.dumps({"format": FORMAT, "version": __version__, **fields}, indent=2)


def _sum(restored: Restoration) -> str:
    done = (
        f"{restored.written} files written, {restored.kept} were there; "
        f"{restored.brought} objects brought from the remote"
    )
    if restored.verification is None:
        kinds = Counter(finding.kind for finding in restored.findings)
        counts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        return f"not restored, the working tree is as it was: {counts}"
    checked = f"verified {covered(restored.verification)}"
    if restored.status == "restored":
        return f"restored: {done}; {checked}; the workflow has nothing to do"
    if restored.status == "not_accepted":
        return (
            f"restored, but not accepted: {done}; {checked}; the record is not that of the present "
            "project: `snakemake --cores all` makes it anew"
        )
    return f"not verified: {done}; Snakemake was not told of them"
