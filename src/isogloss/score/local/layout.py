"""Where each node of a pass stands in the packed row, and which keys its tokens attend to."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from isogloss.score.local.passes import Pass
from isogloss.score.local.trie import Trie

_DENSE = 32
"""Length from which on a common beginning gets an attention call of its own."""
_FILLED = 0.8
"""Share of a group's longest row that its shortest fills at least."""


@dataclass(frozen=True)
class Dense:
    """Keys that a stretch of queries sees all of."""

    keys: torch.Tensor
    """Places of the keys in the packed row, shape (keys,)."""
    first: int
    last: int
    """The queries are those from `first` up to, not with, `last`."""


@dataclass(frozen=True)
class Rows:
    """Runs of similar length that are attended to causally, side by side."""

    places: torch.Tensor
    """Places in the packed row, shape (rows, longest); filled up on the right with any place."""
    take: torch.Tensor
    """Entries of `places`, flattened, whose outputs count."""
    put: torch.Tensor
    """Places in the packed row to which those outputs belong."""


@dataclass(frozen=True)
class Layout:
    """A pass as tensors."""

    ids: torch.Tensor
    """Token ids, shape (1, tokens)."""
    positions: torch.Tensor
    """Position of each token in its prompt, shape (1, tokens)."""
    dense: tuple[Dense, ...]
    rows: tuple[Rows, ...]
    span: dict[int, slice]
    """Places of each node's tokens."""


@dataclass(frozen=True)
class _Run:
    """Places of a node's row: what it attends to causally, then its own tokens."""

    before: list[int]
    own: range

    @property
    def places(self) -> list[int]:
        return [*self.before, *self.own]


def lay_out(trie: Trie, chosen: Pass, device: torch.device) -> Layout:
    """Pack the nodes of a pass into one row."""
    span: dict[int, slice] = {}
    place = 0
    for node in chosen.nodes:
        span[node] = slice(place, place + len(trie.tokens[node]))
        place = span[node].stop
    runs, dense = _attended(trie, span, device)
    ids = [token for node in chosen.nodes for token in trie.tokens[node]]
    positions = [p for node in chosen.nodes for p in _positions(trie, node)]
    return Layout(
        torch.tensor([ids], device=device),
        torch.tensor([positions], device=device),
        dense,
        tuple(_rows(group, device) for group in _groups(runs)),
        span,
    )


def _positions(trie: Trie, node: int) -> range:
    return range(trie.start[node], trie.start[node] + len(trie.tokens[node]))


def _attended(
    trie: Trie, span: dict[int, slice], device: torch.device
) -> tuple[list[_Run], tuple[Dense, ...]]:
    """Rows of all nodes, and the beginnings long enough to be attended to densely."""
    runs: list[_Run] = []
    dense: list[Dense] = []
    handed_down: dict[int, list[int]] = {}
    for node, own in span.items():
        before = handed_down.get(trie.parent[node], [])
        run = _Run(before, range(own.start, own.stop))
        runs.append(run)
        below = [n for n in trie.children[node] if n in span]
        if not below:
            continue
        places = run.places
        handed_down[node] = places
        if len(places) >= _DENSE:
            last = max(span[n].stop for n in _below(trie, node) if n in span)
            dense.append(Dense(torch.tensor(places, device=device), own.stop, last))
            handed_down[node] = []
    return runs, tuple(dense)


def _below(trie: Trie, node: int) -> range:
    return range(node + 1, trie.stop[node])


def _groups(runs: Sequence[_Run]) -> list[list[_Run]]:
    """Runs of similar length together, longest first."""
    groups: list[list[_Run]] = []
    for run in sorted(runs, key=lambda run: -len(run.places)):
        if groups and len(run.places) >= _FILLED * len(groups[-1][0].places):
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups


def _rows(runs: Sequence[_Run], device: torch.device) -> Rows:
    longest = len(runs[0].places)
    places: list[list[int]] = []
    take: list[int] = []
    put: list[int] = []
    for row, run in enumerate(runs):
        own = run.places
        first = row * longest + len(run.before)
        take.extend(range(first, first + len(run.own)))
        put.extend(run.own)
        places.append(own + [own[0]] * (longest - len(own)))
    tensors = (torch.tensor(found, device=device) for found in (places, take, put))
    return Rows(*tensors)
