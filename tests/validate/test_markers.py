from pathlib import Path

import pytest

from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import count_markers, find_markers


@pytest.fixture(scope="module")
def hedges(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "hedges.yaml")


def phrases(text: str, lexicon: Lexicon) -> list[str]:
    return [marker.phrase for marker in find_markers(text, lexicon)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I think it works.", ["i think"]),
        ("I do think it works.", ["i do think"]),
        ("I'd like to think it works.", ["i'd like to think"]),
        ("I think, of all tools, it works.", ["i think"]),
        ("I think maybe it works.", ["i think", "maybe"]),
        ("I BELIEVE it works.", ["i believe"]),
        ("I feel like it works.", ["i feel"]),
        ("I’m not entirely sure it works.", ["i'm not entirely sure"]),
        ("I tried to fix it.", ["tried to"]),
        ("It seems to work.", ["it seems"]),
        ("They seem to work.", ["seem to"]),
        ("I assume it works.", ["i assume"]),
        ("It may work.", ["may"]),
        ("May I say it works?", ["may"]),
        ("It might well work.", ["might well"]),
        ("It could be better.", ["could be"]),
        ("I’d say it works.", ["i'd say"]),
        ("I would say it works.", ["i would say"]),
        ("It took about 40 days.", ["about"]),
        ("It took around forty days.", ["around"]),
        ("It took about a week.", ["about a"]),
        ("It cost roughly $40.", ["roughly"]),
        ("It is kind of slow.", ["kind of"]),
        ("It is sort-of slow.", ["sort of"]),
        ("It is fairly slow.", ["fairly"]),
        ("It is rather slow.", ["rather"]),
        ("It is a little bit slow.", ["a little bit"]),
        ("It is a little slow.", ["a little"]),
        ("I have some experience with it.", ["some"]),
        ("It is, you know, slow.", ["you know"]),
        ("Well, it works.", ["well"]),
        ("In my view, it works.", ["in my view"]),
        ("It works, if I remember correctly.", ["if i remember correctly"]),
        ("I wrote scripts and stuff like that.", ["and stuff like that"]),
        ("Personally, it works for me.", ["personally"]),
    ],
)
def test_hedges_are_found(text: str, found: list[str], hedges: Lexicon) -> None:
    assert phrases(text, hedges) == found


@pytest.mark.parametrize(
    "text",
    [
        "I think about users first.",
        "I think on my feet.",
        "I believe in tests.",
        "I feel confident.",
        "I assume responsibility for it.",
        "It shipped in May 2021.",
        "We met in May.",
        "They used all their might.",
        "So that it could be shipped.",
        "The team could deploy daily.",
        "My colleagues would say it works.",
        "I would ask them.",
        "We should test it, and we can.",
        "We talked about tests.",
        "I walked around the plant.",
        "What kind of tests?",
        "This kind of test helps.",
        "It is the right sort of test.",
        "We share work fairly.",
        "I treat people fairly and openly.",
        "I write code rather than prose.",
        "I would rather test it.",
        "With a little help it worked.",
        "I like tests, like unit tests.",
        "Do you know it?",
        "As you know the plan, go on.",
        "It went well.",
        "I personally led it.",
        "Some people left.",
        "At least 40 people came.",
        "A few tests ran as soon as possible.",
        "We met virtually.",
        "Think! I guessed.",
        "I. Think of it.",
        "Maybelline is a brand.",
    ],
)
def test_what_only_looks_like_a_hedge_is_not_found(text: str, hedges: Lexicon) -> None:
    assert phrases(text, hedges) == []


def test_a_phrase_does_not_run_across_punctuation(hedges: Lexicon) -> None:
    assert phrases("It is sort. Of course it is.", hedges) == []


STEMS = """
name: test
language: en
sources: {a1990: A reference.}
classes:
  stem:
    description: d
    sources: [a1990]
    entries:
      - phrase: commit*
        but_not: [committee]
        not_before: [to]
      - self relian*
      - coop*
  word: {description: d, sources: [a1990], entries: [cooper, cooperat*]}
"""


@pytest.fixture
def stems(tmp_path: Path) -> Lexicon:
    path = tmp_path / "stems.yaml"
    path.write_text(STEMS, encoding="utf-8")
    return load_lexicon(path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Commitment, committed, commit.", ["commitment", "committed", "commit"]),
        ("A committee and a comma.", []),
        ("We commit to it.", []),
        ("A self-reliant, SELF RELIANCE.", ["self reliant", "self reliance"]),
        ("Self-made reliance.", []),
        ("Uncommitted.", []),
    ],
)
def test_a_stem_stands_for_every_word_that_begins_so(
    text: str, found: list[str], stems: Lexicon
) -> None:
    assert phrases(text, stems) == found


def test_a_plain_word_is_taken_before_a_stem_and_a_long_stem_before_a_short(stems: Lexicon) -> None:
    found = find_markers("cooper cooperate coop", stems)
    assert [marker.marker_class for marker in found] == ["word", "word", "stem"]


def test_offsets_and_class(hedges: Lexicon) -> None:
    text = "👍 So I’d say perhaps."
    first, second = find_markers(text, hedges)
    assert (text[first.start : first.end], first.marker_class) == ("I’d say", "modal")
    assert (text[second.start : second.end], second.marker_class) == ("perhaps", "lexical")


def test_density_is_per_thousand_words(hedges: Lexicon) -> None:
    count = count_markers("Perhaps it is quite slow, I mean, or so it might be.", hedges)
    assert count.words == 12
    assert count.by_class == {"lexical": 1, "modal": 1, "approximator": 1, "discourse": 1}
    assert count.per_thousand == pytest.approx(4000 / 12)


@pytest.mark.parametrize("text", ["", "👍 …"])
def test_a_text_without_words_has_no_density(text: str, hedges: Lexicon) -> None:
    assert count_markers(text, hedges).per_thousand is None


def test_other_scripts_hold_no_markers(hedges: Lexicon) -> None:
    assert phrases("\u200fשלום, אני חושב שכן. مرحبا بكم", hedges) == []
