from functools import partial

import pytest

from isogloss.publish.checks.content import check, words
from isogloss.publish.sensitive import HatefulSource, NotedSet, Sensitive

TEXT = "Those people over there never pay for anything that they take home."
NOTE = "The statements are false, and nobody's view."


def hateful(*texts: str, used: bool = False):
    return partial(check, sensitive=Sensitive((HatefulSource("bad", used, texts),)))


def noted(*texts: str):
    return partial(check, sensitive=Sensitive(noted=(NotedSet("a/own", NOTE, texts),)))


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{TEXT}</p>",
        "<p>It said: “those people over there never pay\nfor <b>any</b>thing …” and so on.</p>",
        f"<img src='data:,' alt='{TEXT}'>",
        f"<p title='{TEXT.upper()}'>a</p>",
    ],
)
def test_a_text_of_a_hateful_source_is_found_and_not_repeated(made, body: str) -> None:
    made.page(body)
    (found,) = made.found(hateful("Something else.", TEXT))
    assert found == "index.html:16: shows a text of the hateful source bad; take it out"


def test_a_short_text_is_found_as_a_whole(made) -> None:
    made.page("<p>They said: Go back home, you!</p>")
    assert len(made.found(hateful("go back home you"))) == 1
    assert made.found(hateful("go back home now", "home you")) == []


def test_seven_words_in_a_row_are_chance(made) -> None:
    made.page(f"<p>{' '.join(TEXT.split()[:7])} and more</p>")
    assert made.found(hateful(TEXT)) == []


def test_a_run_that_reads_a_hateful_source_is_found(made) -> None:
    assert made.found(hateful(TEXT, used=True)) == [
        ": the run reads the hateful source bad; publish a run without it"
    ]


def test_what_is_not_at_hand_is_said(made) -> None:
    gone = Sensitive((HatefulSource("bad", False, None, "bad.csv is not here"),))
    outcome = check(made.read(), gone)
    assert outcome.status == "passed"
    assert outcome.notes == ("bad: not compared: bad.csv is not here",)
    assert outcome.summary.startswith("0 of 1 hateful sources compared")


def test_texts_without_their_content_note_are_found(made) -> None:
    made.page(f"<p>a</p>\n<p>{TEXT}</p>\n<p>{NOTE}</p>")
    said = "shows a text of a/own without its content note before it"
    assert made.found(noted(TEXT)) == [f"index.html:17: {said}"]
    made.page(f"<p>{NOTE}</p><p>{TEXT}</p>")
    assert made.found(noted(TEXT)) == []
    assert made.found(noted("Another text that no page has anywhere at all")) == []


def test_words_are_compared_without_case_and_punctuation() -> None:
    assert words("It’s  the\n“Öl”—so!") == ("it's", "the", "öl", "so")
