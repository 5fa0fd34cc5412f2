"""Every expected number here is worked out by hand from the listed probabilities."""

from collections.abc import Sequence

import pytest

from isogloss.errors import AnswerError
from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.api.top_logprobs import Step, Token, label_probabilities

CLOSE = 1e-12
"""Sums and products of a few decimal fractions."""

RATING = rating_scale(1, 5, "Rating: ")
TEN = rating_scale(1, 10, "")
DECISION = AnswerSet(
    ("advance", "advance with reservations", "do not advance"),
    ((" advance",), (" advance with reservations",), (" do not advance",)),
    "Decision:",
)

Listed = dict[str, float]


def step(listed: Listed) -> Step:
    """Return the step that writes the first of the listed tokens."""
    tokens = tuple(Token(text.encode(), p) for text, p in listed.items())
    return Step(tokens[0], tokens)


def reply(*steps: Listed | str) -> list[Step]:
    """Return a reply; a plain string is a token without alternatives."""
    return [step({s: 1.0} if isinstance(s, str) else s) for s in steps]


def check(
    found: Sequence[Step], answers: AnswerSet, labels: dict[str, float], unseen: float
) -> None:
    """Compare with the probabilities of the labels that are not 0, and with the bound."""
    distribution = label_probabilities(found, answers)
    assert distribution is not None
    expected = [labels.get(label, 0.0) for label in answers.labels]
    assert distribution.probabilities == pytest.approx(expected, abs=CLOSE)
    assert distribution.unseen == pytest.approx(unseen, abs=CLOSE)


def test_unlisted_labels_are_bounded_by_the_smallest_listed_probability() -> None:
    # 0.09375 remains; two labels are missing, each at most 0.03125.
    listed = {" 4": 0.5, " 3": 0.25, " 5": 0.125, "4": 0.03125}
    found = reply("Rating", ":", listed)
    check(found, RATING, {"4": 0.53125, "3": 0.25, "5": 0.125}, 0.0625)


def test_unlisted_labels_are_bounded_by_what_remains() -> None:
    found = reply("Rating", ": ", {"4": 0.5, "3": 0.3, "5": 0.19})
    check(found, RATING, {"4": 0.5, "3": 0.3, "5": 0.19}, 0.01)


def test_a_whole_list_leaves_nothing_open() -> None:
    found = reply("Rating", ":", {" 2": 0.75, " I": 0.25})
    check(found, RATING, {"2": 0.75}, 0.0)


def test_other_words_are_no_labels() -> None:
    found = reply("Rating:", {" 3": 0.5, " three": 0.2, " 34": 0.1, " 3rd": 0.1, "\n": 0.1})
    check(found, RATING, {"3": 0.5}, 0.1)


@pytest.mark.parametrize("longer", ["3.5", "3%", "3/5", "3-4", "3rd"])
def test_a_listed_token_that_makes_another_value_is_no_label(longer: str) -> None:
    found = reply("Rating:", {" 3": 0.6, f" {longer}": 0.3, " 4": 0.1})
    check(found, RATING, {"3": 0.6, "4": 0.1}, 0.0)


@pytest.mark.parametrize(
    "before",
    [("Rating", ":", " "), ("rating", ": "), ("**Rating", ":**", " "), (" ",), (), ("**",)],
)
def test_the_answer_is_found_by_its_place_in_the_text(before: tuple[str, ...]) -> None:
    found = reply(*before, {"4": 0.5, "5": 0.25, "1": 0.125, "2": 0.0625, "3": 0.0625})
    check(found, RATING, {"4": 0.5, "5": 0.25, "1": 0.125, "2": 0.0625, "3": 0.0625}, 0.0)


def test_the_last_answer_counts() -> None:
    first = {"5": 0.9, "1": 0.1}
    last = {"2": 0.7, "3": 0.3}
    check(reply("Rating: ", first, "\n", "Rating: ", last), RATING, {"2": 0.7, "3": 0.3}, 0.0)


def test_only_the_label_that_is_given_is_looked_for() -> None:
    found = reply("Rating: ", {"5": 0.9, "1": 0.1}, ". Score: ", "2")
    assert label_probabilities(found, RATING, given="2") is None
    distribution = label_probabilities(found, RATING, given="5")
    assert distribution is not None
    assert distribution.probabilities == pytest.approx((0.1, 0.0, 0.0, 0.0, 0.9), abs=CLOSE)


def test_an_echoed_scale_is_no_answer() -> None:
    echo = ("Rating: ", "1", "-", "5", "\n")
    check(reply(*echo, "Rating: ", {"2": 1.0}), RATING, {"2": 1.0}, 0.0)


def test_white_space_that_may_lead_to_any_label_stays_open() -> None:
    found = reply("Rating", ":", {" 4": 0.6, " ": 0.3, " 3": 0.1})
    check(found, RATING, {"4": 0.6, "3": 0.1}, 0.3)


def test_white_space_stays_open_when_every_label_is_listed() -> None:
    labels = {" 4": 0.5, " 3": 0.2, " 2": 0.1, " 1": 0.05, " 5": 0.05}
    check(
        reply("Rating:", {**labels, "\n": 0.1}),
        RATING,
        {"4": 0.5, "3": 0.2, "2": 0.1, "1": 0.05, "5": 0.05},
        0.1,
    )


def test_ten_takes_its_share_of_one() -> None:
    # First list: 0.02 remains, and seven answers are missing. Second list: all of 0.6 is `1` or
    # `10`; `0` takes 0.6 x 0.2, the rest ends a `1`, unlisted tokens included.
    found = reply(
        '{"', "score", '":', " ", {"1": 0.6, "7": 0.3, "9": 0.08}, {"}": 0.75, "0": 0.2, ",": 0.01}
    )
    answers = AnswerSet(TEN.labels, TEN.variants, "", numeric=True, json_field="score")
    check(found, answers, {"1": 0.48, "10": 0.12, "7": 0.3, "9": 0.08}, 0.02)


def test_ten_that_no_list_shows_is_bounded() -> None:
    # After `1`, 0.05 remains, and `0` has at most 0.02 of it.
    found = reply({"1": 1.0}, {"\n": 0.93, ".": 0.02})
    check(found, TEN, {"1": 0.98}, 0.02)


def test_a_written_ten_leaves_the_rest_to_one() -> None:
    found = reply({"1": 0.8, "9": 0.2}, {"0": 0.9, "\n": 0.1})
    check(found, TEN, {"10": 0.72, "1": 0.08, "9": 0.2}, 0.0)


def test_a_listed_one_may_be_a_ten() -> None:
    check(reply({"7": 0.75, "1": 0.25}), TEN, {"7": 0.75}, 0.25)


def test_a_listed_one_is_a_one_where_ten_is_a_token() -> None:
    found = reply({"7": 0.5, "1": 0.25, "10": 0.25})
    check(found, TEN, {"7": 0.5, "1": 0.25, "10": 0.25}, 0.0)


def test_a_one_that_ends_the_reply_is_a_one_where_ten_is_a_token() -> None:
    check(reply({"1": 0.75, "10": 0.25}), TEN, {"1": 0.75, "10": 0.25}, 0.0)


def test_a_one_that_ends_the_reply_cannot_be_told_from_a_ten() -> None:
    assert label_probabilities(reply({"1": 0.75, "2": 0.25}), TEN) is None


def test_a_token_without_text_ends_the_reply() -> None:
    check(
        reply({"1": 0.8, "2": 0.2}, {"": 0.75, "0": 0.25}), TEN, {"1": 0.6, "10": 0.2, "2": 0.2}, 0
    )
    check(reply({"1": 0.8, "2": 0.2}, {"": 0.75, ".": 0.25}), TEN, {"1": 0.8, "2": 0.2}, 0.0)


def test_labels_of_several_tokens_are_followed_along_the_reply() -> None:
    # ` do` may become a label: open. Of 0.7, ` with` takes 0.8 and ` reservations` 0.95 of that;
    # what goes on otherwise is `advance`.
    found = reply(
        "Decision",
        ":",
        {" advance": 0.7, " do": 0.25, " I": 0.05},
        {" with": 0.8, "\n": 0.2},
        {" reservations": 0.95, " caution": 0.04},
    )
    labels = {"advance with reservations": 0.532, "advance": 0.14 + 0.0224 + 0.0056}
    check(found, DECISION, labels, 0.25)


def test_a_longer_label_that_was_not_written_stays_open() -> None:
    # 0.05 + 0.25 are open at the first token; at the second 0.7 x 0.08 and, of the unlisted 0.02,
    # all, since ` with reservations` may be one token of at most 0.08.
    found = reply("Decision:", {" advance": 0.7, " do": 0.25}, {"\n": 0.9, " with": 0.08})
    check(found, DECISION, {"advance": 0.63}, 0.3 + 0.056 + 0.014)


def test_a_short_label_that_ends_the_reply_cannot_be_told_from_a_long_one() -> None:
    assert label_probabilities(reply("Decision:", {" advance": 1.0}), DECISION) is None


def test_variants_are_summed_and_beginnings_of_variants_stay_open() -> None:
    answers = AnswerSet(("yes", "no"), (("Yes", "yes", "YES"), ("No", "no")), "")
    found = reply({"Yes": 0.5, " yes": 0.2, "No": 0.1, "no": 0.05, "Y": 0.1, "The": 0.05})
    check(found, answers, {"yes": 0.7, "no": 0.15}, 0.1)


def test_tokens_across_the_answers_beginning_are_compared_as_a_whole() -> None:
    # `":` may still lead to either label, `",` does not.
    answers = AnswerSet(("yes", "no"), (("yes",), ("no",)), "", json_field="d")
    found = reply('{"d', {'": "yes': 0.7, '": "no': 0.2, '":': 0.05, '",': 0.05}, '"}')
    check(found, answers, {"yes": 0.7, "no": 0.2}, 0.05)


def test_tokens_that_split_a_character_are_joined_by_their_bytes() -> None:
    answers = AnswerSet(("schön", "schlecht"), (("schön",), ("schlecht",)), "")
    start, bad = Token(b"sch", 0.75), Token(b"schlecht", 0.25)
    second, third = Token(b"\xc3", 1.0), Token(b"\xb6n", 1.0)
    found = [Step(start, (start, bad)), Step(second, (second,)), Step(third, (third,))]
    check(found, answers, {"schön": 0.75, "schlecht": 0.25}, 0.0)


def test_the_chosen_token_alone_says_nothing_of_the_others() -> None:
    check(reply("Rating:", {" 4": 0.6}), RATING, {"4": 0.6}, 0.4)


def test_a_forced_token_is_no_bound_for_the_others() -> None:
    # 0.149 remains; the four missing labels have at most 0.05 each.
    found = reply("Rating:", {" 4": 0.001, " I": 0.8, " As": 0.05})
    check(found, RATING, {"4": 0.001}, 0.149)


def test_what_is_shown_and_what_is_not_never_exceed_one() -> None:
    found = reply({"7": 0.6, "1": 0.3, " ": 0.1000001})
    distribution = label_probabilities(found, TEN)
    assert distribution is not None
    assert sum(distribution.probabilities) + distribution.unseen <= 1.0


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("I", " cannot"),
        ("Rating", ":", " none"),
        ("Rating", ":", " -", "1"),
        ("Rating", ":", " ", "3", ".", "5"),
        ("Rating", ":", " 3", "/", "5"),
        ("Rating", ":", " 3", " or", " 4"),
        ("Rating", ":", " 4", "5"),
        ("Rating", ":", " 4", "%"),
        ("1", ".", " Clear", "\n", "2", ".", " Short"),
    ],
)
def test_a_reply_without_an_answer_has_no_distribution(texts: tuple[str, ...]) -> None:
    assert label_probabilities(reply(*texts), RATING) is None


def test_a_json_reply_without_the_field_has_no_distribution() -> None:
    answers = AnswerSet(RATING.labels, RATING.variants, "", numeric=True, json_field="rating")
    assert label_probabilities(reply('{"', "score", '": ', "4", "}"), answers) is None
    check(reply('{"', "rating", '" : ', {"4": 1.0}, "}"), answers, {"4": 1.0}, 0.0)


def test_labels_that_are_written_alike_are_refused() -> None:
    answers = AnswerSet(("a", "b"), (("x",), (" x",)), "")
    with pytest.raises(AnswerError, match="' x' cannot be told from another"):
        label_probabilities(reply("x"), answers)
