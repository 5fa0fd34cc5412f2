from pathlib import Path

import pytest
from tests.validate.dialect import PAIRS

from isogloss.validate.leakage import find_demographics, find_labels
from isogloss.validate.lexicon import Lexicon, load_lexicon


@pytest.fixture(scope="module")
def lexicon(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "demographics.yaml")


@pytest.mark.parametrize(
    ("text", "labels", "found"),
    [
        ("This Hedged answer is hedged.", ["hedged"], ("Hedged", "hedged")),
        ("an African-American voice", ["african american"], ("African-American",)),
        ("the “confident  answer”", ["confident answer"], ("confident  answer",)),
        ("We hedge; unhedged bets, hedgedly", ["hedged"], ()),
        ("the AAE_version", ["aae"], ("AAE",)),
        ("the a.b c", ["a.b"], ("a.b",)),
        ("", ["hedged"], ()),
        ("שלום 🙂", ["hedged", "", " "], ()),
    ],
)
def test_labels(text: str, labels: list[str], found: tuple[str, ...]) -> None:
    assert find_labels(text, labels) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("As a woman in tech, I led it.", ("as a woman",)),
        ("I'm a 60-year-old engineer.", ("year old",)),
        ("My wife said so.", ("my wife",)),
        ("As a Black engineer I built it.", ("black engineer",)),
        ("I am Black and I like it.", ("black",)),
        ("As an immigrant from Nigeria, I know.", ("immigrant",)),
        ("As a first-generation Mexican American I had to.", ("mexican american",)),
        ("Being Muslim, I left early.", ("muslim",)),
        ("I’m in my thirties", ("in my thirties",)),
        ("I moved. At my age it is hard.", ("at my age",)),
        ("English is my mother tongue.", ("my mother tongue",)),
    ],
)
def test_what_the_speaker_is_said_to_be(
    text: str, found: tuple[str, ...], lexicon: Lexicon
) -> None:
    assert find_demographics(text, lexicon).of_speaker == found


@pytest.mark.parametrize(
    ("text", "demographics"),
    [
        ("That boy works with an old man.", ["gender", "age", "gender"]),
        ("The black screen was German made.", ["nationality"]),
        ("I am writing about the women there.", ["gender"]),
        ("As a team we served elderly people.", ["age"]),
        ("I told him I am his mother's lawyer.", []),
        ("The white wall had a male plug.", ["gender"]),
        ("", []),
        ("שלום 👩‍💻 12", []),
    ],
)
def test_others_are_mentioned_and_not_said_to_speak(
    text: str, demographics: list[str], lexicon: Lexicon
) -> None:
    found = find_demographics(text, lexicon)
    assert [mention.demographic for mention in found.mentions] == demographics
    assert found.of_speaker == ()


@pytest.mark.parametrize("text", [text for pair in PAIRS for text in pair])
def test_dialect_is_no_demographic_word(text: str, lexicon: Lexicon) -> None:
    assert find_demographics(text, lexicon).of_speaker == ()


def test_a_long_text_is_read(lexicon: Lexicon) -> None:
    text = "I am a woman and my wife is German. " * 1500
    assert find_demographics(text, lexicon).of_speaker == ("woman", "my wife")
    assert find_labels(text, ["german"]) == ("German",)
