"""Run a trie through a model: each token of it once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from isogloss.score.local.attention import LayerState, attending, merge
from isogloss.score.local.kernel import Kernel
from isogloss.score.local.layout import Layout, lay_out
from isogloss.score.local.passes import Budget, Pass, plan_passes
from isogloss.score.local.trie import Trie

NodeState = dict[int, LayerState]
"""Keys and values of a node's tokens, by layer."""


@dataclass(frozen=True)
class Reads:
    """Logits after the last tokens of some nodes."""

    nodes: tuple[int, ...]
    logits: torch.Tensor
    """Shape (nodes, vocabulary)."""


class PackedPass:
    """Attention of one pass; see `attention` for the three parts that are merged."""

    def __init__(self, layout: Layout, context: NodeState) -> None:
        self._layout = layout
        self._context = context
        self.state: NodeState = {}
        """Keys and values of all tokens of the pass, by layer, filled in as the model runs."""

    def attend(
        self,
        layer: int,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        kernel: Kernel,
    ) -> torch.Tensor:
        """Return outputs of shape (1, tokens, heads, head size)."""
        query, key, value = query[0], key[0], value[0]
        self.state[layer] = (key, value)
        output, total = self._causal(query, key, value, kernel)
        for part in self._layout.dense:
            stretch = slice(part.first, part.last)
            found = _dense(query[:, stretch], key[:, part.keys], value[:, part.keys], kernel)
            output[stretch], total[stretch] = merge(output[stretch], total[stretch], *found)
        if layer in self._context:
            output, total = merge(output, total, *_dense(query, *self._context[layer], kernel))
        return output[None]

    def _causal(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, kernel: Kernel
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Each token with its own run; outputs and totals with tokens first, then heads."""
        heads, tokens, size = query.shape
        output = query.new_empty((tokens, heads, size), dtype=torch.float32)
        total = query.new_empty((tokens, heads), dtype=torch.float32)
        for rows in self._layout.rows:
            side_by_side = (x[:, rows.places].transpose(0, 1) for x in (query, key, value))
            found, found_total = kernel(*side_by_side, causal=True)
            output[rows.put] = found.transpose(1, 2).reshape(-1, heads, size)[rows.take].float()
            total[rows.put] = found_total.transpose(1, 2).reshape(-1, heads)[rows.take]
        return output, total


def _dense(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, kernel: Kernel
) -> tuple[torch.Tensor, torch.Tensor]:
    """Each query with all keys; outputs and totals with tokens first."""
    output, total = kernel(query[None], key[None], value[None])
    return output[0].transpose(0, 1).float(), total[0].transpose(0, 1)


class TrieRun:
    """Runs a trie pass by pass and keeps the keys and values that later passes need."""

    def __init__(self, model: Any, trie: Trie, budget: Budget, *, keep_all: bool = False) -> None:
        self._model = model
        self._trie = trie
        self._budget = budget
        self._keep_all = keep_all
        self.kept: dict[int, NodeState] = {}
        """State of the nodes that are kept; with `keep_all` of every node."""

    def __iter__(self) -> Iterator[Reads]:
        """Yield what each pass reads, in the order of the trie's nodes."""
        joined: tuple[tuple[int, ...], NodeState] = ((), {})
        for chosen in plan_passes(self._trie, self._budget):
            if joined[0] != chosen.context:
                joined = (chosen.context, self.joined(chosen.context))
            if not self._keep_all:
                self.kept = {node: self.kept[node] for node in chosen.context}
            yield self._run(chosen, joined[1])

    def joined(self, nodes: Sequence[int]) -> NodeState:
        """Keys and values of some kept nodes, one after the other."""
        if not nodes:
            return {}
        states = [self.kept[node] for node in nodes]
        return {
            layer: (
                torch.cat([state[layer][0] for state in states], dim=1),
                torch.cat([state[layer][1] for state in states], dim=1),
            )
            for layer in states[0]
        }

    @torch.inference_mode()
    def _run(self, chosen: Pass, context: NodeState) -> Reads:
        layout = lay_out(self._trie, chosen, self._model.device)
        packed = PackedPass(layout, context)
        read = tuple(node for node in chosen.nodes if self._trie.ends[node])
        places = [layout.span[node].stop - 1 for node in read] or [0]
        with attending(self._model, packed):
            logits = self._model(
                input_ids=layout.ids,
                position_ids=layout.positions,
                use_cache=False,
                logits_to_keep=torch.tensor(places, device=self._model.device),
            ).logits[0]
        for node in chosen.nodes if self._keep_all else chosen.keep:
            self.kept[node] = _part(packed.state, layout.span[node])
        return Reads(read, logits[: len(read)])


def _part(state: NodeState, place: slice) -> NodeState:
    return {
        layer: (key[:, place].clone(), value[:, place].clone())
        for layer, (key, value) in state.items()
    }
