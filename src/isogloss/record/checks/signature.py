"""Check `signature`: the detached signature of dvc.lock, and with it of every hash in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.crate.signing import SUFFIX, verify_signature
from isogloss.record.checks.base import Outcome
from isogloss.record.findings import Finding

SIGNED = "dvc.lock"
SIGNATURE = f"{SIGNED}{SUFFIX}"


@dataclass(frozen=True)
class SignatureCheck:
    """The signature that `isogloss sign` wrote, checked with GnuPG."""

    keys: Path | None = None
    """File of public keys of which any may have signed; else the keys of the user."""
    name: Literal["signature"] = "signature"

    def run(self, project: Path) -> Outcome:
        """Check the signature; without one, or without its key, nothing could be checked."""
        found = verify_signature(project / SIGNED, project / SIGNATURE, self.keys)
        summary = f"{SIGNED} signed with key {found.fingerprint} of {found.signer}"
        if found.ok:
            return Outcome(summary, covered=1)
        note = f"{found.reason}: sign again with `isogloss sign`, or put the old files back"
        finding = Finding("signature", SIGNATURE, note=note, found=found.fingerprint)
        return Outcome(summary, covered=1, findings=(finding,))
