"""The grid of an audit: what files may say, and what it is crossed to."""

from pathlib import Path

import pytest

from isogloss.audit.grid import (
    DEFAULT_ATTRIBUTES,
    MOST_PERSONAS,
    Background,
    grid_of,
    read_attributes,
    read_backgrounds,
)
from isogloss.errors import ConfigurationError
from isogloss.postings.personas import Attribute, Value

AGE = """\
attributes:
  age:
    label: Age
    values: {young: "25", old: "61"}
    reference: young
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_grid_has_every_persona_once() -> None:
    grid = grid_of(DEFAULT_ATTRIBUTES, (Background("bare", "Nothing."),))
    names = [persona.name for persona in grid.personas]
    assert len(names) == len(set(names)) == 1 + 8
    by_name = {persona.name: grid.attributes_of(persona) for persona in grid.personas}
    assert by_name["unspecified"] == (("gender", ""), ("race", ""))
    assert by_name["female, black"] == (("gender", "female"), ("race", "black"))


def test_attributes_are_read_from_a_file(tmp_path: Path) -> None:
    (age,) = read_attributes(written(tmp_path / "p.yaml", AGE))
    assert age == Attribute("age", "Age", (Value("young", "25"), Value("old", "61")), "young")
    grid = grid_of((age,), (Background("bare", "Nothing."),))
    assert [persona.name for persona in grid.personas] == ["unspecified", "young", "old"]


def test_one_group_is_a_grid_all_the_same(tmp_path: Path) -> None:
    text = AGE.replace(', old: "61"', "")
    grid = grid_of(read_attributes(written(tmp_path / "p.yaml", text)), ())
    assert [persona.name for persona in grid.personas] == ["unspecified", "young"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "must be a mapping"),
        ("attributes: {}", "attributes: "),
        (AGE.replace("reference: young", "reference: nobody"), "'nobody' is not one of the values"),
        (AGE.replace('"61"', '"25"'), "two values have the same label"),
        (AGE.replace('"61"', '"a\\nb"'), "attributes.age.values.old"),
        (AGE.replace('"61"', f'"{"x" * 301}"'), "attributes.age.values.old"),
        (AGE.replace("label", "lable"), "attributes.age.label: Field required"),
        (AGE + "attributes: {}\n", "attributes"),
        ("- a\n", "must be a mapping"),
    ],
)
def test_a_faulty_file_is_named_with_its_field(tmp_path: Path, text: str, fault: str) -> None:
    path = written(tmp_path / "p.yaml", text)
    with pytest.raises(ConfigurationError) as caught:
        read_attributes(path)
    assert str(path) in str(caught.value)
    assert fault in str(caught.value)


def test_a_value_called_like_nobody_is_turned_down() -> None:
    one = Attribute("age", "Age", (Value("unspecified", "Any"), Value("old", "61")), "old")
    with pytest.raises(ConfigurationError, match="two personas would be called 'unspecified'"):
        grid_of((one,), ())


def test_too_many_personas_are_turned_down() -> None:
    many = [
        Attribute(letter, letter, tuple(Value(f"{letter}{n}", str(n)) for n in range(20)), "0")
        for letter in "ab"
    ]
    with pytest.raises(ConfigurationError, match=f"use {MOST_PERSONAS} at the most"):
        grid_of(tuple(many), ())


def test_the_shipped_backgrounds_speak_of_no_group(project: Path) -> None:
    found = read_backgrounds(project / "data" / "audit" / "backgrounds.yaml")
    assert len(found) == len({one.text for one in found}) == 20
    words = {word.strip(".,").lower() for one in found for word in one.text.split()}
    telling = {"he", "she", "his", "her", "him", "mother", "father", "church", "native", "wife"}
    assert not words & telling


def test_backgrounds_need_a_text(tmp_path: Path) -> None:
    path = written(tmp_path / "b.yaml", "backgrounds: {bare: ''}")
    with pytest.raises(ConfigurationError, match=r"b\.yaml: backgrounds\.bare"):
        read_backgrounds(path)
