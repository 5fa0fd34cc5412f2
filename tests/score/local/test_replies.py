import math
from typing import Any

import pytest
import torch

from isogloss.score.backend import Decoding, Failed, Reply, WriteTask
from isogloss.score.local.replies import Writing, end_tokens, stopped_at
from isogloss.score.prompts import Prompt

LETTERS = "abcd."
END = 5


def _decode(tokens: Any) -> str:
    return "".join(LETTERS[token] for token in tokens)


def _writing(constraint: Any = None, repeat: int = 0, **decoding: Any) -> Writing:
    decoding = {"max_new_tokens": 4, **decoding}
    task = WriteTask(Prompt("x", (1, 2, 3)), Decoding(**decoding), repeat)
    return Writing(task, {END}, _decode, constraint)


def _preferring(token: int, among: int = 6) -> torch.Tensor:
    logits = torch.zeros(among, dtype=torch.float64)
    logits[token] = 5.0
    return logits


def _write(writing: Writing, tokens: list[int]) -> Any:
    for token in tokens:
        assert writing.answer is None
        writing.extend(_preferring(token))
    return writing.answer


def test_the_limit_ends_a_reply() -> None:
    reply = _write(_writing(), [0, 1, 2, 3])
    assert reply == Reply("abcd", "length", prompt_tokens=3, completion_tokens=4)


def test_an_end_token_ends_a_reply_and_is_no_part_of_it() -> None:
    reply = _write(_writing(), [0, 1, END])
    assert reply == Reply("ab", "stop", prompt_tokens=3, completion_tokens=2)


def test_a_reply_may_be_empty() -> None:
    assert _write(_writing(), [END]) == Reply("", "stop", prompt_tokens=3, completion_tokens=0)


def test_a_stop_string_ends_a_reply_and_is_no_part_of_it() -> None:
    reply = _write(_writing(stop=("dd", "bc")), [0, 1, 2])
    assert reply == Reply("a", "stop", prompt_tokens=3, completion_tokens=3)


def test_a_stop_string_in_the_last_token_that_fits_still_stops() -> None:
    assert _write(_writing(stop=("d",)), [0, 1, 2, 3]).finish == "stop"


@pytest.mark.parametrize(
    ("text", "stop", "place"),
    [("abc", ("c",), 2), ("abc", ("c", "b"), 1), ("abc", ("x",), None), ("abc", (), None)],
)
def test_the_first_stop_string_counts(text: str, stop: tuple[str, ...], place: int | None) -> None:
    assert stopped_at(text, stop) == place


@pytest.mark.parametrize("fault", [math.nan, math.inf])
def test_logits_that_are_no_numbers_fail_and_are_no_text(fault: float) -> None:
    writing = _writing()
    _write(writing, [0])
    writing.extend(torch.full((6,), fault, dtype=torch.float64))
    assert writing.answer == Failed("the model gave no finite probability")


def test_tokens_that_a_model_rules_out_are_no_fault() -> None:
    logits = _preferring(2)
    logits[0] = -torch.inf
    writing = _writing(max_new_tokens=1)
    writing.extend(logits)
    assert writing.answer == Reply("c", "length", prompt_tokens=3, completion_tokens=1)


def test_a_greedy_reply_needs_no_seed_and_takes_the_first_of_equals() -> None:
    writing = _writing(max_new_tokens=1)
    writing.extend(torch.zeros(6, dtype=torch.float64))
    assert writing.tokens == [0]


def _drawn(repeat: int, **decoding: Any) -> list[int]:
    writing = _writing(repeat=repeat, max_new_tokens=30, **decoding)
    while writing.answer is None:
        writing.extend(torch.zeros(5, dtype=torch.float64))
    return writing.tokens


def test_a_repeat_is_the_same_draw_each_time_and_another_one_is_not() -> None:
    drawn = [_drawn(repeat, temperature=1.0, seed=4) for repeat in (0, 1, 0)]
    assert drawn[0] == drawn[2] != drawn[1]
    assert _drawn(0, temperature=1.0, seed=5) != drawn[0]
    # Random numbers of one reply do not repeat themselves.
    assert len(set(drawn[0])) == 5


class _Alternating:
    """Allows a and b in turns, four tokens in all."""

    def __init__(self) -> None:
        self.accepted: list[int] = []

    @property
    def finished(self) -> bool:
        return len(self.accepted) == 4

    def mask(self) -> torch.Tensor:
        allowed = torch.zeros(6, dtype=torch.bool)
        allowed[len(self.accepted) % 2] = True
        return allowed

    def accept(self, token: int) -> None:
        self.accepted.append(token)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_constraint_decides_what_may_come_and_when_it_is_done(temperature: float) -> None:
    constraint = _Alternating()
    writing = _writing(constraint, max_new_tokens=9, temperature=temperature, seed=1)
    while writing.answer is None:
        writing.extend(_preferring(3))
    assert writing.answer == Reply("abab", "stop", prompt_tokens=3, completion_tokens=4)
    assert constraint.accepted == [0, 1, 0, 1]


def test_a_constrained_reply_may_be_cut() -> None:
    writing = _writing(_Alternating(), max_new_tokens=3)
    while writing.answer is None:
        writing.extend(_preferring(3))
    assert writing.answer == Reply("aba", "length", prompt_tokens=3, completion_tokens=3)


class _Named:
    def __init__(self, **fields: Any) -> None:
        self.__dict__ |= fields


@pytest.mark.parametrize(
    ("published", "own", "ends"),
    [([3, 4], 5, {3, 4, 5}), (3, 5, {3, 5}), (None, 5, {5}), (3, None, {3}), (None, None, set())],
)
def test_end_tokens_are_the_models_and_the_tokenizers(
    published: Any, own: int | None, ends: set[int]
) -> None:
    model = _Named(generation_config=_Named(eos_token_id=published))
    assert end_tokens(model, _Named(eos_token_id=own)) == ends
