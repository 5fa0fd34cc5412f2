"""Token sequences that begin alike, as a tree in which every beginning stands once.

A node is a run of tokens that all sequences below it share. Nodes are numbered so that a node
comes before those below it and they stand together: those from `i` to `stop[i]` are node `i` and
everything below it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Trie:
    """A compressed trie; every attribute has one entry for each node."""

    tokens: list[Tokens] = field(default_factory=list)
    """Tokens of the node itself."""
    parent: list[int] = field(default_factory=list)
    """Node that comes before, or -1."""
    start: list[int] = field(default_factory=list)
    """How many tokens come before the node's own."""
    children: list[list[int]] = field(default_factory=list)
    ends: list[list[int]] = field(default_factory=list)
    """Sequences whose last token is the node's last."""
    stop: list[int] = field(default_factory=list)
    """Number after the last node below this one."""

    @property
    def roots(self) -> list[int]:
        """Nodes that begin a sequence."""
        return [node for node, parent in enumerate(self.parent) if parent < 0]

    @property
    def size(self) -> int:
        """Tokens of all nodes: how many the model has to read."""
        return sum(map(len, self.tokens))

    def path(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the root to this one."""
        found = []
        while node >= 0:
            found.append(node)
            node = self.parent[node]
        return tuple(reversed(found))


def build_trie(sequences: Sequence[Tokens], longest: int) -> Trie:
    """Put sequences into a trie whose nodes have at most `longest` tokens.

    Raises `ValueError` for an empty sequence, after which nothing can be read.
    """
    if not all(sequences):
        raise ValueError("a sequence needs at least one token")
    trie = Trie()
    pending: list[tuple[_Run, int]] = [(run, -1) for run in reversed(_runs(sequences))]
    while pending:
        run, parent = pending.pop()
        own = sequences[run.sequence]
        for start in range(run.start, run.end, longest):
            parent = _add(trie, own[start : min(start + longest, run.end)], start, parent)
        trie.ends[parent].extend(run.ends)
        pending.extend((child, parent) for child in reversed(run.children))
    _close(trie)
    return trie


def common_beginning(first: Tokens, second: Tokens) -> int:
    """Length of what two sequences begin with alike."""
    length = min(len(first), len(second))
    if first[:length] == second[:length]:
        return length
    return next(i for i in range(length) if first[i] != second[i])


@dataclass
class _Run:
    """Tokens `start` to `end` of a sequence, while the trie is built."""

    sequence: int
    start: int
    end: int
    children: list["_Run"] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def split(self, at: int) -> None:
        """Keep the tokens before `at`; the others become the only run below."""
        below = _Run(self.sequence, at, self.end, self.children, self.ends)
        self.end, self.children, self.ends = at, [below], []


def _runs(sequences: Sequence[Tokens]) -> list[_Run]:
    """Runs at the root; in sorted order a sequence shares most with the one before it."""
    top = _Run(0, 0, 0)
    path = [top]
    previous: Tokens = ()
    for i in sorted(range(len(sequences)), key=lambda i: sequences[i]):
        own = sequences[i]
        shared = common_beginning(previous, own)
        while path[-1].start >= shared and path[-1] is not top:
            path.pop()
        if path[-1].end > shared:
            path[-1].split(shared)
        if len(own) > shared:
            path[-1].children.append(_Run(i, shared, len(own)))
            path.append(path[-1].children[-1])
        path[-1].ends.append(i)
        previous = own
    return top.children


def _add(trie: Trie, tokens: Tokens, start: int, parent: int) -> int:
    node = len(trie.tokens)
    trie.tokens.append(tokens)
    trie.parent.append(parent)
    trie.start.append(start)
    trie.children.append([])
    trie.ends.append([])
    trie.stop.append(node + 1)
    if parent >= 0:
        trie.children[parent].append(node)
    return node


def _close(trie: Trie) -> None:
    for node in reversed(range(len(trie.tokens))):
        for child in trie.children[node]:
            trie.stop[node] = max(trie.stop[node], trie.stop[child])
