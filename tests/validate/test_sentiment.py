import pytest

from isogloss.validate.sentiment import measure_sentiment


@pytest.mark.parametrize(
    ("text", "compound"),
    [
        # Examples that VADER's authors publish with their scores.
        ("VADER is smart, handsome, and funny.", 0.8316),
        ("VADER is smart, handsome, and funny!", 0.8439),
        ("VADER is VERY SMART, handsome, and FUNNY.", 0.9227),
        ("VADER is not smart, handsome, nor funny.", -0.7424),
        ("The book was good.", 0.4404),
        ("At least it isn't a horrible book.", 0.431),
    ],
)
def test_published_examples(text: str, compound: float) -> None:
    assert measure_sentiment(text).compounds == (compound,)
    assert measure_sentiment(text).valence == compound


def test_the_valence_is_the_mean_over_sentences() -> None:
    found = measure_sentiment("The book was good. We met. We met again.")
    assert found.compounds == (0.4404, 0, 0)
    assert found.valence == pytest.approx(0.4404 / 3)


def test_the_form_of_the_apostrophe_does_not_matter() -> None:
    assert measure_sentiment("It isn’t good.") == measure_sentiment("It isn't good.")


@pytest.mark.parametrize("text", ["", " ", "…", "♞"])
def test_a_text_without_words_has_no_valence(text: str) -> None:
    assert measure_sentiment(text).valence is None


def test_an_emoji_is_scored() -> None:
    assert (measure_sentiment("😁").valence or 0) > 0


def test_long_and_odd_texts_are_scored_within_bounds() -> None:
    for text in ("good but bad and " * 5000, "!" * 100_000, "שלום עולם", "12 345", "GOOD" * 40_000):
        assert all(-1 <= compound <= 1 for compound in measure_sentiment(text).compounds)
