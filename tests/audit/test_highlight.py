import random

import pytest

from isogloss.audit.highlight import Segment, highlight
from isogloss.audit.profile import Match

TEXT = "A “fit” für 👩‍💻 & <b>עברית</b>."


def match(register: str, start: int, end: int) -> Match:
    return Match(register, "any", TEXT[start:end].lower(), start, end)


def test_overlapping_matches_part_the_text_at_their_edges() -> None:
    one, two = match("one", 2, 7), match("two", 4, 11)
    assert highlight(TEXT, [one, two]) == [
        Segment("A "),
        Segment("“f", (one,)),
        Segment("it”", (one, two)),
        Segment(" für", (two,)),
        Segment(" 👩‍💻 & <b>עברית</b>."),
    ]


def test_a_segment_names_each_register_once_in_the_order_given() -> None:
    matches = [match("two", 2, 7), match("one", 2, 7), match("two", 2, 7)]
    assert highlight(TEXT, matches)[1].registers == ("two", "one")


@pytest.mark.parametrize("seed", range(50))
def test_segments_joined_are_the_text_and_every_character_has_its_matches(seed: int) -> None:
    draw = random.Random(seed)
    matches = [
        match(draw.choice("abc"), start, draw.randint(start + 1, len(TEXT)))
        for start in (draw.randrange(len(TEXT)) for _ in range(draw.randrange(6)))
    ]
    segments = highlight(TEXT, matches)
    assert "".join(segment.text for segment in segments) == TEXT
    by_character = [one.matches for one in segments for _ in one.text]
    assert by_character == [
        tuple(m for m in matches if m.start <= i < m.end) for i in range(len(TEXT))
    ]


def test_a_text_without_matches_is_one_segment_and_no_text_is_none() -> None:
    assert highlight(TEXT, []) == [Segment(TEXT)]
    assert highlight("", []) == []


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 2), (0, len(TEXT) + 1)])
def test_a_match_outside_the_text_is_an_error(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="is not in the text"):
        highlight(TEXT, [Match("one", "any", "x", start, end)])
