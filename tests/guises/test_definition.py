from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.guises.definition import load_guise, load_guises

GOOD = """
name: soft
title: Soft speech
phenomenon: Statements come with less weight.
devices:
  - name: adverb
    what: An adverb takes weight off.
    examples: [It perhaps works.]
    source: a1990
keep: [every number]
lexicon: data/lexicons/soft.yaml
density: {least: 20, most: 120, reference_most: 10}
sources: {a1990: A reference.}
"""


def write(folder: Path, content: str, name: str = "soft") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(content, encoding="utf-8")
    return path


def test_a_definition_is_read(tmp_path: Path) -> None:
    guise = load_guise(write(tmp_path, GOOD))
    assert guise.measure == "lexicon"
    assert [device.name for device in guise.devices] == ["adverb"]
    assert guise.density is not None
    assert guise.density.most == 120
    assert (guise.moves, guise.overlaps, guise.labels, guise.rule) == ((), (), (), None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title:", "titel:", "title: Field required|titel: Extra inputs"),
        ("keep: [every number]", "keep: []", "keep: .*at least 1"),
        ("examples: [It perhaps works.]", "examples: []", r"devices\.0\.examples: "),
        ("name: soft", "name: gentle", "name is 'gentle'; it must be 'soft'"),
        ("name: soft", "name: Soft!", "name: "),
        ("source: a1990", "source: b1991", "source b1991 of a device is not among"),
        ("least: 20", "least: 130", "least must be below most"),
        ("reference_most: 10", "reference_most: 30", "reference_most must not be above least"),
        ("reference_most: 10", "reference_most: 10, gain: 0", r"density\.gain: "),
        ("least: 20", "least: 5", "reference_most must not be above least"),
        ("least: 20", "least: -1", r"density\.least: "),
        ("least: 20", "least: .nan", "density"),
        ("most: 120", "most: .inf", "density"),
        ("lexicon: data/lexicons/soft.yaml\n", "", "lexicon belongs to measure"),
        ("lexicon: data", "measure: aae\nlexicon: data", "lexicon belongs to measure"),
        ("density: {", "moves: [colour]\ndensity: {", r"moves\.0: "),
        ("density: {", "measure: parser\ndensity: {", "measure: "),
        ("keep:", "keep: [a", "cannot be read"),
        ("title: Soft speech", "title: A\ntitle: B", "cannot be read"),
        (GOOD, "", "the file: "),
        (GOOD, "- a list", "the file: "),
    ],
)
def test_a_faulty_file_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ItemError, match=message) as error:
        load_guise(path)
    assert str(error.value).startswith(f"{path}: ")


def test_a_gain_lets_the_reference_have_devices_too(tmp_path: Path) -> None:
    content = GOOD.replace("reference_most: 10", "reference_most: 90, gain: 35")
    density = load_guise(write(tmp_path, content)).density
    assert density is not None
    assert (density.reference_most, density.gain) == (90, 35)


def test_a_device_is_defined_once(tmp_path: Path) -> None:
    device = GOOD[GOOD.index("  - name: adverb") : GOOD.index("keep:")]
    with pytest.raises(ItemError, match="a device is defined twice"):
        load_guise(write(tmp_path, GOOD.replace(device, 2 * device)))


def test_a_guise_measured_by_articles_has_no_density(tmp_path: Path) -> None:
    content = GOOD.replace("lexicon: data/lexicons/soft.yaml", "measure: articles")
    with pytest.raises(ItemError, match="density must be given, except"):
        load_guise(write(tmp_path, content))


def test_what_is_no_definition_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"absent\.yaml"):
        load_guise(tmp_path / "absent.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9")
    with pytest.raises(ItemError, match=r"latin\.yaml"):
        load_guise(tmp_path / "latin.yaml")
    with pytest.raises(ItemError, match=r"deep\.yaml"):
        load_guise(write(tmp_path, "name: " + "[" * 20_000, "deep"))
    with pytest.raises(ItemError, match=r"huge\.yaml: more than"):
        load_guise(write(tmp_path, GOOD + "# x\n" * 1_000_000, "huge"))


def test_an_overlap_must_exist(tmp_path: Path) -> None:
    write(tmp_path, GOOD + "overlaps: [hard]\n")
    with pytest.raises(ItemError, match="overlaps: no guise 'hard'"):
        load_guises(tmp_path)
    write(tmp_path, GOOD.replace("name: soft", "name: hard"), "hard")
    assert set(load_guises(tmp_path)) == {"soft", "hard"}
