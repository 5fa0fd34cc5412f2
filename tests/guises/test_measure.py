from collections.abc import Mapping
from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.guises.definition import GuiseDefinition
from isogloss.guises.measure import Finder, density, finder_of
from isogloss.validate.tokens import count_words

LEXICON = """
name: soft
language: en
sources: {a1990: A reference.}
classes:
  adverb: {description: d, sources: [a1990], entries: [perhaps, 'soft*']}
  verb: {description: d, sources: [a1990], entries: [i guess]}
"""
GUISE = {
    "name": "soft",
    "title": "Soft speech",
    "phenomenon": "Less weight.",
    "devices": [
        {"name": "adverb", "what": "w", "examples": ["Perhaps it works."], "source": "a1990"}
    ],
    "keep": ["numbers"],
    "lexicon": "soft.yaml",
    "density": {"least": 20, "most": 120, "reference_most": 10},
    "sources": {"a1990": "A reference."},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "soft.yaml").write_text(LEXICON, encoding="utf-8")
    return tmp_path


def test_markers_are_cut_from_the_text(folder: Path) -> None:
    text = "👍 Perhaps, I guess, it SOFTLY works."
    found = finder_of(GuiseDefinition.model_validate(GUISE), folder).find(text)
    assert [(m.start, m.end, m.text, m.device) for m in found] == [
        (2, 9, "Perhaps", "adverb"),
        (23, 29, "SOFTLY", "adverb"),
    ]
    assert all(text[m.start : m.end] == m.text for m in found)


def test_only_devices_of_the_guise_count(folder: Path) -> None:
    verb = {"name": "verb", "what": "w", "examples": ["I guess so."], "source": "a1990"}
    guise = GuiseDefinition.model_validate({**GUISE, "devices": [verb]})
    assert [m.text for m in finder_of(guise, folder).find("Perhaps, I guess.")] == ["I guess"]


def test_a_device_without_a_class_is_refused(folder: Path) -> None:
    device = {"name": "noun", "what": "w", "examples": ["e"], "source": "a1990"}
    guise = GuiseDefinition.model_validate({**GUISE, "devices": [device]})
    with pytest.raises(
        ItemError, match=r"'noun' is no class of soft\.yaml; those are adverb, verb"
    ):
        finder_of(guise, folder)


@pytest.mark.parametrize(
    ("measure", "least"),
    [("aae", {"least": 40, "most": 400, "reference_most": 0}), ("articles", None)],
)
def test_a_device_without_a_feature_is_refused(measure: str, least: object, folder: Path) -> None:
    content = {**GUISE, "measure": measure, "lexicon": None, "density": least}
    guise = GuiseDefinition.model_validate(content)
    with pytest.raises(ItemError, match=f"guise soft: device 'adverb' .* measure {measure}"):
        finder_of(guise, folder)


def test_a_missing_lexicon_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"soft\.yaml: the lexicon cannot be read"):
        finder_of(GuiseDefinition.model_validate(GUISE), tmp_path)


def test_articles_that_are_left_are_found(finders: Mapping[str, Finder]) -> None:
    text = "The driver took an early van to The Hague, a long way."
    found = [(m.text, m.device) for m in finders["accent"].find(text)]
    assert found == [("The", "article"), ("an", "article"), ("a", "article")]


@pytest.mark.parametrize(
    ("name", "text", "devices"),
    [
        ("hedged", "I think it may, you know.", "lexical modal discourse"),
        ("hedged", "It is sort of slow.", "approximator"),
        ("qualifiers", "It just went really well.", "minimisers intensifiers"),
        ("qualifiers", "It was quite late.", "downtoners"),
        ("qualifiers", "So it went on, so that it ended.", ""),
        ("emotional", "I was proud, and then I worried.", "positive negative"),
        ("psychosocial", "My colleagues talked.", "people talk"),
        ("psychosocial", "I knew it and cared for it.", "thought care"),
        ("object_words", "The system had a cost.", "things money"),
        ("object_words", "Its size slowed the procedure.", "amounts operations"),
        ("connection", "Together we agreed.", "togetherness togetherness agreement"),
        ("connection", "It helped them.", "support"),
        ("status", "I led it myself and beat the expert.", "leading alone rank authority"),
        ("agentic", "A competitive, self-reliant leader.", "competition independence leadership"),
        ("agentic", "The lead time of an analyst leads to each individual.", ""),
        ("communal", "Supportive and loyal.", "care commitment"),
        ("communal", "Co-operative, with feeling.", "cooperation feeling"),
        ("communal", "A committee is responsible for this kind of SharePoint.", ""),
        ("inclusive", "All backgrounds, regardless of age.", "welcome equal_opportunity"),
        ("inclusive", "A price adjustment of the same kind.", ""),
        ("coded_exclusion", "Polished digital natives with culture fit.", "polish age fit"),
        ("coded_exclusion", "You fit tyres and speak with customers.", ""),
    ],
)
def test_devices_of_the_shipped_guises(
    name: str, text: str, devices: str, finders: Mapping[str, Finder]
) -> None:
    assert [m.device for m in finders[name].find(text)] == devices.split()


def test_density_is_per_thousand_words(finders: Mapping[str, Finder]) -> None:
    text = "I was proud, and then I worried about two late trains."
    assert density(len(finders["emotional"].find(text)), count_words(text)) == pytest.approx(
        2000 / 11
    )
    assert density(0, 7) == 0
    with pytest.raises(ValueError, match="without words"):
        density(0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "👍🏽 …",
        "1 2 3",
        "\u200fשלום, אני חושב שכן. مرحبا بكم",
        "<script>alert('x')</script>",
    ],
)
def test_texts_without_english_words_hold_nothing(text: str, finders: Mapping[str, Finder]) -> None:
    assert not [name for name, finder in finders.items() if finder.find(text)]


def test_a_text_of_forty_pages_is_measured(finders: Mapping[str, Finder]) -> None:
    """Every sentence counts as it does by itself."""
    text = "She be working late, I think, and they led us together. " * 2000
    for name in ("aae", "hedged", "connection", "status"):
        assert len(finders[name].find(text)) == 2000 * len(finders[name].find(text[:56]))
