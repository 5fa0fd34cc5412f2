"""Detached signatures by GnuPG: made with a key of the user's, and checked offline."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import RecordError

SIGNATURE_LIMIT = 1_000_000
"""Bytes that a signature or a file of keys may have."""
SUFFIX = ".asc"
"""What the name of a signature adds to the name of the file that it signs."""

_BAD = {
    "BADSIG": "the signature is of other bytes",
    "EXPSIG": "the signature has expired",
    "EXPKEYSIG": "the key of the signature has expired",
    "REVKEYSIG": "the key of the signature was revoked",
}


@dataclass(frozen=True)
class Signature:
    """What was found of a signature."""

    ok: bool
    """Whether it is a valid signature of exactly these bytes."""
    fingerprint: str
    """Fingerprint of the key, or its id where the fingerprint is not known."""
    signer: str
    """Name that the key gives itself; nobody vouches for it."""
    reason: str = ""
    """What is wrong with it; empty where nothing is."""


def key_of(scheme: str) -> str:
    """The key that `gpg:KEY` names.

    Raises:
        RecordError: it is another kind of signature, or no key is named.
    """
    kind, _, key = scheme.partition(":")
    if kind != "gpg" or not key.strip():
        raise RecordError(
            f"{scheme!r} names no key: write gpg: and the id, fingerprint or address of a key"
        )
    return key


def require_key(key: str) -> None:
    """Check that GnuPG has the secret key, before work is done that would then be lost.

    Raises:
        RecordError: there is no GnuPG, or it has no such secret key.
    """
    done = _gpg("--list-secret-keys", "--", key)
    if done.returncode != 0:
        raise RecordError(
            f"GnuPG has no secret key {key!r}: `gpg --list-secret-keys` lists those it has"
        )


def sign(file: Path, signature: Path, key: str) -> None:
    """Write a detached, armoured signature of `file` with the secret key `key`.

    Raises:
        RecordError: there is no GnuPG, or it did not sign.
    """
    options = ("--armor", "--local-user", key, "--output", str(signature))
    done = _gpg(*options, "--detach-sign", "--", str(file))
    if done.returncode != 0:
        raise RecordError(f"GnuPG did not sign {file} with {key!r}: {_last_line(done.stderr)}")


def verify_signature(file: Path, signature: Path, keys: Path | None = None) -> Signature:
    """Check a detached signature of `file`.

    `keys` is a file of public keys, of which any may have signed. Without it the keys of the user
    are taken. Whether a key belongs to who it says is for the reader to know: compare the
    fingerprint.

    Raises:
        RecordError: the check is not possible: there is no GnuPG, a file is missing or too
            large, the signature is none, or its key is not among the keys.
    """
    for path in (file, signature, *(() if keys is None else (keys,))):
        if not path.is_file():
            raise RecordError(f"{path} does not exist, so the signature is not checked")
        if path != file and path.stat().st_size > SIGNATURE_LIMIT:
            raise RecordError(f"{path} is too large for a signature or a key")
    if keys is None:
        return _verified(signature, file, ())
    with tempfile.TemporaryDirectory(prefix="isogloss-keys-") as home:
        place = ("--homedir", home, "--no-autostart")
        done = _gpg(*place, "--import", "--", str(keys))
        if done.returncode != 0:
            raise RecordError(f"{keys} holds no public key: {_last_line(done.stderr)}")
        return _verified(signature, file, (*place, "--trust-model", "always"))


def _verified(signature: Path, file: Path, options: Sequence[str]) -> Signature:
    done = _gpg(*options, "--status-fd", "1", "--verify", "--", str(signature), str(file))
    prefix = "[GNUPG:] "
    lines = [ln.removeprefix(prefix) for ln in done.stdout.splitlines() if ln.startswith(prefix)]
    said = {name: rest for name, _, rest in (line.partition(" ") for line in lines)}
    for name, reason in _BAD.items():
        if name in said:
            return _signature(said, name, reason)
    if "GOODSIG" in said and "VALIDSIG" in said and "ERRSIG" not in said:
        return _signature(said, "GOODSIG", "")
    if "NO_PUBKEY" in said:
        raise RecordError(
            f"{signature} was made with key {said['NO_PUBKEY']}, which is not known: give its "
            "public key with --key"
        )
    raise RecordError(f"{signature} cannot be checked: {_last_line(done.stderr)}")


def _signature(said: dict[str, str], name: str, reason: str) -> Signature:
    key, _, signer = said[name].partition(" ")
    fingerprint = said.get("VALIDSIG", "").partition(" ")[0] or key
    return Signature(not reason, fingerprint, signer, reason)


def _gpg(*arguments: str) -> subprocess.CompletedProcess[str]:
    gpg = shutil.which("gpg")
    if gpg is None:
        raise RecordError("there is no gpg, which makes and checks signatures: install GnuPG")
    return subprocess.run(
        [gpg, "--batch", "--no-tty", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _last_line(said: str) -> str:
    lines = said.strip().splitlines()
    return lines[-1].removeprefix("gpg: ") if lines else "it gave no reason"
