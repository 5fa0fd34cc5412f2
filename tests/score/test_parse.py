import pytest

from isogloss.score.parse import DECISIONS, Parsed, parse_decision, parse_rating

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
    "Rating: 4/5": None,
    "Rating: 4/10": None,
    "Rating: 4 / 5": None,
    "Rating: 4 out of 5": None,
    "4 out of 5": None,
    "Rating: 4%": None,
    "Rating: 4e1": None,
    "Rating: 2. Rating: 4.5": None,
    # two answers at once
    "Rating: 3 or 4": None,
    "Rating: 3-4": None,
    "Rating: 3—4": None,
    "Rating: 3\u20114": None,
    "Rating: 3 and 4": None,
    "Rating: 2+": None,
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
    wanted = Parsed(value, "malformed" if value is None else "ok")
    assert parse_rating(reply, 1, 5) == wanted


@pytest.mark.parametrize(
    ("reply", "value"),
    [("10", 10), ("Rating: 10", 10), ("Rating: 1", 1), ("11", None), ("Rating: 1-10", None)],
)
def test_a_longer_scale_has_longer_numbers(reply: str, value: int | None) -> None:
    assert parse_rating(reply, 1, 10).value == value


def test_nought_counts_where_the_scale_has_it() -> None:
    assert parse_rating("Rating: 0", 0, 4) == Parsed(0, "ok")
    assert parse_rating("Rating: 0-4", 0, 4) == Parsed(None, "malformed")


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
    wanted = Parsed(value, "malformed" if value is None else "ok")
    assert parse_decision(reply) == wanted


def test_options_may_be_written_in_any_case() -> None:
    assert parse_decision("Decision: yes", ("YES", "NO")) == Parsed("YES", "ok")
    assert parse_decision("No.", ("YES", "NO")) == Parsed("NO", "ok")


@pytest.mark.parametrize("option", DECISIONS)
def test_every_option_is_read_as_itself(option: str) -> None:
    assert parse_decision(option) == Parsed(option, "ok")
