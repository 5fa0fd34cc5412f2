"""Pins and installed packages, with distributions made for the test."""

from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.constraints import installed_versions, needed_packages, read_constraints


def _install(site: Path, name: str, version: str, *requires: str) -> None:
    folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True)
    lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {r}" for r in requires)]
    text = "\n".join(["Metadata-Version: 2.1", *lines, "Provides-Extra: fast"])
    (folder / "METADATA").write_text(text + "\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tmp_path / "site"


def test_pins_are_read_whatever_their_spelling(tmp_path: Path) -> None:
    path = tmp_path / "constraints.txt"
    path.write_text(
        "# Exact versions.\nSome_Package==1.0  # why\n\nother.one==2.0\n"
        "old==1; python_version < '3'\n"
    )
    pins = read_constraints(path)
    assert {name: str(pin.specifier) for name, pin in pins.items()} == {
        "some-package": "==1.0",
        "other-one": "==2.0",
    }


def test_faults_are_named(tmp_path: Path) -> None:
    path = tmp_path / "constraints.txt"
    with pytest.raises(RecordError, match=r"constraints\.txt cannot be read"):
        read_constraints(path)
    path.write_text("good==1\n-r other.txt\n")
    with pytest.raises(RecordError, match=r"line 2: '-r other\.txt' is no name"):
        read_constraints(path)


def test_all_that_is_needed_is_found_through_extras_and_markers(site: Path) -> None:
    _install(site, "toy-root", "1", "toy-a[fast]>=1", 'toy-dev; extra == "dev"')
    _install(site, "toy-a", "1", 'Toy.B; extra == "fast"', 'toy-old; python_version < "3"')
    _install(site, "toy-b", "1", "toy-a", "toy-gone")
    assert needed_packages("toy-root") == {
        "toy-a": "toy-root",
        "toy-b": "toy-a",
        "toy-gone": "toy-b",
    }


def test_a_root_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(RecordError, match="toy-absent is not an installed package"):
        needed_packages("toy-absent")


def test_the_first_of_two_versions_on_the_path_counts(site: Path) -> None:
    _install(site, "NumPy", "0.0.1")
    assert installed_versions()["numpy"] == "0.0.1"
