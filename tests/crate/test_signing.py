"""Tests of isogloss.crate.signing."""

import zipfile
from pathlib import Path

import pytest
from tests.crate.conftest import Keys, gpg
from tests.record.conftest import Project

from isogloss.crate.checking import check_package
from isogloss.crate.package import package
from isogloss.crate.signing import key_of, require_key, sign, verify_signature
from isogloss.crate.terms import Terms
from isogloss.errors import RecordError


@pytest.fixture
def signed(keys: Keys, tmp_path: Path) -> tuple[Path, Path]:
    """A file and its signature."""
    file, signature = tmp_path / "dvc.lock", tmp_path / "dvc.lock.asc"
    file.write_text("schema: '2.0'\n")
    sign(file, signature, keys.mine)
    return file, signature


def test_a_signature_is_good_with_the_signers_key(keys: Keys, signed: tuple[Path, Path]) -> None:
    found = verify_signature(*signed, keys.public)
    assert found.ok
    assert found.signer == "Toy <mine@example.org>"
    listing = gpg("--with-colons", "--fingerprint", keys.mine).splitlines()
    fingerprints = [line.split(":")[9] for line in listing if line.startswith("fpr")]
    assert found.fingerprint in fingerprints


def test_without_a_file_of_keys_those_of_gnupg_are_taken(signed: tuple[Path, Path]) -> None:
    assert verify_signature(*signed).ok


def test_other_bytes_are_not_what_was_signed(keys: Keys, signed: tuple[Path, Path]) -> None:
    signed[0].write_text("schema: '2.1'\n")
    found = verify_signature(*signed, keys.public)
    assert not found.ok
    assert found.reason == "the signature is of other bytes"


def test_a_signature_by_somebody_else_is_not_checked(keys: Keys, signed: tuple[Path, Path]) -> None:
    with pytest.raises(RecordError, match="which is not known"):
        verify_signature(*signed, keys.other)


def test_a_key_file_of_many_may_hold_the_signers(
    keys: Keys, signed: tuple[Path, Path], tmp_path: Path
) -> None:
    both = tmp_path / "both.asc"
    both.write_text(keys.other.read_text() + keys.public.read_text())
    assert verify_signature(*signed, both).ok


def test_a_signature_of_a_key_that_has_expired_is_not_good(keys: Keys, tmp_path: Path) -> None:
    past = ("--faked-system-time", "20200101T000000!", "--passphrase", "")
    gpg(*past, "--quick-generate-key", "Old <old@example.org>", "ed25519", "sign", "seconds=60")
    file, signature = tmp_path / "a", tmp_path / "a.asc"
    file.write_text("a")
    gpg(*past, "--local-user", "old@example.org", "-o", str(signature), "--detach-sign", str(file))
    found = verify_signature(file, signature)
    assert not found.ok
    assert "expired" in found.reason


@pytest.mark.parametrize(
    ("content", "words"), [("no signature", "cannot be checked"), ("x" * 1_000_001, "too large")]
)
def test_what_is_no_signature_cannot_be_checked(
    signed: tuple[Path, Path], content: str, words: str
) -> None:
    signed[1].write_text(content)
    with pytest.raises(RecordError, match=words):
        verify_signature(*signed)


def test_missing_files_are_named(keys: Keys, signed: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"none\.asc does not exist"):
        verify_signature(signed[0], tmp_path / "none.asc", keys.public)
    with pytest.raises(RecordError, match=r"none\.key does not exist"):
        verify_signature(*signed, tmp_path / "none.key")


def test_a_file_without_a_key_is_named(signed: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "no.key").write_text("no key")
    with pytest.raises(RecordError, match="holds no public key"):
        verify_signature(*signed, tmp_path / "no.key")


def test_a_key_that_gnupg_does_not_have_is_named(keys: Keys, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"no secret key 'stranger@example\.org'"):
        require_key("stranger@example.org")
    (tmp_path / "a").write_text("a")
    with pytest.raises(RecordError, match="did not sign"):
        sign(tmp_path / "a", tmp_path / "a.asc", "stranger@example.org")


def test_no_gnupg_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RecordError, match="there is no gpg"):
        require_key("mine@example.org")


@pytest.mark.parametrize("scheme", ["mine@example.org", "gpg:", "gpg: ", "sigstore:me", ""])
def test_a_key_is_named_with_its_kind(scheme: str) -> None:
    assert key_of("gpg:mine@example.org") == "mine@example.org"
    with pytest.raises(RecordError, match="names no key"):
        key_of(scheme)


@pytest.mark.parametrize("name", ["run.zip", "run"])
def test_a_signed_package_is_verified_and_a_changed_one_is_not(
    recorded: Project, terms: dict[str, Terms], keys: Keys, tmp_path: Path, name: str
) -> None:
    done = package(recorded.folder, tmp_path / name, terms, key=keys.mine)
    assert done.signature == tmp_path / f"{name}.asc"
    check = check_package(done.out, signature=done.signature, keys=keys.public)
    assert check.ok
    assert check.signature is not None
    if name == "run":
        metadata = done.out / "ro-crate-metadata.json"
        metadata.write_bytes(metadata.read_bytes().replace(b"A recorded run", b"The recorded run"))
    else:
        with zipfile.ZipFile(done.out, "a") as archive:
            archive.comment = b"not signed"
    changed = check_package(done.out, signature=done.signature, keys=keys.public)
    assert [finding.kind for finding in changed.findings] == ["signature"]


def test_a_key_that_is_not_there_is_said_before_anything_is_written(
    recorded: Project, terms: dict[str, Terms], keys: Keys, tmp_path: Path
) -> None:
    with pytest.raises(RecordError, match="no secret key"):
        package(recorded.folder, tmp_path / "run.zip", terms, key="stranger@example.org")
    assert not list(tmp_path.iterdir())


def test_a_signature_is_not_overwritten(
    recorded: Project, terms: dict[str, Terms], keys: Keys, tmp_path: Path
) -> None:
    (tmp_path / "run.zip.asc").write_text("mine")
    with pytest.raises(RecordError, match=r"run\.zip\.asc exists already"):
        package(recorded.folder, tmp_path / "run.zip", terms, key=keys.mine)
    assert not (tmp_path / "run.zip").exists()
