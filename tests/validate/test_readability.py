import pytest

from isogloss.validate.readability import Readability, measure_readability
from isogloss.validate.syllables import count_syllables

SYLLABLES = {
    1: "the cat work worked through shipped one there eyes moved changed don't can't aren't plague",
    2: "table wanted needed ended isn't wouldn't doing lion being science people safety houses "
    "changes boxes homework reply quiet business minutes water",
    3: "animal beautiful area idea radio employer medium whatever actual",
    4: "experience information communicate evaluate ability society television",
    5: "organisation university communication",
    6: "responsibility",
}
SUFFIXED = {"SQL": 3, "AWS": 5, "NATIONAL": 3, "CAN’T": 1, "40": 2, "2026": 4}


@pytest.mark.parametrize(
    ("word", "count"), [(word, n) for n, words in SYLLABLES.items() for word in words.split()]
)
def test_syllables(word: str, count: int) -> None:
    assert count_syllables(word) == count


@pytest.mark.parametrize(("word", "count"), SUFFIXED.items())
def test_figures_and_acronyms_are_spelled_out(word: str, count: int) -> None:
    assert count_syllables(word) == count


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("The cat sat on the mat.", (1, 6, 6)),
        ("I led the team. We failed.", (2, 6, 6)),
        ("Problem-solving skills helped", (1, 4, 6)),
        ("", (0, 0, 0)),
        ("🙂 … !", (0, 0, 0)),
        ("שלום עולם", (0, 0, 0)),
        ("12.", (1, 1, 2)),
    ],
)
def test_counts(text: str, counts: tuple[int, int, int]) -> None:
    assert measure_readability(text) == Readability(*counts)


def test_the_grade_is_that_of_the_formula() -> None:
    # 0.39 * 6 + 11.8 * 1 - 15.59, the published figure for this sentence.
    assert measure_readability("The cat sat on the mat.").grade == pytest.approx(-1.45)
    # 0.39 * 20 / 2 + 11.8 * 30 / 20 - 15.59
    assert Readability(2, 20, 30).grade == pytest.approx(6.01)
    assert Readability(2, 20, 30).sentence_length == 10


def test_a_text_without_words_has_no_grade() -> None:
    assert measure_readability("🙂").grade is None
    assert measure_readability("🙂").sentence_length is None


def test_longer_words_and_longer_sentences_raise_the_grade() -> None:
    plain = measure_readability("We cut the cost. We told the team.").grade
    longer = measure_readability("We cut the cost and told the team.").grade
    harder = measure_readability("We reduced expenditure. We notified everybody.").grade
    assert plain is not None
    assert longer is not None
    assert harder is not None
    assert plain < longer
    assert plain < harder
