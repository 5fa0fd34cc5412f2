"""Logits after sequences, shared and whole, on models whose probabilities are known by hand."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from tests.score.local.by_hand import counted, counting_model
from tests.score.local.hooks import watching
from tests.score.local.reference import next_logs
from transformers import BloomConfig, LlamaConfig

from isogloss.errors import AnswerError
from isogloss.score.answers import CLOSE
from isogloss.score.local.passes import Budget
from isogloss.score.local.read import (
    Logits,
    next_probabilities,
    precise,
    read_shared,
    read_whole,
)

EXACT = 1e-6
"""Absolute; single-precision logits of at most 4."""

WAYS = {
    "shared": read_shared,
    "batched": partial(read_whole, single=False),
    "single": partial(read_whole, single=True),
}

A, B, C, D = range(4)
LONG = [A, B, C, D] * 12
SEQUENCES = [
    (A, A, B, C),
    (A, A, B),
    (A, A, B, C, D, D),
    (B,),
    (*LONG, A, A, A, A),
    (*LONG, B),
    (*LONG, B, *LONG, C),
    (*LONG, B, *LONG, D, D),
]
"""Some share beginnings long enough to be attended to by themselves, some are beginnings."""


def _probabilities(batches: Any, number: int) -> list[list[float]]:
    """Next-token probabilities of every sequence, of which each must be read once."""
    rows: dict[int, list[float]] = {}
    for logits in batches:
        for i, row in zip(logits.sequences, logits.rows, strict=True):
            assert i not in rows
            rows[i] = torch.softmax(row.double(), dim=-1).tolist()
    return [rows[i] for i in range(number)]


def test_the_model_by_hand_is_what_it_is_said_to_be() -> None:
    assert counted((A, A, B, C), 4) == pytest.approx([4 / 9, 2 / 9, 2 / 9, 1 / 9])
    model = counting_model(4)
    logs = next_logs(model, (A, A, B, C))
    assert logs.exp().tolist() == pytest.approx([4 / 9, 2 / 9, 2 / 9, 1 / 9], abs=EXACT)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("budget", [Budget(3, 1), Budget(50, 2), Budget(1000, 100)])
def test_probabilities_that_were_worked_out_by_hand(way: str, budget: Budget) -> None:
    found = _probabilities(WAYS[way](counting_model(4), SEQUENCES, budget), len(SEQUENCES))
    for sequence, row in zip(SEQUENCES, found, strict=True):
        assert row == pytest.approx(counted(sequence, 4), abs=EXACT)


def test_nothing_to_read_runs_nothing() -> None:
    model = counting_model(4)
    with watching(model) as work:
        assert [list(way(model, [], Budget(10, 10))) for way in WAYS.values()] == [[], [], []]
    assert work.tokens == []


def test_whole_batches_stay_within_tokens_and_reads() -> None:
    sequences = [(A,) * length for length in (3, 9, 1, 8, 4, 12, 2)]
    model = counting_model(4)
    with watching(model) as work:
        batches = list(WAYS["batched"](model, sequences, Budget(18, 3)))
    assert [logits.sequences for logits in batches] == [(5,), (1, 3), (4, 0, 6), (2,)]
    assert work.tokens == [12, 18, 12, 1]  # filled up to the longest of each batch


def test_a_sequence_beyond_the_budget_is_read_by_itself() -> None:
    batches = list(WAYS["batched"](counting_model(4), [(A,) * 9, (B,) * 8], Budget(4, 3)))
    assert [logits.sequences for logits in batches] == [(0,), (1,)]


def test_single_rows_are_neither_filled_up_nor_masked() -> None:
    model = counting_model(4)
    given: list[Any] = []
    model.register_forward_pre_hook(lambda _, __, options: given.append(options), with_kwargs=True)
    list(WAYS["single"](model, [(A, B), (C,)], Budget(100, 100)))
    assert [options["input_ids"].tolist() for options in given] == [[[A, B]], [[C]]]
    assert not any("attention_mask" in options for options in given)


def test_the_output_head_of_whole_rows_is_applied_where_some_row_ends() -> None:
    model = counting_model(4)
    sequences = [(A, B, C), (A, B, D), (A, B, C, D)]
    with watching(model) as work:
        list(WAYS["batched"](model, sequences, Budget(100, 100)))
    assert work.head_rows == [3 * 2]


def test_a_model_that_computes_all_logits_is_read_at_the_ends(build: Callable[..., Any]) -> None:
    """Its `forward` may take no `logits_to_keep`; then all logits come and are picked from."""
    model = build(BloomConfig(vocab_size=20, hidden_size=32, n_layer=2, n_head=4))
    forward = model.forward
    model.forward = lambda input_ids, attention_mask, use_cache: forward(
        input_ids=input_ids, attention_mask=attention_mask, use_cache=use_cache
    )
    sequences = [(5, 6, 7), (8, 9), (5, 6, 7, 8)]
    found = _probabilities(read_whole(model, sequences, Budget(100, 9), single=False), 3)
    model.forward = forward
    for sequence, row in zip(sequences, found, strict=True):
        assert row == pytest.approx(next_logs(model, sequence).exp().tolist(), abs=1e-5)


# --- probabilities --------------------------------------------------------------------------------


def test_probabilities_of_the_tokens_that_are_wanted() -> None:
    rows = torch.tensor([[math.log(2), 0.0, math.log(5)], [1000.0, 1000.0, -torch.inf]])
    found = next_probabilities(rows, [[2, 0], [1, 2]])
    assert found[0] == pytest.approx([5 / 8, 2 / 8], rel=1e-6)
    assert found[1] == pytest.approx([1 / 2, 0.0], rel=1e-12)


def test_what_closes_a_field_is_summed_beside_single_tokens() -> None:
    rows = torch.tensor([[0.0, math.log(2), math.log(3), math.log(4)], [0.0, 0.0, 0.0, 0.0]])
    found = next_probabilities(rows, [[3, CLOSE, 0], [CLOSE]], torch.tensor([1, 2]))
    assert found[0] == pytest.approx([4 / 10, 5 / 10, 1 / 10], rel=1e-6)
    assert found[1] == pytest.approx([1 / 2], rel=1e-12)
    with pytest.raises(AnswerError, match="end a JSON field"):
        next_probabilities(rows, [[CLOSE], [0]])


def test_many_rows_keep_their_order() -> None:
    rows = torch.zeros(150, 2)
    rows[:, 1] = torch.arange(150) / 50
    found = next_probabilities(rows, [[1]] * 150)
    wanted = [[1 / (1 + math.exp(-i / 50))] for i in range(150)]
    assert found == [pytest.approx(row, rel=1e-6) for row in wanted]


def test_sums_are_double_even_where_the_model_is_half() -> None:
    rows = torch.zeros(1, 3000, dtype=torch.bfloat16)
    assert precise(rows).dtype == torch.float64
    assert next_probabilities(rows, [[0]]) == [[pytest.approx(1 / 3000, rel=1e-12)]]


def test_shared_logits_name_their_sequences(shape: dict[str, Any], build: Any) -> None:
    model = build(LlamaConfig(**shape))
    (logits,) = read_shared(model, [(9, 8), (9,), (7,)], Budget(100, 100))
    assert isinstance(logits, Logits)
    assert sorted(logits.sequences) == [0, 1, 2]
    assert logits.rows.shape == (3, 76)
