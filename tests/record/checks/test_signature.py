from pathlib import Path

import pytest

from isogloss.crate.signing import Signature
from isogloss.errors import RecordError
from isogloss.record.checks import signature
from isogloss.record.checks.signature import SignatureCheck


def _answer(monkeypatch: pytest.MonkeyPatch, found: Signature) -> list[tuple[Path, ...]]:
    asked: list[tuple[Path, ...]] = []
    monkeypatch.setattr(signature, "verify_signature", lambda *a: asked.append(a) or found)
    return asked


def test_a_valid_signature_names_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _answer(monkeypatch, Signature(True, "ABCD", "A Person <a@example.org>"))
    outcome = SignatureCheck(tmp_path / "keys").run(tmp_path)
    assert outcome.status == "verified"
    assert outcome.summary == "dvc.lock signed with key ABCD of A Person <a@example.org>"
    assert asked == [(tmp_path / "dvc.lock", tmp_path / "dvc.lock.asc", tmp_path / "keys")]


def test_a_bad_signature_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _answer(monkeypatch, Signature(False, "ABCD", "A", "the signature is of other bytes"))
    [finding] = SignatureCheck().run(tmp_path).findings
    assert (finding.kind, finding.path, finding.found) == ("signature", "dvc.lock.asc", "ABCD")
    assert finding.note.startswith("the signature is of other bytes")


def test_no_signature_could_not_be_checked(tmp_path: Path) -> None:
    (tmp_path / "dvc.lock").write_text("")
    with pytest.raises(RecordError, match=r"dvc\.lock\.asc does not exist"):
        SignatureCheck().run(tmp_path)
