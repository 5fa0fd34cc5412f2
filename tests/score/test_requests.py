import math
from typing import Any

import pytest

from isogloss.score.answers import AnswerSet, integer_field, rating_scale, yes_no
from isogloss.score.backend import Answer, Distribution, Failed, Reply
from isogloss.score.requests import MOST_UNSEEN, Reading, reading_of, text_of
from isogloss.score.responses import Response

RATING = rating_scale(1, 5, "Rating: ")
NAMES = AnswerSet(("advance", "stay", "leave"), (("a",), ("s",), ("l",)), "Decision: ")

ROUNDING = 1e-12
"""Relative; a handful of float64 divisions and sums."""


def of(answer: Answer, answers: AnswerSet = RATING, minimum: float = 0.0) -> Reading:
    return reading_of(answer, answers, "hash", minimum)


def read(raw: list[float], answers: AnswerSet = RATING, minimum: float = 0.0) -> Any:
    return of(Distribution(tuple(raw)), answers, minimum)


# --- distributions --------------------------------------------------------------------------------


def test_a_reading_renormalises_and_keeps_the_mass() -> None:
    reading = read([0.05, 0.1, 0.2, 0.1, 0.05])
    assert reading.outcome == "ok"
    assert reading.reason is None
    assert reading.prompt_sha256 == "hash"
    assert reading.answer_mass == pytest.approx(0.5, rel=ROUNDING)
    assert reading.probabilities == pytest.approx((0.1, 0.2, 0.4, 0.2, 0.1), rel=ROUNDING)
    assert reading.expected == pytest.approx(3.0, rel=ROUNDING)
    assert reading.modal == "3"
    assert reading.text is None


def test_the_expected_value_weighs_labels_by_their_shares() -> None:
    # (1 * 0.3 + 5 * 0.1) / 0.4
    assert read([0.3, 0.0, 0.0, 0.0, 0.1]).expected == pytest.approx(2.0, rel=ROUNDING)
    ten = read([0.0] * 9 + [0.2], rating_scale(1, 10, ""))
    assert ten.expected == pytest.approx(10.0, rel=ROUNDING)
    assert ten.modal == "10"


def test_names_have_no_expected_value() -> None:
    reading = read([0.1, 0.3, 0.1], NAMES)
    assert reading.expected is None
    assert reading.modal == "stay"


def test_the_first_of_equally_probable_answers_is_the_modal_one() -> None:
    assert read([0.1, 0.3, 0.3, 0.2, 0.1]).modal == "2"
    assert read([0.2] * 5).modal == "1"
    assert read([0.1, 0.2, 0.2], NAMES).modal == "stay"


def test_shares_of_a_tiny_mass_still_add_up_to_one() -> None:
    reading = read([1e-300, 3e-300, 0.0, 0.0, 0.0])
    assert reading.outcome == "ok"
    assert math.fsum(reading.probabilities) == pytest.approx(1.0, rel=ROUNDING)
    assert reading.expected == pytest.approx(1.75, rel=ROUNDING)


@pytest.mark.parametrize(
    ("mass", "minimum", "outcome"),
    [
        (0.5, 0.5, "ok"),
        (0.5, 0.4, "ok"),
        (0.5, 0.500001, "low_mass"),
        (0.0, 0.0, "low_mass"),
        (0.0, 0.95, "low_mass"),
        (1.0, 1.0, "ok"),
    ],
)
def test_a_mass_below_the_gate_or_of_nought_has_no_value(
    mass: float, minimum: float, outcome: str
) -> None:
    reading = read([mass, 0.0, 0.0, 0.0, 0.0], minimum=minimum)
    assert reading.outcome == outcome
    assert reading.answer_mass == mass
    if outcome == "low_mass":
        assert reading.reason is not None
        assert "answer mass" in reading.reason
        assert (reading.probabilities, reading.expected, reading.modal) == (None, None, None)
    else:
        assert reading.modal == "1"


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_value_that_is_not_finite_is_an_error_and_no_value(place: int, value: float) -> None:
    raw = [0.1] * 5
    raw[place] = value
    reading = read(raw)
    assert reading.outcome == "error"
    assert reading.reason
    assert reading.answer_mass is None
    assert (reading.probabilities, reading.expected, reading.modal) == (None, None, None)


# --- replies --------------------------------------------------------------------------------------

REFUSING = "I'm sorry, but I cannot rate this person's answer."


def test_a_failure_is_an_error_with_its_reason() -> None:
    assert of(Failed("no route")) == Reading("error", "no route", "hash")


def test_an_answer_in_a_reply_has_a_value_and_no_distribution() -> None:
    reading = of(Reply("It is clear.\nRating: 4"))
    assert reading == Reading(
        "ok", None, "hash", expected=4.0, modal="4", text="It is clear.\nRating: 4"
    )


def test_a_name_in_a_reply_has_no_expected_value() -> None:
    reading = of(Reply("Yes."), yes_no(""))
    assert (reading.outcome, reading.modal, reading.expected) == ("ok", "yes", None)


def test_a_field_of_a_reply_is_read() -> None:
    reading = of(Reply('{"warmth": 3}'), integer_field("warmth", 1, 5))
    assert (reading.outcome, reading.modal, reading.expected) == ("ok", "3", 3.0)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(REFUSING), "refusal"),
        (Reply(REFUSING, "length"), "refusal"),
        (Reply("", "content_filter"), "refusal"),
        (Reply("Rating: 4", "content_filter"), "refusal"),
        (Reply("Rating: 4", "refusal"), "refusal"),
        (Reply("Rating: 45"), "malformed"),
        (Reply("Rating: -1"), "malformed"),
        (Reply(""), "malformed"),
        (Reply("The answer is clear and", "length"), "malformed"),
    ],
)
def test_a_reply_without_answer_has_no_value_and_a_reason(reply: Reply, outcome: str) -> None:
    reading = of(reply)
    assert reading.outcome == outcome
    assert reading.reason
    assert reading.text == reply.text
    assert (reading.probabilities, reading.expected, reading.modal) == (None, None, None)
    assert reading.answer_mass is None


def test_a_number_that_the_limit_may_have_cut_is_no_answer() -> None:
    to_ten = rating_scale(1, 10, "Rating: ")
    cut = of(Reply("Rating: 1", "length"), to_ten)
    assert (cut.outcome, cut.modal) == ("malformed", None)
    assert of(Reply("Rating: 1"), to_ten).modal == "1"
    assert of(Reply("Rating: 4 because it is", "length"), to_ten).modal == "4"


def test_a_cut_reply_says_so() -> None:
    reading = of(Reply("The answer is clear and", "length"))
    assert reading.reason == "the reply was cut before an answer"


SHOWN = (0.1, 0.2, 0.4, 0.1, 0.0)


def test_a_distribution_that_a_server_reports_is_taken() -> None:
    reading = of(Reply("Rating: 4", distribution=Distribution(SHOWN)))
    assert reading.outcome == "ok"
    assert reading.answer_mass == pytest.approx(0.8, rel=ROUNDING)
    assert reading.probabilities == pytest.approx((0.125, 0.25, 0.5, 0.125, 0.0), rel=ROUNDING)
    assert reading.expected == pytest.approx(2.625, rel=ROUNDING)
    assert (reading.modal, reading.text) == ("3", "Rating: 4")


@pytest.mark.parametrize(("unseen", "taken"), [(0.008, True), (0.00801, False), (0.2, False)])
def test_a_list_that_leaves_out_too_much_is_no_distribution(unseen: float, taken: bool) -> None:
    """Of the answers' probability of 0.8, one part in a hundred may be unlisted."""
    assert MOST_UNSEEN == 0.01
    reading = of(Reply("Rating: 4", distribution=Distribution(SHOWN, unseen)))
    assert reading.outcome == "ok"
    assert (reading.probabilities is not None) == taken
    if not taken:
        assert (reading.modal, reading.expected, reading.answer_mass) == ("4", 4.0, None)
        assert reading.reason is not None
        assert f"{unseen:.3g}" in reading.reason


def test_the_gate_holds_for_a_servers_distribution_too() -> None:
    reply = Reply("Rating: 4", distribution=Distribution(SHOWN))
    assert of(reply, minimum=0.9).outcome == "low_mass"


def test_a_refusal_is_one_whatever_the_server_lists() -> None:
    assert of(Reply(REFUSING, distribution=Distribution(SHOWN))).outcome == "refusal"


# --- texts ----------------------------------------------------------------------------------------


def test_a_text_is_the_reply_as_it_came() -> None:
    reply = Reply(" it is so. ", "length")
    text = text_of(reply, "hash")
    assert (text.outcome, text.reason, text.prompt_sha256) == ("ok", None, "hash")
    assert (text.text, text.reply) == (" it is so. ", reply)


@pytest.mark.parametrize(
    "reply", [Reply(REFUSING), Reply("it is", "content_filter"), Reply("it is", "refusal")]
)
def test_a_refusal_is_no_text_but_is_kept(reply: Reply) -> None:
    text = text_of(reply, "hash")
    assert (text.outcome, text.text, text.reply) == ("refusal", None, reply)
    assert text.reason


def test_a_failure_is_no_text() -> None:
    text = text_of(Failed("no route"), "hash")
    assert (text.outcome, text.reason, text.text, text.reply) == ("error", "no route", None, None)


# --- rows -----------------------------------------------------------------------------------------

ROW = Response(
    study="s", model="m", item_set="i", item_id="1", guise="g", condition="c",
    mode="direct", task="rating", outcome="error", reason="not asked",
)  # fmt: skip


def test_a_reading_fills_its_row() -> None:
    filled = read([0.0, 0.2, 0.2, 0.0, 0.0]).onto(ROW, RATING)
    assert filled.outcome == "ok"
    assert filled.reason is None
    assert filled.answers == ("1", "2", "3", "4", "5")
    assert filled.probabilities == pytest.approx((0.0, 0.5, 0.5, 0.0, 0.0))
    assert (filled.expected, filled.modal) == (pytest.approx(2.5), "2")
    assert filled.prompt_sha256 == "hash"
    assert (filled.item_id, filled.guise) == ("1", "g")


def test_an_answer_in_words_fills_its_row_without_a_distribution() -> None:
    filled = of(Reply("Rating: 4")).onto(ROW, RATING)
    assert (filled.outcome, filled.modal, filled.expected) == ("ok", "4", 4.0)
    assert (filled.answers, filled.probabilities, filled.answer_mass) == (None, None, None)
    assert filled.text == "Rating: 4"


@pytest.mark.parametrize("answer", [Reply("", "content_filter"), Reply("so?"), Failed("no")])
def test_a_row_without_answer_is_a_row_still(answer: Answer) -> None:
    filled = of(answer).onto(ROW, RATING)
    assert filled.outcome in ("refusal", "malformed", "error")
    assert filled.reason
    assert filled.modal is None
