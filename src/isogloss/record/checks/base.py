"""What a check of the chain is, and what it gives."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from isogloss.record.findings import Finding

Status = Literal["verified", "differs", "not_checked"]
"""`verified`: all that was to be checked is as it should be. `differs`: something is not.
`not_checked`: nothing is known to differ, but something could not be checked."""


@dataclass(frozen=True)
class Outcome:
    """What one check covered and found."""

    summary: str
    """What was checked, in words, whatever came of it."""
    covered: int = 0
    """Number of things that were compared."""
    findings: tuple[Finding, ...] = ()
    """Everything that is not as it should be."""
    not_checked: tuple[str, ...] = ()
    """What could not be checked, each with the reason and the remedy."""

    @property
    def status(self) -> Status:
        """A finding outweighs what could not be checked, and that outweighs success."""
        if self.findings:
            return "differs"
        return "not_checked" if self.not_checked else "verified"


class Check(Protocol):
    """One link of the chain. Reads the project's files and changes none."""

    @property
    def name(self) -> str:
        """A word of lower-case letters by which the outcome is called."""
        ...

    def run(self, project: Path) -> Outcome:
        """Check the project in a folder.

        An `IsoglossError` or `OSError` means that nothing could be checked; its text says why.
        """
        ...
