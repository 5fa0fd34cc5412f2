"""The guises that the project ships: whole, consistent, and found in their own examples."""

from collections.abc import Mapping

import pytest

from isogloss.guises.definition import GuiseDefinition
from isogloss.guises.measure import Finder, LexiconFinder

NAMES = (
    *("hedged", "accent", "aae", "psychosocial", "object_words", "connection", "status"),
    *("qualifiers", "emotional", "agentic", "communal", "inclusive", "coded_exclusion"),
)
COUNTERPARTS = (
    ("psychosocial", "object_words"),
    ("connection", "status"),
    ("agentic", "communal"),
    ("inclusive", "coded_exclusion"),
)
PLAIN = (
    "I moved the depot to the north of the town in 2019. The new site has 14 loading bays, and the "
    "trucks leave at 05:30.",
    "Six drivers start at noon. The route to the hospital takes 40 minutes, and the last parcel is "
    "out by 17:00.",
)


def test_all_guises_are_there(guises: Mapping[str, GuiseDefinition]) -> None:
    assert set(NAMES) <= set(guises)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "accent"])
def test_examples_hold_their_device(
    name: str, guises: Mapping[str, GuiseDefinition], finders: Mapping[str, Finder]
) -> None:
    for device in guises[name].devices:
        for example in device.examples:
            found = {marker.device for marker in finders[name].find(example)}
            assert device.name in found, f"{device.name}: {example}"


def test_examples_of_the_accent_have_no_article(
    guises: Mapping[str, GuiseDefinition], finders: Mapping[str, Finder]
) -> None:
    for device in guises["accent"].devices:
        assert not any(finders["accent"].find(example) for example in device.examples)


@pytest.mark.parametrize("name", NAMES)
def test_every_class_of_the_lexicon_is_a_device(
    name: str, guises: Mapping[str, GuiseDefinition], finders: Mapping[str, Finder]
) -> None:
    finder = finders[name]
    if isinstance(finder, LexiconFinder):
        devices = {device.name for device in guises[name].devices}
        assert devices == set(finder.lexicon.classes)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in {"accent", "object_words"}])
@pytest.mark.parametrize("text", PLAIN)
def test_plain_speech_holds_no_device(name: str, text: str, finders: Mapping[str, Finder]) -> None:
    assert finders[name].find(text) == ()


@pytest.mark.parametrize("name", [n for n in NAMES if n != "accent"])
def test_one_device_in_a_short_text_can_be_told_from_none(
    name: str, guises: Mapping[str, GuiseDefinition]
) -> None:
    """A text of 15 words in which every word is a device is too dense, and two devices in a text of
    25 words are enough: the limits fit texts of the length that is written.
    """
    density = guises[name].density
    assert density is not None
    assert density.least <= 1000 * 2 / 25
    assert density.most < 1000


@pytest.mark.parametrize(("one", "other"), COUNTERPARTS)
def test_counterparts_are_held_alike_and_do_not_overlap(
    one: str, other: str, guises: Mapping[str, GuiseDefinition], finders: Mapping[str, Finder]
) -> None:
    assert other not in guises[one].overlaps
    assert one not in guises[other].overlaps
    for mine, theirs in ((one, other), (other, one)):
        shown = [example for device in guises[mine].devices for example in device.examples]
        assert not [text for text in shown if finders[theirs].find(text)]


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_in_lower_case_and_no_device_by_themselves(
    name: str, guises: Mapping[str, GuiseDefinition], finders: Mapping[str, Finder]
) -> None:
    guise = guises[name]
    assert guise.labels == tuple(label.lower() for label in guise.labels)
    words = [label for label in guise.labels if " " not in label]
    assert not [word for word in words if finders[name].find(word)]
