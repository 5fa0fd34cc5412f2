"""The pins in data/sources.yaml: readable, complete, and equal to the published bytes."""

import re
from pathlib import Path

import pytest
import yaml

from isogloss.errors import ConfigurationError
from isogloss.fetch import FileSource, PackageSource, load_sources, source_named
from isogloss.fetch.obtain import sha256_of

PIN = {
    "kind": "file",
    "title": "Lines",
    "url": "https://example.org/lines.csv",
    "mirror": "lines.csv",
    "sha256": "a" * 64,
    "bytes": 3,
    "licence": "CC0-1.0",
    "citation": "nobody2026",
}


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "sources.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def fault(tmp_path: Path, content: object) -> str:
    path = written(tmp_path, content)
    with pytest.raises(ConfigurationError) as refusal:
        load_sources(path)
    assert str(path) in str(refusal.value)
    return str(refusal.value)


def test_every_pin_of_the_project_loads(project: Path) -> None:
    sources = load_sources(project / "data" / "sources.yaml")
    assert {type(source) for source in sources.values()} == {FileSource, PackageSource}
    assert list(sources) == list(
        yaml.safe_load((project / "data" / "sources.yaml").read_text(encoding="utf-8"))
    )


def test_no_two_pins_are_the_same_file(project: Path) -> None:
    pins = list(load_sources(project / "data" / "sources.yaml").values())
    assert len({pin.sha256 for pin in pins}) == len(pins)


def test_addresses_name_a_commit_so_that_they_cannot_change(project: Path) -> None:
    for name, pin in load_sources(project / "data" / "sources.yaml").items():
        if isinstance(pin, FileSource) and pin.url and "githubusercontent.com" in pin.url:
            assert re.search(r"/[0-9a-f]{40}/", pin.url), name
            assert pin.url.rsplit("/", 1)[1] == Path(pin.mirror).name, name


@pytest.mark.mirror
def test_pins_equal_the_bytes_in_the_mirror(project: Path, mirror: Path) -> None:
    pins = load_sources(project / "data" / "sources.yaml")
    files = {name: pin for name, pin in pins.items() if isinstance(pin, FileSource)}
    found = {
        name: (sha256_of(mirror / pin.mirror), (mirror / pin.mirror).stat().st_size)
        for name, pin in files.items()
    }
    assert found == {name: (pin.sha256, pin.bytes) for name, pin in files.items()}


def test_every_citation_is_in_the_bibliography(project: Path) -> None:
    text = (project / "reports" / "references.bib").read_text(encoding="utf-8")
    keys = set(re.findall(r"^@\w+\{([^,\s]+),", text, re.MULTILINE))
    cited = {pin.citation for pin in load_sources(project / "data" / "sources.yaml").values()}
    assert cited - keys == set()


def test_a_good_pin_loads(tmp_path: Path) -> None:
    assert load_sources(written(tmp_path, {"lines": PIN})) == {
        "lines": FileSource.model_validate(PIN)
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sha256": "a" * 63}, "lines.sha256"),
        ({"sha256": "A" * 64}, "lines.sha256"),
        ({"bytes": "3"}, "lines.bytes"),
        ({"bytes": -1}, "lines.bytes"),
        ({"url": "ftp://example.org/lines.csv"}, "lines.url"),
        ({"hateful": "no"}, "lines.hateful"),
        ({"checksum": "x"}, "lines.checksum"),
        ({"kind": "folder"}, "lines.kind: must be file or package (found 'folder')"),
        ({"kind": ["file"]}, "lines.kind: must be file or package (found ['file'])"),
        ({"kind": "package"}, "lines.package"),
    ],
)
def test_a_bad_pin_is_named_with_its_field(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    assert said in fault(tmp_path, {"lines": {**PIN, **change}})


@pytest.mark.parametrize("field", sorted(set(PIN) - {"kind"}))
def test_a_field_left_out_is_named(tmp_path: Path, field: str) -> None:
    given = {name: value for name, value in PIN.items() if name != field}
    assert f"lines.{field}: " in fault(tmp_path, {"lines": given})


@pytest.mark.parametrize("content", [None, ["lines"], "lines"])
def test_a_file_that_maps_nothing(tmp_path: Path, content: object) -> None:
    assert "must map each source's id to its pin" in fault(tmp_path, content)


@pytest.mark.parametrize("given", [None, "https://example.org", []])
def test_an_entry_that_is_no_mapping(tmp_path: Path, given: object) -> None:
    assert "lines.kind: must be file or package" in fault(tmp_path, {"lines": given})


def test_an_id_given_twice(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text("lines: {kind: file}\nlines: {kind: file}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="line 2: key 'lines' is given twice"):
        load_sources(path)


def test_source_named_suggests_the_nearest() -> None:
    sources = {"lines": FileSource.model_validate(PIN)}
    assert source_named(sources, "lines").title == "Lines"
    with pytest.raises(ConfigurationError, match="no source 'line'; did you mean 'lines'"):
        source_named(sources, "line")
    with pytest.raises(ConfigurationError, match=r"no source 'something else'$"):
        source_named(sources, "something else")
