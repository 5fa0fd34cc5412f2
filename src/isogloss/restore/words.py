"""What a restoration did, in words."""

from collections import Counter

from isogloss.record.findings import covered, finding_line
from isogloss.restore.run import Restoration


def render(restored: Restoration) -> str:
    """One line per finding, and a line that sums up."""
    return "\n".join((*map(finding_line, restored.findings), _sum(restored)))


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
    if restored.ok:
        return f"restored: {done}; {checked}; the workflow has nothing to do"
    if restored.verification.ok:
        return (
            f"restored, but not accepted: {done}; {checked}; the record is not that of the present "
            "project: `snakemake --cores all` makes it anew"
        )
    return f"not verified: {done}; Snakemake was not told of them"
