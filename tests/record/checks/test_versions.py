import json
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.checks import versions
from isogloss.record.checks.versions import VersionsCheck


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Installed packages, of which `a`, `b` and `gone` are needed."""
    installed = {"a": "1.0+cpu", "b": "2.0", "tool": "9", "unrelated": "1"}
    monkeypatch.setattr(versions, "installed_versions", lambda: installed)
    needed = {"a": "isogloss", "b": "a", "gone": "a"}
    monkeypatch.setattr(versions, "needed_packages", lambda _: needed)
    return installed


def _found(folder: Path, constraints: str) -> list[tuple[str, str, str | None]]:
    (folder / "constraints.txt").write_text(constraints)
    findings = VersionsCheck().run(folder).findings
    return [(one.kind, one.path, one.found) for one in findings]


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(
    ("constraints", "found"),
    [
        ("a==1.0\nb==2.0\ngone==1", [("version", "gone", None)]),
        ("a==1.0+cu130\nb==2.0\ngone==1", [("version", "a", "1.0+cpu"), ("version", "gone", None)]),
        ("a==1.0\nB==2.1\ngone==1", [("version", "b", "2.0"), ("version", "gone", None)]),
        ("a==1.0\ngone==1", [("version", "gone", None), ("unpinned", "b", None)]),
        ("a==1.0\nb==2.0\ntool==8\ngone==1", [("version", "gone", None), ("version", "tool", "9")]),
        ("a==1.0\nb==2.0\nelse==1\ngone==1", [("version", "gone", None)]),
    ],
)
def test_versions(tmp_path: Path, constraints: str, found: list) -> None:
    assert _found(tmp_path, constraints) == found


def test_pinned_versions_are_verified(tmp_path: Path, environment: dict[str, str]) -> None:
    environment["gone"] = "1"
    (tmp_path / "constraints.txt").write_text("a==1.0\nb==2.0\ngone==1\n")
    outcome = VersionsCheck().run(tmp_path)
    assert (outcome.status, outcome.covered) == ("verified", 3)


def test_a_model_that_ran_with_another_version_is_named(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    environment |= {"gone": "1", "torch": "2.1"}
    manifest = tmp_path / "data/models/m.json"
    manifest.parent.mkdir(parents=True)
    pins = "a==1.0\nb==2.0\ngone==1\ntorch==2.1\n"
    manifest.write_text(json.dumps({"torch": "2.1+cpu"}))
    assert _found(tmp_path, pins) == []
    manifest.write_text(json.dumps({"torch": "2.0+cpu"}))
    assert _found(tmp_path, pins) == [("version", "data/models/m.json", "2.0+cpu")]
    manifest.write_text("no manifest")
    assert _found(tmp_path, pins) == []


def test_without_pins_nothing_can_be_checked(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"constraints\.txt cannot be read"):
        VersionsCheck().run(tmp_path)
