from pathlib import Path

import pytest
from tests.validate.dialect import PAIRS

from isogloss.errors import ItemError
from isogloss.validate.spelling import Vocabulary, is_known, load_vocabulary, measure_spelling


@pytest.fixture(scope="module")
def vocabulary(project: Path) -> Vocabulary:
    return load_vocabulary(project / "data" / "lexicons" / "vocabulary.yaml")


@pytest.mark.parametrize(
    "word",
    [
        "teh",
        "recieve",
        "occured",
        "seperate",
        "definately",
        "accomodate",
        "untill",
        "thier",
        "enviroment",
        "managment",
        "alot",
        "cant",
        "succesful",
        "begining",
        "beleive",
        "commited",
        "developement",
        "becuase",
        "dont",
        "tommorow",
        "helpd",
        "lern",
    ],
)
def test_slips_are_not_known(word: str, vocabulary: Vocabulary) -> None:
    assert not is_known(word, vocabulary)


@pytest.mark.parametrize(
    "word",
    [
        "colour",
        "organise",
        "organisation",
        "centre",
        "travelled",
        "programme",
        "behaviour",
        "analysed",
        "defence",
        "grey",
        "modelling",
        "licence",
        "fulfil",
        "anaemia",
        "learnt",
        "burnt",
        "catalogue",
        "color",
        "organize",
        "center",
        "traveled",
        "gray",
        "don't",
        "it's",
        "children's",
        "café",
        "naïve",
        "onboarding",
        "stakeholders",
        "refactored",
        "microservices",
        "kg",
    ],
)
def test_british_american_and_new_words_are_known(word: str, vocabulary: Vocabulary) -> None:
    assert is_known(word, vocabulary)


@pytest.mark.parametrize("text", [text for pair in PAIRS for text in pair])
def test_dialect_is_not_misspelt(text: str, vocabulary: Vocabulary) -> None:
    assert measure_spelling(text, vocabulary).unknown == ()


@pytest.mark.parametrize(
    "word", ["workin", "workin'", "nothin'", "finna", "tryna", "y'all", "gon", "dey"]
)
def test_spellings_of_speech_are_known(word: str, vocabulary: Vocabulary) -> None:
    assert measure_spelling(f"we {word} now", vocabulary).unknown == ()


@pytest.mark.parametrize(
    "text",
    [
        "We met Xylbrtz at Qorvane and used ZKPRX, EC2b and libFoo.",
        "See https://xqzt.example/qqq, mail qxz@abc.example or run `qzrm -f /usr/qbn`.",
        "Hartwell runs it.",
        "שלום Привет 👩‍💻 40 3rd",
        "",
    ],
)
def test_names_links_code_and_other_scripts_are_not_looked_up(
    text: str, vocabulary: Vocabulary
) -> None:
    assert measure_spelling(text, vocabulary).unknown == ()


def test_unknown_words_are_listed_once_in_order(vocabulary: Vocabulary) -> None:
    found = measure_spelling("We recieved it. Recieved twice, and shiped it.", vocabulary)
    assert found.unknown == ("recieved", "shiped")
    assert found.looked_up == 6  # we, recieved, it, twice, and, shiped


def test_a_slip_at_the_start_of_a_sentence_is_found(vocabulary: Vocabulary) -> None:
    assert measure_spelling("Becuase it rained.", vocabulary).unknown == ("becuase",)


def test_words_of_the_reference_and_allowed_ones_are_left_out(vocabulary: Vocabulary) -> None:
    text = "the zorgle and the blarf"
    assert measure_spelling(text, vocabulary).unknown == ("zorgle", "blarf")
    assert measure_spelling(text, vocabulary, reference="A zorgle.").unknown == ("blarf",)
    assert measure_spelling(text, vocabulary, allowed={"blarf"}).unknown == ("zorgle",)


def test_a_long_text_is_read(vocabulary: Vocabulary) -> None:
    text = "We recieved the plan. " * 5000 + "a/" * 50_000 + "`" * 50_000
    assert measure_spelling(text, vocabulary).unknown == ("recieved",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"general: a b\n", "dialect: Field required"),
        (b"- a\n", "cannot be read"),
        (b"general: [", "cannot be read"),
        (b"\xff", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "words.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ItemError, match=rf"words\.yaml: .*{message}"):
        load_vocabulary(path)
