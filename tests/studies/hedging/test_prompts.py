"""The wording put to a model: what is shared comes first, the item last, nothing left open."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from isogloss.score.parse import DECISIONS, parse_decision, parse_rating
from isogloss.studies.hedging.prompts import (
    CONDITIONS,
    DECISION_PREFIX,
    RATING,
    Mode,
    decision_answers,
    decision_messages,
    rating_messages,
)
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import find_markers
from isogloss.validate.surface import placeholders

CELLS: list[tuple[str, Mode]] = [(c, m) for c in CONDITIONS for m in ("direct", "reasoned")]
ITEM = ("Teamwork", "What do others gain?", "Who paid?", "I paid on Monday.")
OTHER = ("Initiative", "What began?", "When was it?", "It was at noon.")


def beginning(one: str, two: str) -> str:
    """Return what two texts share up to their first difference."""
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))
    return "".join(character for character, _ in pairs)


def rating_prompt(condition: str, mode: Mode, item: tuple[str, str, str, str] = ITEM) -> str:
    [message] = rating_messages(condition, mode, *item)
    assert message.role == "user"
    return message.content


@pytest.fixture(scope="module")
def lexicon(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "hedges.yaml")


@pytest.mark.parametrize(("condition", "mode"), CELLS)
def test_everything_before_the_item_is_shared(condition: str, mode: Mode) -> None:
    one, two = rating_prompt(condition, mode), rating_prompt(condition, mode, OTHER)
    shared = beginning(one, two)
    item, _, after = one[len(shared) :].partition("\n\n")
    assert item == "Teamwork. What do others gain?\nQuestion: Who paid?\nAnswer: I paid on Monday."
    assert bool(after) == (mode == "reasoned")
    assert shared.endswith("\n\nCategory: ")
    assert len(shared) > 300


@pytest.mark.parametrize(("condition", "mode"), CELLS)
def test_two_guises_of_an_item_share_all_but_the_answer(condition: str, mode: Mode) -> None:
    plain = rating_prompt(condition, mode)
    hedged = rating_prompt(condition, mode, (*ITEM[:3], "I think I paid on Monday."))
    shared = beginning(plain, hedged)
    assert plain[len(shared) - len("Answer: I ") : len(shared)] == "Answer: I "


@pytest.mark.parametrize("mode", ["direct", "reasoned"])
def test_conditions_begin_alike_and_differ(mode: Mode) -> None:
    prompts = [rating_prompt(condition, mode) for condition in CONDITIONS]
    assert len(set(prompts)) == len(CONDITIONS)
    baseline = CONDITIONS["baseline"][0]
    assert all(prompt.startswith(baseline) for prompt in prompts)
    for parts in CONDITIONS.values():
        assert len(set(parts)) == len(parts)


@pytest.mark.parametrize(("condition", "mode"), CELLS)
def test_nothing_is_left_to_fill_in(condition: str, mode: Mode) -> None:
    prompt = rating_prompt(condition, mode)
    assert placeholders(prompt) == ()
    assert not re.search(r"[{}]|\bNone\b|\n{3,}| \n|  ", prompt)
    assert prompt == prompt.strip()


@pytest.mark.parametrize(("condition", "mode"), CELLS)
def test_scale_and_reply_format_are_told(condition: str, mode: Mode) -> None:
    prompt = rating_prompt(condition, mode)
    assert [line[0] for line in prompt.splitlines() if re.match(r"[1-5] = ", line)] == [*"54321"]
    assert '"Rating: " and a whole number from 1 to 5' in prompt
    assert ("what is good about the answer" in prompt) == (mode == "reasoned")


def test_an_item_without_category_has_no_line_for_it() -> None:
    prompt = rating_prompt("baseline", "direct", ("", "", "Who paid?", "I paid."))
    assert "Category" not in prompt
    assert prompt.endswith("\n\nQuestion: Who paid?\nAnswer: I paid.")


@pytest.mark.parametrize("mode", ["direct", "reasoned"])
def test_the_baseline_has_no_hedging_of_its_own(mode: Mode, lexicon: Lexicon) -> None:
    assert find_markers(rating_prompt("baseline", mode), lexicon) == ()


def test_antibias_hedges_only_in_what_it_quotes(lexicon: Lexicon) -> None:
    [added] = [part for part in CONDITIONS["antibias"] if part not in CONDITIONS["baseline"]]
    found = {marker.phrase for marker in find_markers(added, lexicon)}
    quoted = set(re.findall(r'"([^"]+)"', added.lower()))
    assert found <= quoted
    assert len(found) == 2


def fewshot_pairs() -> list[tuple[str, str]]:
    [added] = [part for part in CONDITIONS["cot_fewshot"] if part not in CONDITIONS["antibias"]]
    return re.findall(r'^Plain: "(.+)"\nCautious: "(.+)"$', added, re.MULTILINE)


def test_fewshot_shows_three_pairs_that_differ_in_hedging_alone(
    lexicon: Lexicon, words: Callable[[str], set[str]]
) -> None:
    pairs = fewshot_pairs()
    assert len(pairs) == 3
    for plain, cautious in pairs:
        assert find_markers(plain, lexicon) == ()
        assert len(find_markers(cautious, lexicon)) >= 2
        assert words(plain) <= words(cautious)


def test_fewshot_pairs_are_not_items(own_items: pd.DataFrame) -> None:
    answers = set(own_items[["confident", "hedged"]].to_numpy().ravel())
    assert not answers & {text for pair in fewshot_pairs() for text in pair}


def test_cot_fewshot_contains_antibias() -> None:
    assert CONDITIONS["cot_fewshot"][: len(CONDITIONS["antibias"])] == CONDITIONS["antibias"]


def test_ratings_are_asked_for_on_a_scale_of_five() -> None:
    assert RATING.labels == ("1", "2", "3", "4", "5")
    assert RATING.numeric
    for label in RATING.labels:
        assert parse_rating(RATING.reply_prefix + label, 1, 5).value == int(label)


@pytest.mark.parametrize("order", list(itertools.permutations(DECISIONS)))
def test_decisions_keep_the_order_of_the_prompt(order: tuple[str, ...]) -> None:
    answers = decision_answers(order)
    assert answers.labels == order
    assert not answers.numeric
    for label, variants in zip(answers.labels, answers.variants, strict=True):
        for variant in variants:
            assert parse_decision(answers.reply_prefix + variant).value == label
    [message] = decision_messages([("Who paid?", "I paid.", 4)], order)
    assert message.content.splitlines()[-3:] == [f"{DECISION_PREFIX} {label}" for label in order]


def test_an_interview_is_shown_question_by_question_with_its_ratings() -> None:
    blocks = [("Who paid?", "I paid.", 4), ("When was it?", "At noon.", 2)]
    [message] = decision_messages(blocks, DECISIONS)
    assert "1. Question: Who paid?\nAnswer: I paid.\nRating: 4\n\n2. Question:" in message.content
    assert message.content.count("Rating:") == 2
    assert placeholders(message.content) == ()


def test_interviews_differ_only_behind_their_shared_beginning() -> None:
    one = decision_messages([("Who paid?", "I paid.", 4)], DECISIONS)[0].content
    two = decision_messages([("As of when?", "At noon.", 2)], DECISIONS)[0].content
    assert beginning(one, two).endswith("1. Question: ")


def test_the_decision_prompt_has_no_hedging_of_its_own(lexicon: Lexicon) -> None:
    [message] = decision_messages([("Who paid?", "I paid.", 4)], DECISIONS)
    assert find_markers(message.content, lexicon) == ()
