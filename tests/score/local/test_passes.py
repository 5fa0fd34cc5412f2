import random

import pytest

from isogloss.score.local.passes import Budget, Pass, plan_passes
from isogloss.score.local.trie import build_trie

RUBRIC = (1, 2, 3, 4)


def test_what_fits_is_one_pass() -> None:
    trie = build_trie([(*RUBRIC, 5), (*RUBRIC, 6)], 100)
    assert list(plan_passes(trie, Budget(6, 2))) == [Pass((), (0, 1, 2), ())]


def test_a_beginning_is_kept_for_the_answers_that_do_not_fit_beside_it() -> None:
    trie = build_trie([(*RUBRIC, 5, 5), (*RUBRIC, 6, 6), (*RUBRIC, 7, 7)], 100)
    assert list(plan_passes(trie, Budget(6, 9))) == [
        Pass((), (0, 1), (0,)),
        Pass((0,), (2, 3), ()),
    ]


def test_reads_are_bounded_too() -> None:
    trie = build_trie([(1, 2), (1, 3), (1, 4)], 100)
    passes = list(plan_passes(trie, Budget(100, 1)))
    assert [len([n for n in p.nodes if trie.ends[n]]) for p in passes] == [1, 1, 1]


def test_an_empty_trie_needs_no_pass() -> None:
    assert list(plan_passes(build_trie([], 4), Budget(4, 4))) == []


@pytest.mark.parametrize("seed", range(60))
def test_every_node_is_read_once_after_all_before_it(seed: int) -> None:
    rng = random.Random(seed)
    sequences = [
        tuple(rng.randrange(3) for _ in range(rng.randrange(1, 12)))
        for _ in range(rng.randrange(1, 25))
    ]
    budget = Budget(rng.randrange(1, 15), rng.randrange(1, 5))
    trie = build_trie(sequences, budget.tokens)
    kept: set[int] = set()
    read: list[int] = []
    for chosen in plan_passes(trie, budget):
        # The reader drops what is not in the context, so the context must be there still.
        assert set(chosen.context) <= kept
        kept = set(chosen.context) | set(chosen.keep)
        assert set(chosen.keep) <= set(chosen.nodes)
        for node in chosen.nodes:
            before = trie.path(node)[:-1]
            inside = [n for n in before if n in chosen.nodes]
            assert before == (*chosen.context, *inside)
        assert list(chosen.nodes) == sorted(chosen.nodes)
        assert len(chosen.nodes) == 1 or (
            sum(len(trie.tokens[n]) for n in chosen.nodes) <= budget.tokens
            and sum(bool(trie.ends[n]) for n in chosen.nodes) <= budget.reads
        )
        read.extend(chosen.nodes)
    assert sorted(read) == list(range(len(trie.tokens)))
