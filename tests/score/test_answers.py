from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
import torch

from isogloss.errors import AnswerError
from isogloss.models.local import LocalModel
from isogloss.score.answers import (
    CLOSE,
    AnswerSet,
    Spelling,
    answer_probabilities,
    choices,
    fit_prefix,
    integer_field,
    rating_scale,
    spell,
    yes_no,
)
from isogloss.score.prompts import encode

Table = dict[tuple[int, ...], dict[int, float]]

EXACT = 1e-15
"""Absolute; a few products of exact decimals in float64."""

RATING = rating_scale(1, 5, "Rating: ")

FLOAT32 = 1e-7
"""Absolute; a model's float32 logits differ between one row and many."""


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


def test_labels_that_are_the_same_are_refused() -> None:
    with pytest.raises(AnswerError, match="distinct"):
        AnswerSet(("a", "a"), (("a",), ("b",)), "")


def test_choices_are_meant_by_every_writing_that_is_asked_for() -> None:
    labels = ("advance", "do not advance", "New York")
    plain = choices(labels, "Decision: ")
    assert plain.variants == (("advance",), ("do not advance",), ("New York",))
    assert plain.labels == labels
    assert not plain.numeric
    varied = choices(labels, "Decision:", cases=("given", "capital"), spaces=("", " "))
    assert varied.variants[1] == (
        "do not advance",
        "Do not advance",
        " do not advance",
        " Do not advance",
    )
    assert varied.variants[2] == ("New York", " New York")


def test_a_capital_leaves_the_other_letters_alone() -> None:
    assert choices(("iPhone",), "", cases=("capital", "lower", "upper")).variants == (
        ("IPhone", "iphone", "IPHONE"),
    )


def test_labels_that_share_a_writing_are_refused() -> None:
    with pytest.raises(AnswerError, match="distinct"):
        choices(("a", "A"), "", cases=("lower",))


@pytest.mark.parametrize("prefix", ["Answer: ", "Answer:\n"])
def test_white_space_belongs_to_the_prefix_or_to_the_answers(prefix: str) -> None:
    with pytest.raises(AnswerError, match="white space"):
        choices(("a",), prefix, spaces=(" ",))
    assert yes_no(prefix).variants == (("Yes", "yes", "YES"), ("No", "no", "NO"))
    open_prefix = yes_no(prefix.rstrip())
    assert open_prefix.variants[1] == ("No", "no", "NO", " No", " no", " NO")


def test_an_integer_field_begins_the_object() -> None:
    field = integer_field('my "score"', 1, 10)
    assert field.reply_prefix == '{"my \\"score\\"": '
    assert field.json_field == 'my "score"'
    assert field.numeric
    assert field.closed
    assert field.labels[-1] == "10"


def test_only_a_field_of_an_object_can_be_closed() -> None:
    with pytest.raises(AnswerError, match="field of a JSON object"):
        replace(RATING, closed=True)


@pytest.mark.parametrize("variant", ["1 2", "1,", "a}b"])
def test_an_answer_cannot_hold_what_ends_its_field(variant: str) -> None:
    with pytest.raises(AnswerError, match="ends its field"):
        AnswerSet(("x",), ((variant,),), "", json_field="f", closed=True)


# --- probabilities over a table of next tokens ----------------------------------------------------

TO_TEN = (("1",), ("2",), ("10",))

# Tokens: 1 `1`, 0 `0`, 2 `2`, 4 a space, 7 anything else.
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


def test_a_number_in_a_field_counts_where_the_field_ends() -> None:
    """Of `1` a fifth goes on as `1.`, which is no whole number, and a fifth as `10`."""
    table: Table = {
        (): {1: 0.5, 2: 0.3, 7: 0.2},
        (1,): {0: 0.2, CLOSE: 0.6, 7: 0.2},
        (2,): {CLOSE: 0.9, 7: 0.1},
        (1, 0): {CLOSE: 0.5, 0: 0.5},
    }
    answers = replace(integer_field("f", 1, 2), labels=("1", "2", "10"), variants=TO_TEN)
    spellings = [Spelling(0, (1,)), Spelling(1, (2,)), Spelling(2, (1, 0))]
    got = answer_probabilities(answers, spellings, _next(table))
    # 0.5 x 0.6; 0.3 x 0.9; 0.5 x 0.2 x 0.5
    assert got == pytest.approx((0.3, 0.27, 0.05), abs=EXACT)
    open_set = replace(answers, closed=False)
    assert answer_probabilities(open_set, spellings, _next(table)) == pytest.approx(
        (0.4, 0.3, 0.1), abs=EXACT
    )


def test_two_writings_of_a_number_in_a_field_are_summed() -> None:
    table: Table = {(): {4: 0.5, 1: 0.25}, (4,): {1: 0.5}, (4, 1): {CLOSE: 0.5}, (1,): {CLOSE: 1.0}}
    answers = AnswerSet(("1",), ((" 1", "1"),), "", json_field="f", closed=True)
    spellings = [Spelling(0, (4, 1)), Spelling(0, (1,))]
    assert answer_probabilities(answers, spellings, _next(table)) == pytest.approx(
        (0.125 + 0.25,), abs=EXACT
    )


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


# --- where the space goes ------------------------------------------------------------------------


def _merging(pieces: Sequence[str]) -> Callable[[str], Sequence[int]]:
    """Encoder of characters, but for pieces that are one token each, longest first."""

    def encode_text(text: str) -> Sequence[int]:
        tokens = []
        while text:
            piece = next((p for p in pieces if text.startswith(p)), text[0])
            tokens.append(1000 + pieces.index(piece) if piece in pieces else ord(piece))
            text = text[len(piece) :]
        return tokens

    return encode_text


SPACED_DIGITS = _merging([f" {digit}" for digit in range(10)])
"""Spells a space and a digit as one token, as GPT-2 does."""
SPACED_WORDS = _merging([" Yes", " No", "Yes", "No"])


def test_a_set_that_can_be_spelled_stays_as_it_is() -> None:
    answers = rating_scale(1, 10, "Rating: ")
    assert fit_prefix(answers, "user: ", _merging([])) == answers


def test_a_space_inside_a_token_moves_from_the_prefix_to_the_answers() -> None:
    fitted = fit_prefix(rating_scale(1, 2, "Rating: "), "user: ", SPACED_DIGITS)
    assert fitted.reply_prefix == "Rating:"
    assert fitted.variants == ((" 1",), (" 2",))
    assert fitted.labels == ("1", "2")
    assert fitted.numeric
    assert len(spell(fitted, "user: Rating:", SPACED_DIGITS)) == 2


def test_a_space_inside_a_token_moves_from_the_answers_to_the_prefix(tokenizer: Any) -> None:
    answers = choices(("a", "b"), "Answer -", spaces=(" ",))
    fitted = fit_prefix(answers, "", _encode(tokenizer))
    assert fitted.reply_prefix == "Answer - "
    assert fitted.variants == (("a",), ("b",))


def test_a_number_in_json_keeps_both_its_writings_when_the_space_moves() -> None:
    fitted = fit_prefix(integer_field("score", 1, 2), "user: ", SPACED_DIGITS)
    assert fitted.reply_prefix == '{"score":'
    assert fitted.variants == ((" 1", "1"), (" 2", "2"))


def test_writings_that_cannot_be_spelled_are_left_out_of_every_label(tokenizer: Any) -> None:
    # After `-` a space is a part of the token `- `, so ` yes` does not begin at a boundary.
    answers = choices(("yes", "no"), "-", cases=("lower", "upper"), spaces=("", " "))
    fitted = fit_prefix(answers, "x", _encode(tokenizer))
    assert fitted == replace(answers, variants=(("yes", "YES"), ("no", "NO")))


def test_a_prefix_inside_every_answers_token_is_refused() -> None:
    with pytest.raises(AnswerError, match="no token boundary after 'ad'"):
        fit_prefix(choices(("vance",), "ad"), "", _merging(["advance"]))


@pytest.mark.parametrize("space", ["", " "])
def test_yes_and_no_have_the_writings_that_their_place_allows(space: str) -> None:
    fitted = fit_prefix(yes_no(f"Answer:{space}"), "", SPACED_WORDS)
    assert fitted.reply_prefix == "Answer:"
    assert " Yes" in fitted.variants[0]


# --- sums against every text that a model can write ----------------------------------------------


def _row(model: Any, tokens: Sequence[int]) -> list[float]:
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([list(tokens)])).logits[0, -1]
    return list(torch.softmax(logits.double(), dim=-1).tolist())


def _every_text(model: Any, prompt: Sequence[int]) -> dict[tuple[int, int], float]:
    """Probability of every continuation of two tokens."""
    first = _row(model, prompt)
    with torch.inference_mode():
        rows = torch.tensor([[*prompt, token] for token in range(len(first))])
        second = torch.softmax(model(input_ids=rows).logits[:, -1].double(), dim=-1)
    vocabulary = range(len(first))
    return {(a, b): first[a] * float(second[a, b]) for a in vocabulary for b in vocabulary}


@pytest.mark.parametrize("name", ["llama", "gpt2", "qwen2"])
def test_answers_hold_the_probability_of_the_texts_that_begin_with_them(
    tiny_models: Mapping[str, LocalModel], tokenizer: Any, name: str
) -> None:
    """Digits, letters and labels that begin other labels; `10` as `1`, `0`; `YES` as `Y`, `ES`.

    A text is the answer it begins with, the longest one where it begins with several. Every text
    of two tokens is asked for by itself.
    """
    variants = {
        "1": ("1",),
        "10": ("10",),
        "2": ("2",),
        "a": ("a", " a"),
        "ab": ("ab",),
        "A": ("A",),
        "yes": ("YES", "yE", "y"),
        "no": ("NO", "N"),
    }
    answers = AnswerSet(tuple(variants), tuple(variants.values()), "Rate it:")
    model = tiny_models[name].model
    prompt = _encode(tokenizer)(answers.reply_prefix)
    got = answer_probabilities(
        answers,
        spell(answers, answers.reply_prefix, _encode(tokenizer)),
        lambda path, token: _row(model, [*prompt, *path])[token],
    )
    meant = {variant: label for label, own in variants.items() for variant in own}
    wanted = dict.fromkeys(variants, 0.0)
    for path, probability in _every_text(model, prompt).items():
        text = tokenizer.decode(path)
        begun = [variant for variant in meant if text.startswith(variant)]
        if begun:
            wanted[meant[max(begun, key=len)]] += probability
    assert min(wanted.values()) > 0.0
    assert got == pytest.approx(tuple(wanted.values()), abs=FLOAT32)


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


@pytest.mark.slow
def test_the_default_model_has_a_boundary_between_a_space_and_a_digit_only(
    smollm: LocalModel,
) -> None:
    encoder = _encode(smollm.tokenizer)
    sets = [rating_scale(1, 10, "Rating: "), integer_field("field", 1, 10), yes_no("Answer:")]
    assert [fit_prefix(answers, "", encoder) for answers in sets] == sets
    assert len(spell(sets[2], "Answer:", encoder)) == 12
    # A word takes the space before it into its token.
    fitted = fit_prefix(yes_no("Answer: "), "", encoder)
    assert fitted.reply_prefix == "Answer:"
    assert fitted.variants == ((" Yes", " yes", " YES"), (" No", " no", " NO"))
