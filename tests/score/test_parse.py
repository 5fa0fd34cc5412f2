import csv
from collections import Counter
from pathlib import Path

import pytest

from isogloss.score.answers import AnswerSet, choices, integer_field, rating_scale, yes_no
from isogloss.score.parse import (
    DECISIONS,
    mark_of,
    parse_answer,
    parse_decision,
    parse_rating,
)

RATINGS: dict[str, int | None] = {
    # nothing but a number, with space, marks or a stop around it
    "4": 4,
    " 4\n": 4,
    "4.": 4,
    "**4**": 4,
    '"4"': 4,
    "'2'": 2,
    "(3)": 3,
    "`5`": 5,
    # the number after the word
    "Rating: 4": 4,
    "rating:4": 4,
    "RATING: 5.": 5,
    "Rating = 2": 2,
    "**Rating:** 4": 4,
    "**Rating: 4**": 4,
    "Rating: **4**": 4,
    "Rating: [4]": 4,
    "Rating:\n4": 4,
    "Score: 3": 3,
    "overall_rating: 3": 3,
    "Reasoning: sound, with 3 examples.\nRating: 4": 4,
    "Rating: 4\nThe answer names 3 steps.": 4,
    "Rating: 4. It has 2 weak points.": 4,
    "Rating: 3\n- 2 points are vague": 3,
    "Rating: 4 (good)": 4,
    "Rating: 4 because it is clear": 4,
    "Rating: 4, well supported": 4,
    "Rating: 2 at first. On reflection, Rating: 4": 4,
    "Rating: <1-5>\nRating: 3": 3,
    "Rating: 3\nRating: <1-5>": 3,
    "Rating: 3\nRating: cannot be determined": 3,
    "Rating: N/A. Score: 2": 2,
    # out of the scale's own end
    "4/5": 4,
    "4 out of 5": 4,
    "4 out of 5 stars": None,
    "Rating: 4/5": 4,
    "Rating: 4 / 5.": 4,
    "Rating: **4**/5": 4,
    "Rating: 4 out of 5": 4,
    "Rating: 4 out of 5 stars": 4,
    # a first line of its own
    "4\n\nThe answer names 3 steps.": 4,
    "**2**\nIt is vague.": 2,
    "2\nIt is vague.\n2": 2,
    "2\nIt is vague.\n3": None,
    "1.\nIt is vague.": None,
    "It is vague.\n2": None,
    # JSON
    '{"rating": 3}': 3,
    '```json\n{"rating": 3}\n```': 3,
    '{"rating": "3"}': 3,
    '{"rating": 3, "reason": "2 of 3 points"}': 3,
    '{"rating": 2, "rating": 4}': 4,
    '{"rating": null}': None,
    '{"rating": 4.0}': None,
    '{"rating": -1}': None,
    '{"rating": [3, 4]}': None,
    '{"rating": ': None,
    # an echoed template is no answer
    "Rating: <1-5>": None,
    "Rating: [1-5]": None,
    "Rating: 1-5": None,
    "Rating: 1 – 5": None,
    "Rating: 1 to 5": None,
    "Rating: (1 to 5)": None,
    "Rating: 1/2/3/4/5": None,
    "Rating: 1|2|3|4|5": None,
    "Rating: 1, 2, 3, 4 or 5": None,
    "Rating: <whole number from 1 to 5>": None,
    # outside the scale
    "0": None,
    "6": None,
    "45": None,
    "Rating: 45": None,
    "Rating: 0": None,
    "Rating: 10": None,
    "Rating: 2. Rating: 45": None,
    # signs and comparisons
    "-1": None,
    "+4": None,
    "−1": None,
    "–1": None,
    "- 1": None,
    "Rating: -1": None,
    "Rating: - 1": None,
    "Rating: −1": None,
    "Rating: <3": None,
    ">3": None,
    "≥3": None,
    "~4": None,
    # decimals and fractions, whatever their value
    "3.5": None,
    "3.0": None,
    "3,5": None,
    ".5": None,
    "Rating: 3.5": None,
    "Rating: 4.0": None,
    "Rating: .5": None,
    "Rating: 4.5stars": None,
    "Rating: 3.5-4.5": None,
    "Rating: 3½": None,
    "Rating: 3 1/2": None,
    "Rating: 4/10": None,
    "Rating: 4/50": None,
    "Rating: 6/5": None,
    "Rating: 4/5/6": None,
    "Rating: 4.5/5": None,
    "Rating: 3/5 or 4/5": None,
    "4 out of 10": None,
    "Rating: 4 of 5": None,
    "Rating: 3, as 4 out of 5 points are met": None,
    "Rating: 4%": None,
    "Rating: 4e1": None,
    "Rating: 4 %": None,
    "Rating: **3** / **10**": None,
    "Rating: 4 (1-10)": None,
    "Rating: 4 (on a scale of 1 to 10)": None,
    "Rating: 4 on a 10-point scale": None,
    "Rating: 4 on a scale of 1 to 5": 4,
    "Rating: 4 (1-5)": 4,
    "Rating: 2. Rating: 4.5": None,
    # two answers at once
    "Rating: 3 or 4": None,
    "Rating: 3-4": None,
    "Rating: 3—4": None,
    "Rating: 3\u20114": None,
    "Rating: 3 and 4": None,
    "Rating: 2+": None,
    "Rating: **3** - **4**": None,
    "Rating: 3 **or** 4": None,
    "Rating: 3 (or 4)": None,
    "Rating: 3 ~ 4": None,
    "Rating: 3 , 5": None,
    # the first number of a list
    "Rating:\n1. Clarity: 4\n2. Relevance: 5\n\nOverall: 4": None,
    "Rating:\n\n1) Clear\n2) Deep\nOverall 4": None,
    "Rating: 4. It is clear.\n\n1. It says much.\n2. It says it well.": 4,
    # a scale that is explained
    "Rating: 1 (strongly disagree) to 5 (strongly agree)\n4": None,
    "Rating: 1 (low) - 5 (high): 4": None,
    "Rating: 1 = poor, 5 = excellent\nI would say four.": None,
    "Rating:\n5 = far above\n4 = above\n3 = as wanted\n2 = below\n1 = far below": None,
    "Rating: 1 = poor, 5 = excellent\nRating: 4": 4,
    "Rating: 1 = poor to 5 = excellent": None,
    "Rating: 5 (Excellent)\n\n1. Clear.\n2. Deep.": 5,
    "Rating: 5 (Excellent) - 1 minor typo": 5,
    "Clarity score: 2\nRating: 1 (Poor)\n\n5 errors": 1,
    # what stands in brackets or in a list, and is no scale
    "Rating: 4 - worked at Acme (2015-2020), strong": 4,
    "Rating: 4 (Good) - solid experience (5-7 years)": 4,
    "Rating: 4 (2-3 minor issues)": 4,
    "Rating: 2. The answer is weak:\n\n1. No structure.\n2. No depth.\n3. No example.": 2,
    "Rating: 1. Poor answer.\n\n1. No.\n2. Nope.": 1,
    "Clarity score: 3\nRating: 4\n\nPoints were deducted for brevity.": 4,
    # names and words before the mark that are none of the number
    "Communication score: 3\nCandidate: Benjamin\nRating: 2": 2,
    "Candidate: Max\nRating: 4": 4,
    "- Lacks confidence\n\nRating: 2": 2,
    "Rating: 5 (excellent)\n4 strengths were found": 5,
    # numbers of something else
    "Rating: 2\nConfidence score: 5": 2,
    "**Rating: 2**\n\n*Confidence rating: 5*": 2,
    "Rating: 2\nMaximum score: 5": 2,
    "Rating: 2\nScore: 3 points were deducted for vagueness.": 2,
    "Rating: N/A\nScore: 1 means very bad": None,
    "Rating: 3 points": 3,
    "3 4": None,
    # no number, or one that is not given as the rating
    "": None,
    "Rating:": None,
    "Rating: four": None,
    "Rating: cannot be determined": None,
    "cannot be determined": None,
    "I give it a 4": None,
    "Rating 4": None,
    "integrating: 3 tools": None,
    "underscore: 3": None,
    "4th": None,
    "Rating: 4th": None,
    "Rating: 04": None,
    "Rating: ٤": None,
    "null": None,
    "N/A": None,
}


@pytest.mark.parametrize("reply", RATINGS)
def test_a_rating_is_read_or_malformed(reply: str) -> None:
    value = RATINGS[reply]
    parsed = parse_rating(reply, 1, 5)
    assert (parsed.value, parsed.status) == (value, "malformed" if value is None else "ok")
    assert (parsed.reason is None) == (value is not None)


@pytest.mark.parametrize(
    ("reply", "value"),
    [("10", 10), ("Rating: 10", 10), ("Rating: 1", 1), ("11", None), ("Rating: 1-10", None)],
)
def test_a_longer_scale_has_longer_numbers(reply: str, value: int | None) -> None:
    assert parse_rating(reply, 1, 10).value == value


@pytest.mark.parametrize("reply", ["Score: 8*9", "Score: 8_5", "Score: 7`5`"])
def test_emphasis_joins_no_digits(reply: str) -> None:
    assert parse_rating(reply, 0, 100).status == "malformed"


def test_nought_counts_where_the_scale_has_it() -> None:
    assert parse_rating("Rating: 0", 0, 4).value == 0
    assert parse_rating("Rating: 0-4", 0, 4).value is None


def test_a_mark_of_the_studys_own_counts_beside_the_usual_ones() -> None:
    assert parse_rating("Strength: 4", 1, 5).value is None
    assert parse_rating("Strength: 4", 1, 5, mark="Strength").value == 4
    assert parse_rating("Rating: 3", 1, 5, mark="Strength").value == 3


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("Rating: 45", "not from 1 to 5: '45'"),
        ("Rating: 3.5", "not a whole number: '3.5'"),
        ("Rating: 3 or 4", "not one number: '3 or 4'"),
        ("Rating: 4/10", "not out of 5: '4/10'"),
        ("a" * 60, f"no number that is the answer: '{'a' * 40}...'"),
    ],
)
def test_a_malformed_rating_has_a_short_reason(reply: str, reason: str) -> None:
    assert parse_rating(reply, 1, 5).reason == reason


RESERVED = "advance with reservations"
DECISION_REPLIES: dict[str, str | None] = {
    "advance": "advance",
    "Advance": "advance",
    "ADVANCE WITH RESERVATIONS": RESERVED,
    "advance with reservations.": RESERVED,
    "  advance  with\nreservations ": RESERVED,
    '"do not advance"': "do not advance",
    "'do not advance.'": "do not advance",
    "**do not advance**": "do not advance",
    "`advance`": "advance",
    "do not advance!": "do not advance",
    "Decision: advance": "advance",
    "Result: do not advance": "do not advance",
    "**Decision:** advance with reservations": RESERVED,
    "Decision = advance": "advance",
    "Decision:\nadvance": "advance",
    "Decision: advance\nThe candidate answered well.": "advance",
    "Decision: advance\nOn reflection.\nDecision: do not advance": "do not advance",
    "Result: advance. \nDecision: 'Advance with reservations.'": RESERVED,
    "": None,
    "Decision:": None,
    "Decision: advance\nDecision:": None,
    "Decision: undecided": None,
    "I would advance": None,
    "not advance": None,
    "don't advance": None,
    "do not  advanced": None,
    "advance / do not advance": None,
    "advance or do not advance": None,
    "Decision: advance, advance with reservations or do not advance": None,
    "Decision: advance because the answers were sound": None,
    "advance with reservation": None,
    "advance with": None,
    "Indecision: advance": None,
    "null": None,
    '{"decision": null}': None,
}


@pytest.mark.parametrize("reply", DECISION_REPLIES)
def test_a_decision_is_read_or_malformed(reply: str) -> None:
    value = DECISION_REPLIES[reply]
    parsed = parse_decision(reply)
    assert (parsed.value, parsed.status) == (value, "malformed" if value is None else "ok")


def test_options_may_be_written_in_any_case() -> None:
    assert parse_decision("Decision: yes", ("YES", "NO")).value == "YES"
    assert parse_decision("No.", ("YES", "NO")).value == "NO"


@pytest.mark.parametrize("option", DECISIONS)
def test_every_option_is_read_as_itself(option: str) -> None:
    assert parse_decision(option).value == option


# --- the one entry for replies -------------------------------------------------------------------

RATING = rating_scale(1, 5, "Rating: ")
STRENGTH = rating_scale(1, 10, "Strength: ")
DECISION = choices(DECISIONS, "Decision:", cases=("given", "capital"), spaces=(" ",))
FIELD = integer_field("score", 1, 10)
SIGNED = rating_scale(-2, 2, "Score: ")
KIND = AnswerSet(("a", "b"), (("alpha",), ("beta",)), '{"kind": "', json_field="kind")

ANSWERS: list[tuple[AnswerSet, str, str | None]] = [
    (RATING, "Rating: 4", "4"),
    (RATING, "4/5", "4"),
    (RATING, "45", None),
    (RATING, "-1", None),
    (RATING, "cannot be determined", None),
    (STRENGTH, "It is strong. Strength: 8", "8"),
    (STRENGTH, "Strength: 8/10", "8"),
    (STRENGTH, "Strength: 8/5", None),
    (SIGNED, "-1", "-1"),
    (SIGNED, "Score: -2", "-2"),
    (SIGNED, "Score: 3", None),
    (DECISION, "Decision: Do not advance", "do not advance"),
    (DECISION, "Decision: <advance or do not advance>", None),
    (yes_no("Answer: "), "Yes", "yes"),
    (yes_no("Answer: "), "Answer: NO.", "no"),
    (yes_no("Answer: "), "Yes, you should see a doctor.", "yes"),
    (yes_no("Answer: "), "Answer: Yes\nAnswer: yes/no", "yes"),
    (yes_no("Answer: "), "Answer: yes. No, wait. Answer: no", "no"),
    (yes_no("Answer: "), "Yes or no", None),
    (FIELD, '{"score": 7}', "7"),
    (FIELD, '```json\n{"score": 7}\n```\nI chose 7 because 9 is too much.', "7"),
    (FIELD, '{"score": 7.5}', None),
    (FIELD, "7", None),
    (FIELD, '{"score": 11}', None),
    (KIND, '{"kind": "Alpha"}', "a"),
    (KIND, '{"kind": "b"}', "b"),
    (KIND, '{"kind": "gamma"}', None),
    (KIND, '{"kind": 1}', None),
]


@pytest.mark.parametrize(("answers", "reply", "label"), ANSWERS)
def test_a_reply_is_read_as_its_answer_set_asks(
    answers: AnswerSet, reply: str, label: str | None
) -> None:
    parsed = parse_answer(reply, answers)
    assert (parsed.value, parsed.status) == (label, "malformed" if label is None else "ok")


@pytest.mark.parametrize("answers", [RATING, DECISION, yes_no(""), FIELD, SIGNED])
def test_every_label_is_read_back_after_its_prefix(answers: AnswerSet) -> None:
    closing = "}" if answers.json_field else ""
    for label, variants in zip(answers.labels, answers.variants, strict=True):
        for variant in variants:
            reply = answers.reply_prefix + variant + closing
            assert parse_answer(reply, answers).value == label


@pytest.mark.parametrize(
    ("reply", "answers", "kind"),
    [
        ("I'm sorry, but I can't help with that.", RATING, "no_help"),
        ("No, I cannot answer that question.", yes_no(""), "no_help"),
        ('{"score": null, "reason": "I cannot rate people."}', FIELD, "no_judgement"),
    ],
)
def test_a_reply_without_answer_may_be_a_refusal(reply: str, answers: AnswerSet, kind: str) -> None:
    parsed = parse_answer(reply, answers)
    assert (parsed.value, parsed.status, parsed.reason) == (None, "refusal", kind)


def test_an_answer_beside_an_apology_is_an_answer() -> None:
    assert parse_answer("I'm sorry, I can't say more. Rating: 2", RATING).value == "2"


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
def test_what_a_server_held_back_is_a_refusal(finish: str) -> None:
    parsed = parse_answer("Rating: 4", RATING, finish=finish)
    assert (parsed.value, parsed.status, parsed.reason) == (None, "refusal", finish)


CUT: list[tuple[AnswerSet, str, str | None]] = [
    (RATING, "Rating: 4\n\nThe answer is clear and", "4"),
    (RATING, "Rating: 4. The answer", "4"),
    (RATING, "4\n\nThe", "4"),
    (STRENGTH, "Strength: 1", None),  # of 10, perhaps
    (RATING, "Rating: 4 because the answer", "4"),
    (RATING, "Rating: 3 -", None),
    (RATING, "Rating: 4 /", None),
    (RATING, "Rating: 4 out", None),
    (RATING, "Rating: 3 t", None),
    (RATING, "Rating: 4 (Good)", "4"),
    (RATING, "Rating: 4, because", "4"),
    (yes_no("Answer: "), "Yes, because", "yes"),
    (yes_no("Answer: "), "Answer: Yes, the", "yes"),
    (RATING, "Clarity is good. Rating: 4\nContent is thin. Rating: 2\nStyle", None),
    (RATING, "Clarity is good.\nRating: 4\nThe content", None),
    (DECISION, "Decision: advance", None),  # with reservations, perhaps
    (DECISION, "Decision: advance with", None),
    (DECISION, "Decision: advance\nThe candidate", "advance"),
    (yes_no("Answer: "), "Yes, you should go to", "yes"),
    (yes_no("Answer: "), "Yes", None),
    (FIELD, '{"score": 7}\n\nThe candidate', "7"),
    (FIELD, '{"score": 1', None),
]


@pytest.mark.parametrize(("answers", "reply", "label"), CUT)
def test_in_a_reply_that_was_cut_an_answer_comes_first_and_is_whole(
    answers: AnswerSet, reply: str, label: str | None
) -> None:
    assert parse_answer(reply, answers, finish="length").value == label


@pytest.mark.parametrize(
    ("prefix", "mark"),
    [
        ("Rating: ", "Rating"),
        ("Decision:", "Decision"),
        ("Because ...\n**Final answer:** ", "Final answer"),
        ("The answer is ", None),
        ("", None),
        ("Score = ", "Score"),
    ],
)
def test_the_end_of_the_prefix_marks_the_answer(prefix: str, mark: str | None) -> None:
    assert mark_of(prefix) == mark


# --- published replies, whose rating and decision were published beside them ----------------------


def _published(mirror: Path, name: str) -> list[dict[str, str]]:
    (path,) = (mirror / "hedging" / "interview_scores").glob(f"*{name}*.csv")
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.mirror
@pytest.mark.parametrize(("model", "read"), [("command-r-plus", 388), ("Llama-3.1-8B", 399)])
def test_published_replies_give_the_published_ratings(mirror: Path, model: str, read: int) -> None:
    found: Counter[str] = Counter()
    for row in _published(mirror, model):
        for q in range(1, 11):
            parsed = parse_answer(row[f"question_{q}_score_reasoning"], RATING)
            same = parsed.value == row[f"question_{q}_score"]
            found["same" if same else str(parsed.status)] += 1
    assert found == {"same": read, "malformed": 400 - read}


@pytest.mark.mirror
@pytest.mark.parametrize("model", ["command-r-plus", "Llama-3.1-8B"])
def test_published_replies_give_the_published_decisions(mirror: Path, model: str) -> None:
    given = choices(DECISIONS, "Result:", spaces=(" ",))
    for row in _published(mirror, model):
        parsed = parse_answer(row["final_answer_reasoning"], given)
        if parsed.value is not None:
            assert parsed.value == row["final_answer"].strip(" .").lower()


LONG = 50_000


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Rating: 4" + " " * LONG, "4"),
        ("Rating: 4 " + "a" * LONG + " b", "4"),
        ("Rating: 1. x" + "\n" * LONG + "3", "1"),
        ("Rating: 1 (a)" + "\n" * LONG + "x", "1"),
        ("Rating: 1 =" + " " * LONG + "x", "1"),
        ("rating: 1 (a), 5 (b) " * (LONG // 20), None),
        ("Rating: 4 (1-" + "9" * LONG, "4"),
        ("Rating: 4 scale of" + " " * LONG + "x", "4"),
    ],
)
@pytest.mark.parametrize("finish", ["stop", "length"])
def test_a_long_reply_is_read_at_once(reply: str, label: str | None, finish: str) -> None:
    """A pattern that tries each part of it with each other would take a minute."""
    assert parse_answer(reply, RATING, finish=finish).value in (label, None)
    assert finish == "length" or parse_answer(reply, RATING).value == label


THOUGHTS: list[tuple[AnswerSet, str, str | None]] = [
    (RATING, "<think>\nA rating: 2 would be harsh.\n</think>\n\n4", "4"),
    (RATING, "It is clear. Rating: 2? No.</think>\nRating: 4", "4"),
    (RATING, "<think>Rating: 3 at first", None),
    (yes_no("Answer:"), "<think>First, answer: no. But all agrees.</think>\n\nYes", "yes"),
    (RATING, "Rating: 4\n<reasoning>Clear and polite.</reasoning>", "4"),
    (yes_no("Answer:"), "Yes\n<reasoning>The text is polite.</reasoning>", "yes"),
    (FIELD, '<think>{"score": 3}?</think>{"score": 7}', "7"),
    (FIELD, '<think>{"score": 3}?</think>', None),
]


@pytest.mark.parametrize(("answers", "reply", "label"), THOUGHTS)
def test_what_a_model_thinks_aloud_is_no_answer(
    answers: AnswerSet, reply: str, label: str | None
) -> None:
    parsed = parse_answer(reply, answers)
    assert (parsed.value, parsed.status) == (label, "malformed" if label is None else "ok")


def test_a_refusal_that_a_model_thinks_about_is_none() -> None:
    reply = "<think>I cannot rate people.</think>\nIt is hard to say."
    assert parse_answer(reply, RATING).status == "malformed"
    reply = "<think>Rating: 3?</think>\nI'm sorry, but I can't help with that."
    assert parse_answer(reply, RATING).status == "refusal"
