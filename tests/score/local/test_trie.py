import random

import pytest

from isogloss.score.local.trie import Trie, build_trie, common_beginning


def _written(trie: Trie, node: int) -> tuple[int, ...]:
    return tuple(token for step in trie.path(node) for token in trie.tokens[step])


def test_two_branches_of_one_beginning() -> None:
    trie = build_trie([(1, 2, 3), (1, 2, 4, 5)], longest=100)
    assert trie.tokens == [(1, 2), (3,), (4, 5)]
    assert trie.parent == [-1, 0, 0]
    assert trie.start == [0, 2, 2]
    assert trie.children == [[1, 2], [], []]
    assert trie.ends == [[], [0], [1]]
    assert trie.stop == [3, 2, 3]
    assert trie.size == 5


def test_a_sequence_inside_another_ends_at_a_node_of_its_own() -> None:
    trie = build_trie([(1, 2, 3), (1, 2)], longest=100)
    assert trie.tokens == [(1, 2), (3,)]
    assert trie.ends == [[1], [0]]


def test_equal_sequences_end_together() -> None:
    trie = build_trie([(7, 8), (7, 8), (7, 8)], longest=100)
    assert trie.tokens == [(7, 8)]
    assert sorted(trie.ends[0]) == [0, 1, 2]


def test_sequences_without_anything_in_common_are_roots() -> None:
    trie = build_trie([(1,), (2,)], longest=100)
    assert trie.roots == [0, 1]


def test_long_runs_are_cut() -> None:
    trie = build_trie([(1, 2, 3, 4, 5)], longest=2)
    assert trie.tokens == [(1, 2), (3, 4), (5,)]
    assert trie.start == [0, 2, 4]
    assert trie.ends == [[], [], [0]]


def test_no_sequences_make_an_empty_trie() -> None:
    assert build_trie([], longest=4).size == 0


def test_an_empty_sequence_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one token"):
        build_trie([(1,), ()], longest=4)


@pytest.mark.parametrize("seed", range(60))
def test_random_sequences(seed: int) -> None:
    rng = random.Random(seed)
    sequences = [
        tuple(rng.randrange(3) for _ in range(rng.randrange(1, 9)))
        for _ in range(rng.randrange(1, 14))
    ]
    longest = rng.choice([1, 2, 3, 100])
    trie = build_trie(sequences, longest)
    beginnings = {s[:length] for s in sequences for length in range(1, len(s) + 1)}
    assert trie.size == len(beginnings)
    assert all(len(tokens) <= longest for tokens in trie.tokens)
    ended = {}
    for node in range(len(trie.tokens)):
        written = _written(trie, node)
        assert len(written) == trie.start[node] + len(trie.tokens[node])
        below = [other for other in range(len(trie.tokens)) if node in trie.path(other)]
        assert below == list(range(node, trie.stop[node]))
        ended |= dict.fromkeys(trie.ends[node], written)
    assert ended == dict(enumerate(sequences))


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [((), (1,), 0), ((1, 2), (1, 2, 3), 2), ((1, 2), (1, 3), 1), ((4,), (5,), 0), ((6,), (6,), 1)],
)
def test_common_beginning(first: tuple[int, ...], second: tuple[int, ...], length: int) -> None:
    assert common_beginning(first, second) == length
    assert common_beginning(second, first) == length


def test_deep_tries_need_no_recursion() -> None:
    sequences = [tuple([1] * length) for length in range(1, 3000)]
    assert build_trie(sequences, longest=100).size == 2999
