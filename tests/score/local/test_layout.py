import random

import pytest
import torch

from isogloss.score.local.layout import Layout, lay_out
from isogloss.score.local.passes import Budget, Pass, plan_passes
from isogloss.score.local.trie import build_trie

CPU = torch.device("cpu")


def _attended(layout: Layout) -> dict[int, list[int]]:
    """Places that each place of the packed row attends to, over all parts."""
    seen: dict[int, list[int]] = {place: [] for place in range(layout.ids.shape[1])}
    for rows in layout.rows:
        places = rows.places.flatten().tolist()
        longest = rows.places.shape[1]
        for entry, place in zip(rows.take.tolist(), rows.put.tolist(), strict=True):
            assert places[entry] == place
            start = entry - entry % longest
            seen[place] += places[start : entry + 1]
    for part in layout.dense:
        for place in range(part.first, part.last):
            seen[place] += part.keys.tolist()
    return seen


def test_a_short_beginning_stands_before_each_branch() -> None:
    trie = build_trie([(7, 8, 1, 2), (7, 8, 3)], longest=100)
    layout = lay_out(trie, Pass((), (0, 1, 2), ()), CPU)
    assert layout.ids.tolist() == [[7, 8, 1, 2, 3]]
    assert layout.positions.tolist() == [[0, 1, 2, 3, 2]]
    assert layout.span == {0: slice(0, 2), 1: slice(2, 4), 2: slice(4, 5)}
    assert layout.dense == ()
    assert _attended(layout) == {0: [0], 1: [0, 1], 2: [0, 1, 2], 3: [0, 1, 2, 3], 4: [0, 1, 4]}


def test_a_long_beginning_is_attended_to_densely() -> None:
    beginning = tuple(range(100, 140))
    trie = build_trie([(*beginning, 1, 2), (*beginning, 3)], longest=100)
    layout = lay_out(trie, Pass((), (0, 1, 2), ()), CPU)
    (dense,) = layout.dense
    assert dense.keys.tolist() == list(range(40))
    assert (dense.first, dense.last) == (40, 43)


def test_positions_go_on_from_the_context() -> None:
    trie = build_trie([(7, 8, 1, 2), (7, 8, 3)], longest=100)
    layout = lay_out(trie, Pass((0,), (1, 2), ()), CPU)
    assert layout.ids.tolist() == [[1, 2, 3]]
    assert layout.positions.tolist() == [[2, 3, 2]]
    assert _attended(layout) == {0: [0], 1: [0, 1], 2: [2]}


@pytest.mark.parametrize("seed", range(40))
def test_each_token_attends_once_to_every_token_on_its_path_and_to_no_other(seed: int) -> None:
    """Beginnings are long here, so that several dense ones stand above one another."""
    rng = random.Random(seed)
    sequences: list[tuple[int, ...]] = []
    for _ in range(rng.randrange(1, 20)):
        old = rng.choice(sequences) if sequences else ()
        new = (rng.randrange(3) for _ in range(rng.randrange(1, 60)))
        sequences.append((*old[: rng.randrange(len(old) + 1)], *new))
    budget = Budget(rng.choice([1, 20, 70, 400, 10_000]), 1000)
    trie = build_trie(sequences, budget.tokens)
    for chosen in plan_passes(trie, budget):
        layout = lay_out(trie, chosen, CPU)
        attended = _attended(layout)
        for node in chosen.nodes:
            own = layout.span[node]
            inside = [n for n in trie.path(node)[:-1] if n in layout.span]
            before = [p for n in inside for p in range(layout.span[n].start, layout.span[n].stop)]
            assert layout.ids[0, own].tolist() == list(trie.tokens[node])
            for place in range(own.start, own.stop):
                assert sorted(attended[place]) == [*before, *range(own.start, place + 1)]
                assert layout.positions[0, place] == trie.start[node] + place - own.start
