"""Write replies token by token: several at once, their common beginning read and kept once."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from isogloss.score.local.attention import attending, merge
from isogloss.score.local.kernel import Kernel
from isogloss.score.local.passes import Budget
from isogloss.score.local.read import precise
from isogloss.score.local.replies import Writing
from isogloss.score.local.shared import NodeState, TrieRun
from isogloss.score.local.trie import Trie, build_trie

_MOST_ROWS = 64
"""Replies written together; beyond these a step takes longer in the same proportion."""
_WORTH_DROPPING = 0.75
"""Share of unfinished replies below which the finished ones' state is given up."""


class OneStep:
    """Attention of one new token of each reply: to the common beginning, and to the reply's own."""

    def __init__(self, common: NodeState, own: NodeState, lengths: torch.Tensor) -> None:
        self._common = common
        self._own = own
        self.lengths = lengths
        """Tokens of each reply's own state so far, shape (replies,)."""

    def attend(
        self,
        layer: int,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        kernel: Kernel,
    ) -> torch.Tensor:
        """Return outputs of shape (replies, 1, heads, head size)."""
        keys, values = self._own[layer]
        rows = torch.arange(len(self.lengths), device=query.device)
        keys[rows, :, self.lengths] = key[:, :, 0]
        values[rows, :, self.lengths] = value[:, :, 0]
        seen = int(self.lengths.max()) + 1
        visible = torch.arange(seen, device=query.device) <= self.lengths[:, None]
        output, total = kernel(query, keys[:, :, :seen], values[:, :, :seen], visible=visible)
        output, total = output[:, :, 0].float(), total[:, :, 0]
        if layer in self._common:
            # One row of queries: the keys of the common beginning are read once for all replies.
            together = query[:, :, 0].transpose(0, 1)[None]
            common = (x[None] for x in self._common[layer])
            found, found_total = kernel(together, *common)
            output, total = merge(
                output, total, found[0].transpose(0, 1).float(), found_total[0].transpose(0, 1)
            )
        return output[:, None]

    def keep(self, rows: torch.Tensor) -> None:
        """Drop the state of all replies but these."""
        self._own = {layer: (k[rows], v[rows]) for layer, (k, v) in self._own.items()}
        self.lengths = self.lengths[rows]


@torch.inference_mode()
def write_together(model: Any, batch: Sequence[Writing], budget: Budget) -> None:
    """Write replies until all are finished; their prompts may be alike or different."""
    prompts = [writing.task.prompt.tokens for writing in batch]
    trie = build_trie(prompts, budget.tokens)
    run = TrieRun(model, trie, budget, keep_all=True)
    ends: dict[int, int] = {}
    for reads in run:
        for node, logits in zip(reads.nodes, reads.logits, strict=True):
            for row in trie.ends[node]:
                ends[row] = node
                batch[row].extend(precise(logits))
    live = [row for row in range(len(batch)) if batch[row].answer is None]
    if live:
        step = _first_step(model, run, trie, [ends[row] for row in live], batch, live)
        run.kept.clear()  # held by the step now
        _go_on(model, step, batch, live)


def _go_on(model: Any, step: OneStep, batch: Sequence[Writing], rows: list[int]) -> None:
    """Write one token of every reply at a time; `rows` are the replies with a state."""
    before = torch.tensor([len(batch[row].task.prompt.tokens) for row in rows], device=model.device)
    first = step.lengths.clone()
    with attending(model, step):
        while any(batch[row].answer is None for row in rows):
            ids = torch.tensor([[batch[row].tokens[-1]] for row in rows], device=model.device)
            positions = (before + step.lengths - first)[:, None]
            logits = model(
                input_ids=ids, position_ids=positions, use_cache=False, logits_to_keep=1
            ).logits[:, -1]
            step.lengths = step.lengths + 1
            for row, own in zip(rows, precise(logits), strict=True):
                if batch[row].answer is None:
                    batch[row].extend(own)
            live = [i for i, row in enumerate(rows) if batch[row].answer is None]
            if live and len(live) <= _WORTH_DROPPING * len(rows):
                kept = torch.tensor(live, device=model.device)
                step.keep(kept)
                before, first = before[kept], first[kept]
                rows = [rows[i] for i in live]


def _first_step(
    model: Any,
    run: TrieRun,
    trie: Trie,
    ends: Sequence[int],
    batch: Sequence[Writing],
    live: Sequence[int],
) -> OneStep:
    """State after the prompts: what all share by itself, the rest of each in a padded row."""
    paths = [trie.path(end) for end in ends]
    shared = _shared_nodes(paths)
    own = [path[shared:] for path in paths]
    lengths = [sum(len(trie.tokens[node]) for node in path) for path in own]
    room = [batch[row].task.decoding.max_new_tokens for row in live]
    longest = max(lengths) + max(room)
    some = next(iter(run.kept.values()))
    padded = {
        layer: (_empty(keys, len(ends), longest), _empty(values, len(ends), longest))
        for layer, (keys, values) in some.items()
    }
    for row, path in enumerate(own):
        for layer, (keys, values) in run.joined(path).items():
            padded[layer][0][row, :, : lengths[row]] = keys
            padded[layer][1][row, :, : lengths[row]] = values
    return OneStep(
        run.joined(paths[0][:shared]), padded, torch.tensor(lengths, device=model.device)
    )


def _shared_nodes(paths: Sequence[tuple[int, ...]]) -> int:
    """How many nodes all paths begin with."""
    first, last = min(paths), max(paths)
    alike = (i for i in range(min(len(first), len(last))) if first[i] != last[i])
    return next(alike, min(len(first), len(last)))


def _empty(like: torch.Tensor, rows: int, tokens: int) -> torch.Tensor:
    return like.new_zeros((rows, like.shape[0], tokens, like.shape[2]))


@torch.inference_mode()
def write_alone(model: Any, writing: Writing, *, keeps_state: bool) -> None:
    """Write one reply, reading its prompt as a whole; for models whose state is not shared."""
    device = model.device
    ids = list(writing.task.prompt.tokens)
    state: Any = None
    while writing.answer is None:
        fed = ids + writing.tokens if state is None else writing.tokens[-1:]
        options = {} if state is None else {"cache": state}
        output = model(
            input_ids=torch.tensor([fed], device=device), use_cache=keeps_state, **options
        )
        state = output.cache if keeps_state else None
        writing.extend(precise(output.logits[0, -1]))


def batches_of(
    writings: Sequence[Writing], *, bytes_each_token: int, memory: int
) -> Iterator[list[Writing]]:
    """Replies whose prompts are of similar length together, as many as the memory holds."""
    order = sorted(writings, key=lambda w: (len(w.task.prompt.tokens), w.task.prompt.tokens))
    while order:
        longest = max(map(_most_tokens, order))
        rows = max(min(memory // (longest * bytes_each_token), _MOST_ROWS), 1)
        yield order[-rows:]
        del order[-rows:]


def _most_tokens(writing: Writing) -> int:
    return len(writing.task.prompt.tokens) + writing.task.decoding.max_new_tokens
