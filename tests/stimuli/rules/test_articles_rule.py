from isogloss.stimuli.rules import RULES, Span
from isogloss.validate.articles import remove_articles

omit = RULES["articles"]


def test_the_places_of_the_articles_are_told() -> None:
    rewriting = omit("The team met a client.")
    assert rewriting.text == "Team met client."
    assert rewriting.spans == (
        Span(0, 1, "The t", "T", "article"),
        Span(9, 9, "a ", "", "article"),
    )


def test_the_text_is_that_by_which_the_guise_is_checked(texts: tuple[str, ...]) -> None:
    for text in texts:
        assert omit(text).text == remove_articles(text)
        assert {span.device for span in omit(text).spans} <= {"article"}


def test_labels_and_names_keep_their_article() -> None:
    assert omit("Plan A beat the A/B test in The Hague.").text == (
        "Plan A beat A/B test in The Hague."
    )


def test_articles_side_by_side_can_be_undone() -> None:
    text = "A the an a. I saw the the cat."
    assert omit(text).undone() == text
