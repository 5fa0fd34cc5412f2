"""Logits after token sequences, by whichever way of running the model gives them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import torch

from isogloss.errors import AnswerError
from isogloss.score.answers import CLOSE
from isogloss.score.local.passes import Budget
from isogloss.score.local.shared import TrieRun
from isogloss.score.local.trie import Tokens, build_trie


@dataclass(frozen=True)
class Logits:
    """Logits after the last token of some sequences."""

    sequences: tuple[int, ...]
    """For each row the number of its sequence."""
    rows: torch.Tensor
    """Shape (rows, vocabulary)."""


def read_shared(model: Any, sequences: Sequence[Tokens], budget: Budget) -> Iterator[Logits]:
    """Yield the logits after each of several distinct sequences; each beginning is read once."""
    trie = build_trie(sequences, budget.tokens)
    for reads in TrieRun(model, trie, budget):
        yield Logits(tuple(trie.ends[node][0] for node in reads.nodes), reads.logits)


@torch.inference_mode()
def read_whole(
    model: Any, sequences: Sequence[Tokens], budget: Budget, *, single: bool
) -> Iterator[Logits]:
    """Yield the logits after each sequence, each read as a whole; with `single`, by itself."""
    for batch in _batches(sequences, budget, single=single):
        longest = max(len(sequences[i]) for i in batch)
        padded = [[*sequences[i], *[0] * (longest - len(sequences[i]))] for i in batch]
        seen = [[1] * len(sequences[i]) + [0] * (longest - len(sequences[i])) for i in batch]
        ends = [len(sequences[i]) - 1 for i in batch]
        rows = _run(model, padded, None if single else seen, ends)
        yield Logits(tuple(batch), rows)


def _batches(sequences: Sequence[Tokens], budget: Budget, *, single: bool) -> Iterator[list[int]]:
    """Sequences of similar length together, longest first so that too much memory shows at once."""
    order = sorted(range(len(sequences)), key=lambda i: (-len(sequences[i]), i))
    start = 0
    while start < len(order):
        fitting = min(budget.tokens // len(sequences[order[start]]), budget.reads)
        rows = 1 if single else max(fitting, 1)
        yield order[start : start + rows]
        start += rows


def _run(
    model: Any, padded: list[list[int]], seen: list[list[int]] | None, ends: list[int]
) -> torch.Tensor:
    """Logits of each row at its end; the output head is applied at no other place if it can."""
    device = model.device
    kept = sorted(set(ends))
    options = {} if seen is None else {"attention_mask": torch.tensor(seen, device=device)}
    if "logits_to_keep" in signature(model.forward).parameters:
        options["logits_to_keep"] = torch.tensor(kept, device=device)
        columns = [kept.index(end) for end in ends]
    else:
        columns = ends
    logits = model(input_ids=torch.tensor(padded, device=device), use_cache=False, **options).logits
    chosen: torch.Tensor = logits[torch.arange(len(ends)), columns]
    return chosen


_ROWS = 64
"""Rows whose logits are made double at once."""


def next_probabilities(
    logits: torch.Tensor, tokens: Sequence[Sequence[int]], closing: torch.Tensor | None = None
) -> list[list[float]]:
    """Probability of each row's tokens: exp(logit - log sum exp of the row), in float64.

    That of `CLOSE` is the sum over `closing`, the ids of the tokens that it stands for.
    """
    found: list[list[float]] = []
    for start in range(0, len(logits), _ROWS):
        rows = precise(logits[start : start + _ROWS])
        totals = rows.logsumexp(dim=-1)
        for row, total, wanted in zip(rows, totals, tokens[start : start + _ROWS], strict=True):
            found.append(_row_probabilities(row, total, wanted, closing))
    return found


def _row_probabilities(
    row: torch.Tensor, total: torch.Tensor, wanted: Sequence[int], closing: torch.Tensor | None
) -> list[float]:
    """Probabilities of tokens from a row of logits and the log of the sum of their exponentials."""
    named = [token for token in wanted if token != CLOSE]
    found = dict(zip(named, (row[named] - total).exp().tolist(), strict=True))
    if CLOSE in wanted:
        if closing is None:
            raise AnswerError("which tokens end a JSON field is not known")
        found[CLOSE] = (row[closing.to(row.device)] - total).exp().sum().item()
    return [found[token] for token in wanted]


def precise(logits: torch.Tensor) -> torch.Tensor:
    """Logits in float64, on the CPU where the device has none."""
    return (logits.cpu() if logits.device.type == "mps" else logits).double()
