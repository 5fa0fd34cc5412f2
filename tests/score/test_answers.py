from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from isogloss.errors import AnswerError
from isogloss.models.local import LocalModel
from isogloss.score.answers import (
    AnswerSet,
    Spelling,
    answer_probabilities,
    inner_paths,
    rating_scale,
    spell,
)
from isogloss.score.prompts import encode

Table = dict[tuple[int, ...], dict[int, float]]

EXACT = 1e-15
"""Absolute; a few products of exact decimals in float64."""


def _next(table: Table) -> Callable[[tuple[int, ...], int], float]:
    return lambda path, token: table[path].get(token, 0.0)


def _encode(tokenizer: Any) -> Callable[[str], Sequence[int]]:
    return lambda text: encode(text, tokenizer)


# --- answer sets ----------------------------------------------------------------------------------


def test_a_rating_scale_counts_both_ends() -> None:
    scale = rating_scale(1, 10, "Rating: ")
    assert scale.labels == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    assert scale.variants == tuple((label,) for label in scale.labels)
    assert scale.numeric


@pytest.mark.parametrize(
    ("labels", "variants"),
    [
        (("a", "b"), (("a",),)),
        (("a", "b"), (("a",), ())),
        (("a", "b"), (("a",), ("a",))),
        (("a",), (("a", "a"),)),
        (("a", "b"), (("a",), ("",))),
    ],
)
def test_an_ambiguous_answer_set_is_refused(
    labels: tuple[str, ...], variants: tuple[tuple[str, ...], ...]
) -> None:
    with pytest.raises(AnswerError, match="variant"):
        AnswerSet(labels, variants, "")


# --- probabilities over a table of next tokens ----------------------------------------------------

# Tokens: 1 `1`, 0 `0`, 2 `2`, 7 anything else.
TO_TWELVE: Table = {
    (): {1: 0.5, 2: 0.3, 7: 0.2},
    (1,): {0: 0.2, 2: 0.1, 1: 0.05, 7: 0.65},
}


def test_one_is_what_ten_and_twelve_leave_of_it() -> None:
    answers = AnswerSet(("1", "2", "10", "12"), (("1",), ("2",), ("10",), ("12",)), "")
    spellings = [
        Spelling(0, (1,)),
        Spelling(1, (2,)),
        Spelling(2, (1, 0)),
        Spelling(3, (1, 2)),
    ]
    got = answer_probabilities(answers, spellings, _next(TO_TWELVE))
    # P(1) - P(1,0) - P(1,2) = 0.5 - 0.1 - 0.05
    assert got == pytest.approx((0.35, 0.3, 0.1, 0.05), abs=EXACT)


def test_three_nested_answers_exclude_each_other() -> None:
    table: Table = {(): {5: 0.8}, (5,): {6: 0.5}, (5, 6): {7: 0.25}}
    answers = AnswerSet(("a", "ab", "abc"), (("a",), ("ab",), ("abc",)), "")
    spellings = [Spelling(0, (5,)), Spelling(1, (5, 6)), Spelling(2, (5, 6, 7))]
    got = answer_probabilities(answers, spellings, _next(table))
    # whole: 0.8, 0.4, 0.1; each loses the next longer one only, never the longest twice
    assert got == pytest.approx((0.4, 0.3, 0.1), abs=EXACT)
    assert sum(got) == pytest.approx(0.8, abs=EXACT)
    backwards = answer_probabilities(answers, spellings[::-1], _next(table))
    assert backwards == pytest.approx(got, abs=EXACT)


def test_two_branches_below_one_answer_are_both_taken_off() -> None:
    table: Table = {(): {5: 1.0}, (5,): {6: 0.5, 7: 0.25}, (5, 6): {8: 0.5}, (5, 7): {}}
    answers = AnswerSet(("a", "b", "c", "d"), (("a",), ("b",), ("c",), ("d",)), "")
    spellings = [
        Spelling(0, (5,)),
        Spelling(1, (5, 6)),
        Spelling(2, (5, 7)),
        Spelling(3, (5, 6, 8)),
    ]
    got = answer_probabilities(answers, spellings, _next(table))
    assert got == pytest.approx((0.25, 0.25, 0.25, 0.25), abs=EXACT)


def test_case_variants_of_a_label_are_summed() -> None:
    table: Table = {(): {1: 0.2, 2: 0.3, 3: 0.1, 4: 0.05}, (1,): {9: 0.5}}
    answers = AnswerSet(("yes", "no"), (("YES", "Yes", "yes"), ("NO",)), "")
    spellings = [Spelling(0, (1, 9)), Spelling(0, (2,)), Spelling(0, (3,)), Spelling(1, (4,))]
    got = answer_probabilities(answers, spellings, _next(table))
    assert got == pytest.approx((0.5, 0.05), abs=EXACT)


def test_a_longer_variant_of_the_same_label_counts_once() -> None:
    table: Table = {(): {1: 0.6}, (1,): {2: 0.5}}
    answers = AnswerSet(("yes",), (("yes", "yes."),), "")
    spellings = [Spelling(0, (1,)), Spelling(0, (1, 2))]
    assert answer_probabilities(answers, spellings, _next(table)) == pytest.approx(
        (0.6,), abs=EXACT
    )


def test_a_probability_that_is_no_number_stays_one() -> None:
    answers = AnswerSet(("a", "b"), (("a",), ("b",)), "")
    nan = float("nan")
    got = answer_probabilities(
        answers, [Spelling(0, (1,)), Spelling(1, (2,))], lambda _, token: nan if token == 1 else 0.5
    )
    assert got[0] != got[0]
    assert got[1] == 0.5


def test_probabilities_equal_the_longest_match_of_every_text() -> None:
    """Every text of four tokens out of three is read as the longest answer it begins with."""
    rng = Random(11)
    for _ in range(40):
        table: Table = {}
        for length in range(4):
            for path in product(range(3), repeat=length):
                weights = [rng.random() for _ in range(3)]
                table[path] = {t: w / sum(weights) for t, w in enumerate(weights)}
        paths = {tuple(rng.choices(range(3), k=rng.randint(1, 4))) for _ in range(6)}
        spellings = [Spelling(i % 3, path) for i, path in enumerate(sorted(paths))]
        answers = AnswerSet(("x", "y", "z"), (("x",), ("y",), ("z",)), "")
        wanted = [0.0, 0.0, 0.0]
        for text in product(range(3), repeat=4):
            probability = 1.0
            for i, token in enumerate(text):
                probability *= table[text[:i]][token]
            matches = [s for s in spellings if text[: len(s.tokens)] == s.tokens]
            if matches:
                wanted[max(matches, key=lambda s: len(s.tokens)).label] += probability
        got = answer_probabilities(answers, spellings, _next(table))
        # 81 products of four float64 factors are summed here, and differences there.
        assert got == pytest.approx(tuple(wanted), abs=1e-12)


def test_inner_paths_are_the_points_where_a_distribution_is_needed() -> None:
    spellings = [Spelling(0, (1,)), Spelling(1, (1, 0)), Spelling(2, (4, 5, 6))]
    assert inner_paths(spellings) == ((), (1,), (4,), (4, 5))
    assert inner_paths(spellings[:1]) == ((),)


# --- spelling -------------------------------------------------------------------------------------


def test_spellings_continue_the_tokens_of_the_prompt(tokenizer: Any) -> None:
    answers = AnswerSet(("yes", "no"), (("YES", "yes"), ("NO",)), "Answer: ")
    spelled = spell(answers, "Answer: ", _encode(tokenizer))
    pieces = [(s.label, tokenizer.convert_ids_to_tokens(list(s.tokens))) for s in spelled]
    assert pieces == [(0, ["Y", "ES"]), (0, ["y", "e", "s"]), (1, ["N", "O"])]


def test_an_answer_inside_a_token_is_refused(tokenizer: Any) -> None:
    answers = AnswerSet(("a", "b"), ((" a",), (" b",)), "Answer -")
    assert tokenizer.tokenize("- a") == ["- ", "a"]
    with pytest.raises(AnswerError, match="' a' does not begin at a token boundary"):
        spell(answers, "Answer -", _encode(tokenizer))
    moved = AnswerSet(("a", "b"), (("a",), ("b",)), "Answer - ")
    assert len(spell(moved, "Answer - ", _encode(tokenizer))) == 2


def test_an_answer_that_adds_no_token_is_refused() -> None:
    answers = AnswerSet(("a",), (("a",),), "")
    with pytest.raises(AnswerError, match="boundary"):
        spell(answers, "prompt", lambda _: [1, 2])


def test_two_answers_of_the_same_tokens_are_refused() -> None:
    answers = AnswerSet(("a", "A"), (("a",), ("A",)), "")
    with pytest.raises(AnswerError, match="same tokens"):
        spell(answers, "prompt ", lambda text: [ord(c) for c in text.lower()])


# --- spelling by the default model's tokenizer ----------------------------------------------------


def _pieces(local: LocalModel, answers: AnswerSet) -> list[list[str]]:
    spelled = spell(answers, answers.reply_prefix, _encode(local.tokenizer))
    return [local.tokenizer.convert_ids_to_tokens(list(s.tokens)) for s in spelled]


@pytest.mark.slow
def test_the_default_model_spells_ten_as_one_and_nought(smollm: LocalModel) -> None:
    pieces = _pieces(smollm, rating_scale(1, 10, "Rating: "))
    assert pieces[0] == ["1"]
    assert pieces[9] == ["1", "0"]
    field = _pieces(smollm, rating_scale(1, 10, '{"field": '))
    assert field == pieces
    # Without the space in the prefix it would have to stand in the answers, as a token of its own.
    spaced = AnswerSet(("1", "10"), ((" 1",), (" 10",)), "Rating:")
    assert _pieces(smollm, spaced) == [["Ġ", "1"], ["Ġ", "1", "0"]]


@pytest.mark.slow
def test_the_default_model_spells_a_shorter_decision_as_the_beginning_of_a_longer(
    smollm: LocalModel,
) -> None:
    answers = AnswerSet(
        ("advance", "advance with reservations", "do not advance"),
        ((" advance",), (" advance with reservations",), (" do not advance",)),
        "Decision:",
    )
    assert _pieces(smollm, answers) == [
        ["Ġadvance"],
        ["Ġadvance", "Ġwith", "Ġreservations"],
        ["Ġdo", "Ġnot", "Ġadvance"],
    ]


@pytest.mark.slow
def test_the_default_model_spells_yes_and_no_unequally(smollm: LocalModel) -> None:
    answers = AnswerSet(("yes", "no"), ((" YES", " Yes"), (" NO", " No")), "Answer:")
    assert _pieces(smollm, answers) == [["ĠY", "ES"], ["ĠYes"], ["ĠNO"], ["ĠNo"]]


@pytest.mark.slow
def test_the_default_model_refuses_answers_inside_its_tokens(smollm: LocalModel) -> None:
    answers = AnswerSet(("a", "b"), (("vance",), ("mit",)), "Decision: ad")
    with pytest.raises(AnswerError, match="'vance' does not begin"):
        _pieces(smollm, answers)
