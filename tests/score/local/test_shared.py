"""A trie run through a model: each token once, and what comes out."""

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch
from tests.score.local.hooks import watching
from tests.score.local.reference import next_logs
from transformers import LlamaConfig

from isogloss.score.local.passes import Budget
from isogloss.score.local.shared import TrieRun
from isogloss.score.local.trie import build_trie

Tokens = tuple[int, ...]

ROUNDING = 2e-4
"""Absolute, in logits of standard deviation 8; probabilities move by less than 1e-5."""


@pytest.fixture(scope="module")
def model(shape: dict[str, Any], build: Callable[..., Any]) -> Any:
    return build(LlamaConfig(**shape))


def _tokens(rng: random.Random, length: int) -> Tokens:
    return tuple(rng.randrange(7, 76) for _ in range(length))


def _tree(rng: random.Random, count: int) -> list[Tokens]:
    """Distinct sequences of which many begin with the whole of another, or a long part of it."""
    made: dict[Tokens, None] = {}
    while len(made) < count:
        old = rng.choice(list(made)) if made else ()
        made[(*old[: rng.randrange(len(old) + 1)], *_tokens(rng, rng.randrange(1, 50)))] = None
    return list(made)


def _beginnings(sequences: list[Tokens]) -> int:
    """Number of distinct beginnings: the tokens that have to be read."""
    return len({s[:length] for s in sequences for length in range(1, len(s) + 1)})


def _rubric_and_answers() -> list[Tokens]:
    rng = random.Random(1)
    rubric, mark = _tokens(rng, 70), _tokens(rng, 4)
    return [(*rubric, *_tokens(rng, rng.randrange(5, 30)), *mark) for _ in range(20)]


def _texts_and_traits() -> list[Tokens]:
    rng = random.Random(2)
    start, middle = _tokens(rng, 20), _tokens(rng, 3)
    traits = [(t, *rest) for t in _tokens(rng, 3) for rest in (_tokens(rng, 1), _tokens(rng, 3))]
    return [
        (*start, *text, *middle, *trait)
        for text in (_tokens(rng, 25) for _ in range(6))
        for trait in traits
    ]


def _conversation_and_questions() -> list[Tokens]:
    rng = random.Random(3)
    turns = [_tokens(rng, 40) for _ in range(4)]
    questions = [_tokens(rng, rng.randrange(3, 12)) for _ in range(10)]
    said = [tuple(t for turn in turns[:n] for t in turn) for n in range(1, 5)]
    return [(*before, *question) for before in said for question in questions]


SHAPES = [_rubric_and_answers, _texts_and_traits, _conversation_and_questions]


@pytest.mark.parametrize("make", SHAPES)
@pytest.mark.parametrize("budget", [Budget(10_000, 10_000), Budget(90, 7), Budget(13, 2)])
def test_each_token_that_prompts_share_is_read_once(
    make: Callable[[], list[Tokens]], budget: Budget, model: Any
) -> None:
    sequences = make()
    trie = build_trie(sequences, budget.tokens)
    with watching(model) as work:
        read = [node for reads in TrieRun(model, trie, budget) for node in reads.nodes]
    assert sum(work.tokens) == _beginnings(sequences) < sum(map(len, sequences)) / 2
    assert max(work.tokens) <= budget.tokens
    assert max(work.head_rows) <= budget.reads
    assert (len(work.tokens) == 1) == (budget.tokens == 10_000)
    assert sorted(i for node in read for i in trie.ends[node]) == list(range(len(sequences)))
    if budget.tokens == 10_000:
        # The output head sees the ends of sequences and nothing else.
        assert work.head_rows == [len(set(sequences))]


@pytest.mark.parametrize("seed", range(12))
def test_logits_are_those_of_each_sequence_alone(seed: int, model: Any) -> None:
    rng = random.Random(seed)
    sequences = _tree(rng, 14)
    budget = Budget(rng.choice([5, 40, 120, 1000]), rng.choice([1, 3, 100]))
    trie = build_trie(sequences, budget.tokens)
    with watching(model) as work:
        found = {
            i: row
            for reads in TrieRun(model, trie, budget)
            for node, row in zip(reads.nodes, reads.logits, strict=True)
            for i in trie.ends[node]
        }
    assert sum(work.tokens) == _beginnings(sequences)
    for i, sequence in enumerate(sequences):
        logs = torch.log_softmax(found[i].double(), dim=-1)
        assert float((logs - next_logs(model, sequence)).abs().max()) < ROUNDING


@pytest.mark.parametrize("make", SHAPES)
def test_no_more_is_kept_than_one_path(make: Callable[[], list[Tokens]], model: Any) -> None:
    trie = build_trie(make(), 30)
    run = TrieRun(model, trie, Budget(30, 5))
    most = 0
    for _ in run:
        deepest = max(run.kept, default=-1)
        assert tuple(sorted(run.kept)) == trie.path(deepest)
        for node, state in run.kept.items():
            own = (2, len(trie.tokens[node]), 8)  # key heads, tokens, head size
            assert {layer: (k.shape, v.shape) for layer, (k, v) in state.items()} == {
                0: (own, own),
                1: (own, own),
            }
        most = max(most, len(run.kept))
    assert most > 0


def test_what_is_kept_holds_on_to_no_more_than_itself(model: Any) -> None:
    """A view of a pass's keys would keep those of the whole pass alive."""
    trie = build_trie(_rubric_and_answers(), 1000)
    run = TrieRun(model, trie, Budget(120, 100))
    next(iter(run))
    (state,) = run.kept.values()
    for kept in state[0]:
        assert kept.untyped_storage().nbytes() == kept.numel() * kept.itemsize


def test_all_is_kept_where_replies_go_on(model: Any) -> None:
    sequences = _rubric_and_answers()
    trie = build_trie(sequences, 30)
    run = TrieRun(model, trie, Budget(30, 5), keep_all=True)
    for _ in run:
        pass
    assert sorted(run.kept) == list(range(len(trie.tokens)))
    path = trie.path(trie.parent.index(0))
    keys, values = run.joined(path)[1]
    length = sum(len(trie.tokens[node]) for node in path)
    assert keys.shape == values.shape == (2, length, 8)
