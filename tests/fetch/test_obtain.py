"""Bytes of a source: from the mirror, the cache or the network; the pinned ones or none."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import SourceError
from isogloss.fetch import FileSource, fetch, locate
from isogloss.fetch.obtain import cache_dir, mirror_dir, sha256_of

WRONG = b"other bytes\n"


def refused(name: str, source: FileSource, places: Any) -> str:
    """Fetch, expect a refusal that leaves nothing behind, and return what it says."""
    out = places.project / "data" / "raw" / name / "lines.csv"
    before = places.files()
    with pytest.raises(SourceError) as refusal:
        fetch(name, source, out, places.project)
    assert places.files() == before
    assert not out.exists()
    return str(refusal.value)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_sha256_of_a_file_longer_than_one_read(tmp_path: Path) -> None:
    path = tmp_path / "long"
    content = bytes(range(256)) * 5000
    path.write_bytes(content)
    assert sha256_of(path) == digest(content)


@pytest.mark.parametrize("behaviour", ["right", "gzip", "moved"])
def test_network_brings_the_pinned_bytes_and_keeps_them(
    loopback: Any, places: Any, content: bytes, behaviour: Any
) -> None:
    out = places.project / "data" / "raw" / "lines" / "lines.csv"
    located = fetch("lines", loopback.source(behaviour), out, places.project)
    assert located.found_in == "network"
    assert out.read_bytes() == content
    assert places.cached.read_bytes() == content
    assert places.files() == [
        f"cache/sources/{places.cached.name}",
        "project/data/raw/lines/lines.csv",
    ]


def test_a_second_fetch_asks_nobody(loopback: Any, places: Any) -> None:
    source, out = loopback.source("right"), places.project / "lines.csv"
    fetch("lines", source, out, places.project)
    out.unlink()
    assert fetch("lines", source, out, places.project).found_in == "cache"
    assert loopback.asked == ["right"]


def test_fetch_replaces_what_was_there(loopback: Any, places: Any, content: bytes) -> None:
    out = places.project / "lines.csv"
    out.write_bytes(WRONG)
    fetch("lines", loopback.source("right"), out, places.project)
    assert out.read_bytes() == content


def test_a_refused_fetch_leaves_the_earlier_file_alone(loopback: Any, places: Any) -> None:
    out = places.project / "lines.csv"
    out.write_bytes(WRONG)
    with pytest.raises(SourceError):
        fetch("lines", loopback.source("wrong"), out, places.project)
    assert out.read_bytes() == WRONG
    assert places.files() == ["project/lines.csv"]


@pytest.mark.parametrize("behaviour", ["wrong", "page"])
def test_wrong_bytes_name_source_place_and_both_hashes(
    loopback: Any, places: Any, content: bytes, behaviour: Any
) -> None:
    served = {
        "wrong": content.replace(b"Because", b"Whereas"),
        "page": b"<html>sign in first</html>",
    }[behaviour]
    source = loopback.source(behaviour)
    said = refused("lines", source, places)
    assert "source lines" in said
    assert source.url in said
    assert source.sha256 in said
    assert digest(served) in said


def test_an_answer_that_says_not_found(loopback: Any, places: Any) -> None:
    source = loopback.source("missing")
    said = refused("lines", source, places)
    assert "source lines could not be downloaded" in said
    assert "404" in said
    assert source.sha256 in said
    assert "ISOGLOSS_MIRROR" in said


def test_a_download_that_ends_half_way(loopback: Any, places: Any) -> None:
    source = loopback.source("half")
    said = refused("lines", source, places)
    assert "source lines could not be downloaded" in said
    assert f"expected sha256 {source.sha256}" in said
    found = re.search(r"found    sha256 ([0-9a-f]{64}) of an incomplete download", said)
    assert found is not None
    assert found[1] not in (source.sha256, digest(b""))


def test_a_download_larger_than_its_pin_is_given_up(loopback: Any, places: Any) -> None:
    said = refused("lines", loopback.source("more"), places)
    assert "larger than the pinned size" in said
    assert loopback.source("more").sha256 in said


def test_a_pin_smaller_than_the_file_is_noticed(loopback: Any, places: Any) -> None:
    said = refused("lines", loopback.source("right", bytes=10), places)
    assert "larger than the pinned size" in said


def test_without_network_the_error_says_what_to_do(places: Any, nobody: FileSource) -> None:
    said = refused("lines", nobody, places)
    assert "source lines could not be downloaded" in said
    assert nobody.url in said
    assert f"expected sha256 {nobody.sha256}" in said
    assert "found    sha256 none" in said
    assert "lines/lines.csv" in said
    assert "ISOGLOSS_MIRROR" in said


def in_mirror(places: Any, content: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    path: Path = places.mirror / "lines" / "lines.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(places.mirror))
    return path


def test_a_source_without_address_comes_from_a_mirror_only(
    places: Any,
    content: bytes,
    pin_at: Callable[..., FileSource],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = pin_at("http://127.0.0.1:9/right").model_copy(update={"url": None})
    said = refused("lines", source, places)
    assert "source lines" in said
    assert source.mirror in said
    assert "ISOGLOSS_MIRROR" in said
    in_mirror(places, content, monkeypatch)
    out = places.project / "lines.csv"
    assert fetch("lines", source, out, places.project).found_in == "mirror"
    assert out.read_bytes() == content


def test_the_mirror_comes_first(
    loopback: Any, places: Any, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_mirror(places, content, monkeypatch)
    out = places.project / "lines.csv"
    located = fetch("lines", loopback.source("right"), out, places.project)
    assert (located.found_in, located.path) == ("mirror", path)
    assert out.read_bytes() == content
    assert loopback.asked == []
    assert places.files() == ["project/lines.csv"]


def test_the_mirror_is_never_written(
    places: Any, content: bytes, nobody: FileSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_mirror(places, content, monkeypatch)
    fetch("lines", nobody, places.project / "lines.csv", places.project)
    assert [p for p in places.mirror.rglob("*") if p.is_file()] == [path]
    assert path.read_bytes() == content


def test_wrong_bytes_in_the_mirror_are_refused_and_not_replaced(
    loopback: Any, places: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_mirror(places, WRONG, monkeypatch)
    source = loopback.source("right")
    said = refused("lines", source, places)
    assert f"mirror {places.mirror}; replace or remove lines/lines.csv there" in said
    assert source.sha256 in said
    assert digest(WRONG) in said
    assert path.read_bytes() == WRONG
    assert loopback.asked == []


def test_a_mirror_without_the_file_is_passed_over(
    loopback: Any, places: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    places.mirror.mkdir()
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(places.mirror))
    out = places.project / "lines.csv"
    assert fetch("lines", loopback.source("right"), out, places.project).found_in == "network"


def test_a_mirror_that_is_not_there_is_an_error(
    loopback: Any, places: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(places.mirror))
    said = refused("lines", loopback.source("right"), places)
    assert "ISOGLOSS_MIRROR" in said
    assert str(places.mirror) in said
    assert loopback.asked == []


def test_the_mirror_beside_the_project_is_used_when_none_is_named(
    places: Any, content: bytes, nobody: FileSource
) -> None:
    beside = places.project.parent / "shared" / "upstream"
    assert mirror_dir(places.project) is None
    (beside / "lines").mkdir(parents=True)
    (beside / "lines" / "lines.csv").write_bytes(content)
    assert mirror_dir(places.project) == beside
    assert locate("lines", nobody, places.project).found_in == "mirror"


def test_a_named_mirror_wins_over_the_one_beside(
    places: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (places.project.parent / "shared" / "upstream").mkdir(parents=True)
    places.mirror.mkdir()
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(places.mirror))
    assert mirror_dir(places.project) == places.mirror


def test_the_cache_serves_without_network(places: Any, content: bytes, nobody: FileSource) -> None:
    places.cached.parent.mkdir(parents=True)
    places.cached.write_bytes(content)
    located = locate("lines", nobody, places.project)
    assert (located.found_in, located.path) == ("cache", places.cached)


def test_a_corrupted_cache_is_named_and_not_used(loopback: Any, places: Any) -> None:
    places.cached.parent.mkdir(parents=True)
    places.cached.write_bytes(WRONG)
    said = refused("lines", loopback.source("right"), places)
    assert str(places.cached) in said
    assert "delete it" in said
    assert digest(WRONG) in said
    assert loopback.asked == []


def test_the_cache_can_be_put_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOGLOSS_CACHE", str(tmp_path / "here"))
    assert cache_dir() == tmp_path / "here"
    monkeypatch.delenv("ISOGLOSS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache_dir().name == "isogloss"


def test_a_cache_that_is_no_folder_is_an_error_not_a_traceback(
    loopback: Any, places: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    places.cache.write_bytes(WRONG)
    said = refused("lines", loopback.source("right"), places)
    assert str(places.cache) in said


def test_a_folder_in_the_place_of_the_output_is_an_error_not_a_traceback(
    loopback: Any, places: Any
) -> None:
    out = places.project / "lines.csv"
    out.mkdir()
    with pytest.raises(SourceError, match=r"lines\.csv"):
        fetch("lines", loopback.source("right"), out, places.project)
    assert list(out.iterdir()) == []


def test_hateful_content_needs_leave(
    loopback: Any, places: Any, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_mirror(places, content, monkeypatch)
    source = loopback.source("right", hateful=True)
    said = refused("lines", source, places)
    assert "source lines contains hateful content" in said
    assert "allow_hateful_content: true" in said
    out = places.project / "lines.csv"
    fetch("lines", source, out, places.project, allow_hateful=True)
    assert out.read_bytes() == content


def test_leave_for_hateful_content_is_no_leave_for_wrong_bytes(
    loopback: Any, places: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_mirror(places, WRONG, monkeypatch)
    source = loopback.source("right", hateful=True)
    with pytest.raises(SourceError, match="other bytes than its pin"):
        locate("lines", source, places.project, allow_hateful=True)


def test_bytes_that_change_between_check_and_copy_are_refused(
    places: Any,
    content: bytes,
    pin_at: Callable[..., FileSource],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = in_mirror(places, content, monkeypatch)

    def copy_after_a_change(_: Path, target: Path) -> None:
        path.write_bytes(WRONG)
        target.write_bytes(WRONG)

    monkeypatch.setattr("isogloss.fetch.obtain.shutil.copyfile", copy_after_a_change)
    said = refused("lines", pin_at("http://127.0.0.1:9/right"), places)
    assert digest(WRONG) in said
