import pytest

from isogloss.validate.articles import (
    bound_articles,
    count_articles,
    describe_other_changes,
    is_without_articles,
    remove_articles,
)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("I led a team and the audit of an app.", "I led team and audit of app."),
        ("The team grew. A plan helped.", "Team grew. Plan helped."),
        ("The 5G rollout went on.", "5G rollout went on."),
        ("Plan A beat plan B in The Hague.", "Plan A beat plan B in The Hague."),
        ("A/B tests ran at 9 a.m. daily.", "A/B tests ran at 9 a.m. daily."),
        ("“The plan,” she said.", "“Plan,” she said."),
        ("In the end, the team won", "In end, team won"),
        ("Then there is anthem and other.", "Then there is anthem and other."),
        ("Mid-sentence: the plan.", "Mid-sentence: plan."),
        ("the", ""),
        ("", ""),
        ("שלום the 🚀", "שלום 🚀"),
    ],
)
def test_articles_are_removed(text: str, without: str) -> None:
    assert remove_articles(text) == without
    assert is_without_articles(without, text)
    assert count_articles(without) == 0


def test_only_an_opened_sentence_may_be_recapitalised() -> None:
    reference = "The team met a client. An audit followed."
    assert is_without_articles("team met client. Audit followed.", reference)
    assert is_without_articles("Team met client. audit followed.", reference)
    assert not is_without_articles("Team met Client. Audit followed.", reference)
    assert not is_without_articles("TEam met client. Audit followed.", reference)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I led team and audit.", ""),
        ("I led team and the audit.", "articles left: 1"),
        ("I led team and  audit.", "spacing differs"),
        ("I led team, audit.", "lost: and; added: ,"),
        ("I lead team and audit", "lost: led, .; added: lead"),
        ("I lead a team and audit.", "articles left: 1; lost: led; added: lead"),
        ("", "lost: I, led, team, and, audit, ."),
    ],
)
def test_other_changes_are_named(text: str, reason: str) -> None:
    assert describe_other_changes(text, "I led a team and the audit.") == reason


def test_articles_that_carry_meaning_are_named() -> None:
    text = "A few people had a little time, a little bit of it and a few."
    assert bound_articles(text) == ("a few", "a little", "a few")
    assert bound_articles("I led a team of few.") == ()
