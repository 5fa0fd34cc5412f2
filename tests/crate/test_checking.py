"""Tests of isogloss.crate.checking: packages that were changed, broken or made to do harm."""

import json
import os
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.record.conftest import Project

from isogloss.crate import reading
from isogloss.crate.checking import check_package
from isogloss.crate.findings import CrateCheck, render, to_json
from isogloss.crate.package import package
from isogloss.crate.terms import Terms
from isogloss.errors import RecordError

COUNTS = "data/results/toy/counts.csv"
METADATA = "ro-crate-metadata.json"


@pytest.fixture(scope="module")
def made(
    recorded: Project, terms: dict[str, Terms], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A package as a folder; not to be changed."""
    return package(recorded.folder, tmp_path_factory.mktemp("made") / "crate", terms).out


@pytest.fixture
def crate(made: Path, tmp_path: Path) -> Path:
    """A package as a folder."""
    shutil.copytree(made, tmp_path / "crate")
    return tmp_path / "crate"


def packed(crate: Path, *more: tuple[str | zipfile.ZipInfo, bytes], deflated: bool = False) -> Path:
    """The folder as a ZIP file, with further entries."""
    out = crate.with_suffix(".zip")
    kind = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(out, "w", kind) as archive:
        for path in sorted(crate.rglob("*")):
            archive.write(path, path.relative_to(crate))
        for entry, content in more:
            archive.writestr(entry, content)
    return out


def edit(crate: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the entities of the metadata."""
    document = json.loads((crate / METADATA).read_text(encoding="utf-8"))
    change({entity["@id"]: entity for entity in document["@graph"]})
    (crate / METADATA).write_text(json.dumps(document), encoding="utf-8")


def named(check: CrateCheck) -> list[tuple[str, str]]:
    return [(finding.kind, finding.path) for finding in check.findings]


@pytest.mark.parametrize("form", ["folder", "zip", "compressed"])
def test_an_untouched_package_is_verified(crate: Path, form: str) -> None:
    place = crate if form == "folder" else packed(crate, deflated=form == "compressed")
    check = check_package(place)
    assert check.ok
    assert check.exit_code == 0
    assert (check.files, check.withheld) == (20, 4)
    assert render(check).startswith("verified 20 files")
    assert "without a signature" in render(check)


def test_a_changed_byte_is_found_in_every_file(crate: Path, made: Path) -> None:
    paths = [p.relative_to(crate) for p in crate.rglob("*") if p.is_file() and p.name != METADATA]
    assert len(paths) == 20
    for path in paths:
        content = (made / path).read_bytes()
        (crate / path).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        found = named(check_package(crate))
        assert ("differs", path.as_posix()) in found
        assert len(found) == 1 or path.name == "dvc.lock"
        (crate / path).write_bytes(content)


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_a_missing_and_an_extra_file_are_named(crate: Path, form: str) -> None:
    (crate / COUNTS).rename(crate / "data/results/toy/other.csv")
    check = check_package(crate if form == "folder" else packed(crate))
    assert named(check) == [("missing", COUNTS), ("extra", "data/results/toy/other.csv")]
    assert check.exit_code == 1
    assert "1 missing, 1 extra" in render(check)
    assert json.loads(to_json(check))["status"] == "differs"


@pytest.mark.parametrize("change", [b"longer than that", b"s"])
def test_another_length_is_found(crate: Path, change: bytes) -> None:
    (crate / COUNTS).write_bytes(change * 100 if len(change) > 1 else change)
    kind = "unsafe" if len(change) > 1 else "differs"
    assert named(check_package(crate)) == [(kind, COUNTS)]


def test_a_description_that_was_made_to_fit_contradicts_the_record(crate: Path) -> None:
    (crate / COUNTS).write_bytes(b"")

    def fit(entities: dict[str, Any]) -> None:
        entities[COUNTS] |= {
            "contentSize": "0",
            "md5": "d41d8cd98f00b204e9800998ecf8427e",
            "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        }

    edit(crate, fit)
    assert named(check_package(crate)) == [("contradicts", COUNTS)]


def test_a_withheld_file_cannot_be_swapped_either(crate: Path) -> None:
    path = "data/results/toy/quote.csv"
    edit(crate, lambda entities: entities[f"#withheld/{path}"].update(md5="0" * 32))
    assert named(check_package(crate)) == [("contradicts", path)]


def test_a_file_added_to_a_recorded_directory_is_found(crate: Path) -> None:
    path = "reports/_site/more.html"
    (crate / path).write_bytes(b"")

    def describe(entities: dict[str, Any]) -> None:
        old = entities["reports/_site/counts.txt"]
        entities["./"]["hasPart"].append(old | {"@id": path})

    edit(crate, describe)
    assert named(check_package(crate)) == [("extra", path)]


def test_another_identifier_is_found(crate: Path) -> None:
    edit(crate, lambda entities: entities["./"].update(identifier="urn:uuid:1"))
    assert named(check_package(crate)) == [("contradicts", METADATA)]


def test_a_package_without_its_record_is_not_verified(crate: Path) -> None:
    (crate / "dvc.lock").unlink()
    assert named(check_package(crate)) == [("missing", "dvc.lock"), ("contradicts", "dvc.lock")]


@pytest.mark.parametrize("lock", [b"stages: [", b"schema: '1'", b"[" * 50_000, b"\xff"])
def test_a_record_of_another_form_is_named(crate: Path, lock: bytes) -> None:
    (crate / "dvc.lock").write_bytes(lock)
    edit(crate, lambda entities: entities["dvc.lock"].update(contentSize=str(len(lock))))
    found = named(check_package(crate))
    assert found == [("differs", "dvc.lock"), ("contradicts", "dvc.lock")]


@pytest.mark.parametrize(
    "name", ["../escape.txt", "/etc/passwd", "data/../../x", "..\\x", "C:/x", "data/../../x/"]
)
def test_an_entry_that_leads_outside_is_named_and_not_read(crate: Path, name: str) -> None:
    assert named(check_package(packed(crate, (name, b"")))) == [("unsafe", name)]


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname"])
def test_a_description_that_leads_outside_is_not_followed(crate: Path, path: str) -> None:
    (crate.parent / "secret.txt").write_text("secret")

    def point(entities: dict[str, Any]) -> None:
        entities[COUNTS]["@id"] = path

    edit(crate, point)
    found = named(check_package(crate))
    assert ("unsafe", path) in found
    assert ("extra", COUNTS) in found


def test_a_link_in_a_zip_is_named(crate: Path) -> None:
    link = zipfile.ZipInfo("data/link")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    assert named(check_package(packed(crate, (link, b"/etc/passwd")))) == [("unsafe", "data/link")]


def test_a_link_in_a_folder_is_named_and_not_followed(crate: Path) -> None:
    (crate / COUNTS).unlink()
    (crate / COUNTS).symlink_to("/etc/hostname")
    (crate / "upstream2").symlink_to(crate / "upstream", target_is_directory=True)
    assert named(check_package(crate)) == [("unsafe", COUNTS), ("unsafe", "upstream2")]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_entry_that_stands_there_twice_is_named(crate: Path) -> None:
    assert named(check_package(packed(crate, (COUNTS, b"other")))) == [("unsafe", COUNTS)]


def test_an_encrypted_entry_is_named(crate: Path) -> None:
    place = packed(crate)
    content = bytearray(place.read_bytes())
    at = content.rindex(COUNTS.encode()) - 46
    assert content[at : at + 4] == b"PK\x01\x02"
    content[at + 8] |= 1
    place.write_bytes(content)
    assert named(check_package(place)) == [("unsafe", COUNTS)]


def test_a_bomb_is_not_unfolded(crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """20 MB of zeros in 20 kB, described as what they are and as something small."""
    read = 0
    plain = zipfile.ZipExtFile.read

    def count(self: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        nonlocal read
        got = plain(self, n)
        read += len(got)
        return got

    (crate / COUNTS).write_bytes(bytes(20_000_000))
    edit(crate, lambda entities: entities[COUNTS].update(contentSize="20000000"))
    place = packed(crate, deflated=True)
    monkeypatch.setattr(zipfile.ZipExtFile, "read", count)
    assert ("unsafe", COUNTS) in named(check_package(place))
    assert read < 1_000_000


def test_a_file_is_read_no_further_than_it_is_described(
    crate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (crate / COUNTS).write_bytes(os.urandom(9_000_000))
    monkeypatch.setattr(reading, "SMALL", 10)
    assert named(check_package(packed(crate, deflated=True))) == [("unsafe", COUNTS)]


def test_too_many_entries_are_not_read(crate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "ENTRIES", 10)
    for place in (crate, packed(crate)):
        with pytest.raises(RecordError, match="entries, more than 10"):
            check_package(place)


def test_a_damaged_archive_is_named(crate: Path) -> None:
    place = packed(crate, deflated=True)
    with zipfile.ZipFile(place) as archive:
        entry = archive.getinfo("dvc.yaml")
    content = bytearray(place.read_bytes())
    content[entry.header_offset + 60 : entry.header_offset + 90] = bytes(30)
    place.write_bytes(content)
    assert ("differs", "dvc.yaml") in named(check_package(place))


def _empty(place: Path) -> None:
    place.write_bytes(b"")


def _cut(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:-100])


def _gone(place: Path) -> None:
    place.unlink()


def _other(place: Path) -> None:
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("a.txt", "text")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_empty, "no ZIP file"),
        (_cut, "no ZIP file"),
        (_gone, "does not exist"),
        (_other, "no package of a run"),
    ],
)
def test_what_is_no_package_cannot_be_checked(
    crate: Path, spoil: Callable[[Path], None], words: str
) -> None:
    place = packed(crate)
    spoil(place)
    with pytest.raises(RecordError, match=words):
        check_package(place)


@pytest.mark.parametrize(
    "metadata",
    [
        b"",
        b"[]",
        b"{}",
        b'{"@graph": 1}',
        b'{"@graph": [1, {"@id": []}]}',
        b'{"@graph": [{"@id": "./"}]}',
        b'{"@graph": [{"@id": "./", "identifier": "x"}, {"@id": "a", "@type": "File"}]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_metadata_of_another_form_are_no_description(crate: Path, metadata: bytes) -> None:
    (crate / METADATA).write_bytes(metadata)
    with pytest.raises(RecordError, match="does not describe a recorded run"):
        check_package(crate)
