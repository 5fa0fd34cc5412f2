"""Hedging devices: put in, counted by the lexicon, and taken out again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from isogloss.stimuli.rules import RULES
from isogloss.stimuli.rules.hedge_phrases import ADVERBS, ASIDES, CLASSES, CLAUSE_FRAMES
from isogloss.stimuli.rules.hedges import HedgeInsertion
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import count_markers, find_markers

hedge, unhedge = RULES["hedges"], RULES["unhedge"]


@pytest.fixture(scope="module")
def lexicon(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "hedges.yaml")


def _sentences() -> Iterator[tuple[str, str]]:
    for phrase, device in CLAUSE_FRAMES.items():
        yield f"{phrase} we moved the server", device
    for phrase, device in ASIDES.items():
        yield f"We moved, {phrase}, the server", device
    for phrase, device in ADVERBS.items():
        yield f"The move was {phrase} good", device


@pytest.mark.parametrize(("text", "device"), list(_sentences()))
def test_the_lexicon_counts_every_phrase_under_its_class(
    text: str, device: str, lexicon: Lexicon
) -> None:
    assert [marker.marker_class for marker in find_markers(text, lexicon)] == [device]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_answers_get_the_density_of_the_guise(
    seed: int, confident: tuple[str, ...], lexicon: Lexicon
) -> None:
    hedged = [hedge(text, seed) for text in confident]
    counts = [count_markers(rewriting.text, lexicon) for rewriting in hedged]
    assert sum(count.total > 0 for count in counts) >= 98
    assert 35 < 1000 * sum(c.total for c in counts) / sum(c.words for c in counts) < 60
    assert max(count.per_thousand or 0 for count in counts) <= 80
    for rewriting, count in zip(hedged, counts, strict=True):
        devices = [span.device for span in rewriting.spans]
        assert {name: devices.count(name) for name in CLASSES} == count.by_class


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_taking_hedges_out_undoes_putting_them_in(seed: int, confident: tuple[str, ...]) -> None:
    for text in confident:
        assert unhedge(text).text == text
        assert unhedge(hedge(text, seed).text).text == text


def test_seeds_choose_differently(confident: tuple[str, ...]) -> None:
    assert len({hedge(confident[0], seed).text for seed in range(8)}) > 3


@pytest.mark.parametrize("name", CLASSES)
def test_a_rule_of_one_class_puts_in_that_class(name: str, confident: tuple[str, ...]) -> None:
    spans = [span for text in confident for span in RULES[f"hedges_{name}"](text).spans]
    assert {span.device for span in spans} == {name}


def test_nothing_is_softened_under_a_negation() -> None:
    text = "The report does not have a clear aim, and the plan lacks a strong end."
    assert RULES["hedges_approximator"](text).text == text


def test_density_can_be_chosen(confident: tuple[str, ...]) -> None:
    dense, sparse = (HedgeInsertion(per_thousand=rate) for rate in (80, 20))
    assert sum(len(dense(text).spans) for text in confident) > 1.5 * sum(
        len(sparse(text).spans) for text in confident
    )


@pytest.mark.parametrize(
    "text",
    [
        "Did we move the server in time?",
        "Move the server before noon.",
        "The new server in the cellar",
        "He said: “We moved the server before noon.”",
    ],
)
def test_questions_commands_fragments_and_quotations_get_no_hedge(text: str) -> None:
    assert hedge(text).text == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I think the plan works.", "The plan works."),
        ("I believe that it is late, you know.", "It is late."),
        ("In my view, the plan works.", "The plan works."),
        ("We left, I guess, at noon, and, you know, we ate.", "We left at noon, and we ate."),
        ("It was fixed, you know, and we left.", "It was fixed, and we left."),
        ("The plan, as far as I can tell, works.", "The plan works."),
        ("It was a somewhat old plan.", "It was an old plan."),
        ("It was a fairly honest plan.", "It was an honest plan."),
        ("An arguably useful plan.", "A useful plan."),
        ("We sort of rebuilt it, more or less.", "We rebuilt it."),
        ("I think perhaps we left.", "We left."),
        ("It may have cut the bill.", "It cut the bill."),
        ("They might have taken it.", "They took it."),
        ("It may be late, and they might be ill.", "It is late, and they are ill."),
        ("She tends to win, and they seem to know.", "She wins, and they know."),
        ("We would probably leave.", "We would leave."),
        ("Perhaps the plan works, I'd say.", "The plan works."),
    ],
)
def test_hedges_are_taken_out(text: str, wanted: str) -> None:
    rewriting = unhedge(text)
    assert rewriting.text == wanted
    assert rewriting.undone() == text


@pytest.mark.parametrize(
    "text",
    [
        "I think about the plan.",
        "It is a kind of plan, and this sort of plan works.",
        "What kind of plan works?",
        "It is not probably so.",
        "They share it fairly.",
        "It may help, and we might win.",
        "It is more than more or less than that.",
        "Do you know the plan?",
        "The plans that may be late, and all of this might be lost.",
        "“I think it works,” she said.",
        "How probably is it?",
    ],
)
def test_what_is_no_hedge_or_states_something_stays(text: str) -> None:
    assert unhedge(text).text == text
