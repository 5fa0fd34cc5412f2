"""Which part of a trie the model reads in one pass, so that memory stays bounded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from isogloss.score.local.trie import Trie


@dataclass(frozen=True)
class Budget:
    """What one pass may hold; a pass reads one node at least."""

    tokens: int
    """Tokens that the model reads at once."""
    reads: int
    """Positions at which the output head is applied at once."""


@dataclass(frozen=True)
class Pass:
    """Nodes read together, after nodes whose keys and values are there already."""

    context: tuple[int, ...]
    """Nodes from the root down, read in earlier passes."""
    nodes: tuple[int, ...]
    """Nodes read now, each after its parent unless that is the last of the context."""
    keep: tuple[int, ...]
    """Nodes of this pass that later passes continue."""


def plan_passes(trie: Trie, budget: Budget) -> Iterator[Pass]:
    """Split a trie into passes, each node in exactly one.

    Siblings are packed in their order as long as everything below them fits. A node with more
    below it than fits is read together with the first of its children, kept, and continued.
    """
    fitting = _Fitting(trie, budget)
    pending: list[tuple[tuple[int, ...], list[int]]] = [((), trie.roots)] if trie.tokens else []
    while pending:
        context, siblings = pending.pop()
        whole = fitting.count(siblings)
        if whole:
            rest = siblings[whole:]
            yield Pass(context, _with_all_below(trie, siblings[:whole]), ())
        else:
            node, rest = siblings[0], siblings[1:]
            below = trie.children[node]
            first = fitting.count(below, beside=node)
            later = below[first:]
            nodes = (node, *_with_all_below(trie, below[:first]))
            yield Pass(context, nodes, (node,) if later else ())
        if rest:
            pending.append((context, rest))
        if not whole and later:
            pending.append(((*context, node), later))


class _Fitting:
    """Counts how many siblings fit into one pass with everything below them."""

    def __init__(self, trie: Trie, budget: Budget) -> None:
        self._trie = trie
        self._budget = budget
        self._tokens = [0, *accumulate(map(len, trie.tokens))]
        self._reads = [0, *accumulate(1 if ends else 0 for ends in trie.ends)]

    def count(self, siblings: Sequence[int], beside: int | None = None) -> int:
        """Siblings, from the first on, that fit beside a node."""
        own = range(0) if beside is None else range(beside, beside + 1)
        tokens = self._tokens[own.stop] - self._tokens[own.start]
        reads = self._reads[own.stop] - self._reads[own.start]
        for number, node in enumerate(siblings):
            stop = self._trie.stop[node]
            tokens += self._tokens[stop] - self._tokens[node]
            reads += self._reads[stop] - self._reads[node]
            if tokens > self._budget.tokens or reads > self._budget.reads:
                return number
        return len(siblings)


def _with_all_below(trie: Trie, nodes: Sequence[int]) -> tuple[int, ...]:
    return tuple(below for node in nodes for below in range(node, trie.stop[node]))
