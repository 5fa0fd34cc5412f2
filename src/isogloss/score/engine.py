"""Next-token distributions and greedy continuations of a local model, batched.

Prompts of one call share their beginning by design (rubric, instructions). The shared tokens are
run once; each batch continues from a copy of their keys and values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import DynamicCache

from isogloss.score.answers import AnswerSet, Spelling, answer_probabilities, inner_paths

Tokens = tuple[int, ...]

_WORTH_SHARING = 16
"""Tokens from which on running a common beginning by itself is the faster way."""


@dataclass(frozen=True)
class Question:
    """A prompt's tokens and the spellings of the answers that may follow."""

    tokens: Tokens
    answers: AnswerSet
    spellings: tuple[Spelling, ...]


@dataclass(frozen=True)
class Prefix:
    """Tokens that every prompt of a call begins with, and the model's state after them."""

    length: int
    keys_values: tuple[tuple[torch.Tensor, torch.Tensor], ...]
    """For each layer the keys and values, each of shape (1, heads, length, head size)."""

    def expanded(self, batch: int) -> DynamicCache | None:
        """Return a fresh cache for `batch` rows, or None for an empty prefix."""
        if self.length == 0:
            return None
        cache = DynamicCache()
        for layer, (keys, values) in enumerate(self.keys_values):
            shape = (batch, -1, -1, -1)
            cache.update(keys.expand(shape), values.expand(shape), layer)
        return cache


def common_prefix(sequences: Sequence[Tokens]) -> int:
    """Length of the longest beginning of all sequences that leaves each at least one token."""
    if len(sequences) < 2:
        return 0
    low, high = min(sequences), max(sequences)
    length = min(len(sequence) for sequence in sequences) - 1
    same = (i for i in range(length) if low[i] != high[i])
    return next(same, length)


EMPTY = Prefix(0, ())


@torch.inference_mode()
def run_prefix(model: Any, tokens: Tokens, start: Prefix = EMPTY) -> Prefix:
    """Run `tokens`, which follow `start`, once, and return the model's state after them."""
    if not tokens:
        return start
    ids = torch.tensor([tokens], device=model.device)
    state = model(
        input_ids=ids,
        cache=start.expanded(1),
        position_ids=_positions(start.length, ids),
        use_cache=True,
        logits_to_keep=1,
    ).cache
    layers = tuple((layer.keys, layer.values) for layer in state.layers)
    return Prefix(start.length + len(tokens), layers)


def batches(tails: Sequence[Tokens], batch_tokens: int) -> Iterator[list[int]]:
    """Split indices into batches of tails of similar length.

    A batch's padded size (rows times longest) stays within `batch_tokens`, or the batch has one
    row. Longest first, so that a size that does not fit memory fails at once.
    """
    order = sorted(range(len(tails)), key=lambda i: (-len(tails[i]), i))
    start = 0
    while start < len(order):
        rows = max(batch_tokens // max(len(tails[order[start]]), 1), 1)
        yield order[start : start + rows]
        start += rows


def sibling_batches(tails: Sequence[Tokens], batch_tokens: int) -> Iterator[list[int]]:
    """Split indices into batches in which tails with a common beginning stand together.

    A batch's padded size (tails times longest) stays within `batch_tokens`, or it has one tail.
    """
    batch: list[int] = []
    longest = 0
    for i in sorted(range(len(tails)), key=lambda i: tails[i]):
        longest = max(longest, len(tails[i]))
        if batch and (len(batch) + 1) * longest > batch_tokens:
            yield batch
            batch, longest = [], len(tails[i])
        batch.append(i)
    if batch:
        yield batch


def siblings(tails: Sequence[Tokens]) -> list[tuple[int, list[int]]]:
    """Group tails that begin alike: pairs of the length of their common beginning and indices.

    Tails that share fewer than `_WORTH_SHARING` tokens with their neighbours in the order of
    their tokens form one group, of length 0.
    """
    groups: list[tuple[int, list[int]]] = []
    for i in sorted(range(len(tails)), key=lambda i: tails[i]):
        length = 0
        if groups:
            length = min(groups[-1][0], common_prefix([tails[groups[-1][1][0]], tails[i]]))
        if length >= _WORTH_SHARING:
            groups[-1] = (length, [*groups[-1][1], i])
        else:
            groups.append((len(tails[i]), [i]))
    alone = [group[0] for _, group in groups if len(group) == 1]
    shared = [(length, group) for length, group in groups if len(group) > 1]
    return [*shared, (0, alone)] if alone else shared


def score_batch(
    model: Any, prefix: Prefix, questions: Sequence[Question]
) -> list[tuple[float, ...]]:
    """Probabilities of each question's answers, not renormalised; see `answer_probabilities`.

    Every question begins with the prefix's tokens. Questions whose answers are single tokens run
    together; one with longer answers runs its own prompt once and the answers after it.
    """
    paths = [inner_paths(question.spellings) for question in questions]
    short = [i for i, p in enumerate(paths) if len(p) == 1]
    leaves = next_token_tree(model, prefix, [questions[i].tokens[prefix.length :] for i in short])
    found = {i: [row] for i, row in zip(short, leaves, strict=True)}
    for i in set(range(len(questions))) - set(short):
        found[i] = _after_paths(model, prefix, questions[i].tokens, paths[i])
    return [
        _read(question, dict(zip(paths[i], found[i], strict=True)))
        for i, question in enumerate(questions)
    ]


def next_token_tree(model: Any, prefix: Prefix, tails: Sequence[Tokens]) -> list[torch.Tensor]:
    """Next-token distribution after each tail; what several tails begin with is run once."""
    found: dict[int, torch.Tensor] = {}
    for length, group in siblings(tails):
        rest = [tails[i][length:] for i in group]
        if length == 0:
            rows = next_token(model, prefix, rest)
        else:
            own = run_prefix(model, tails[group[0]][:length], prefix)
            rows = next_token_tree(model, own, rest)
        found |= dict(zip(group, rows, strict=True))
    return [found[i] for i in range(len(tails))]


def _after_paths(
    model: Any, prefix: Prefix, tokens: Tokens, paths: Sequence[Tokens]
) -> list[torch.Tensor]:
    """Distribution after the prompt and each path; a path inside a longer one costs nothing."""
    own = run_prefix(model, tokens[prefix.length : -1], prefix)
    ends = [p for p in paths if not any(q[: len(p)] == p and q != p for q in paths)]
    rows = [tokens[-1:] + path for path in ends]
    after = {
        row[1 : position + 1]: distribution
        for row, along in zip(
            rows, next_tokens(model, own, rows, [range(len(row)) for row in rows]), strict=True
        )
        for position, distribution in enumerate(along)
    }
    return [after[path] for path in paths]


def _read(question: Question, after: dict[Tokens, torch.Tensor]) -> tuple[float, ...]:
    def probability(path: Tokens, token: int) -> float:
        return float(after[path][token])

    return answer_probabilities(question.answers, question.spellings, probability)


def next_token(model: Any, prefix: Prefix, rows: Sequence[Tokens]) -> list[torch.Tensor]:
    """Next-token distribution after each row, in float64, each of shape (vocabulary,).

    A row is the tokens that follow the prefix, at least one.
    """
    ends = [[len(row) - 1] for row in rows]
    return [found for (found,) in next_tokens(model, prefix, rows, ends)]


@torch.inference_mode()
def next_tokens(
    model: Any, prefix: Prefix, rows: Sequence[Tokens], positions: Sequence[Sequence[int]]
) -> list[list[torch.Tensor]]:
    """Next-token distributions of each row after its tokens at the given positions."""
    if not rows:
        return []
    ids = _padded(rows, model.device)
    kept = sorted({position for wanted in positions for position in wanted})
    logits = model(
        input_ids=ids,
        cache=prefix.expanded(len(rows)),
        position_ids=_positions(prefix.length, ids),
        use_cache=True,
        logits_to_keep=torch.tensor(kept, device=model.device),
    ).logits
    place = {position: i for i, position in enumerate(kept)}
    return [
        [torch.softmax(logits[row, place[p]].double(), dim=-1).cpu() for p in wanted]
        for row, wanted in enumerate(positions)
    ]


def _padded(rows: Sequence[Tokens], device: Any) -> torch.Tensor:
    """Rows padded on the right; under a causal mask no real token sees the padding."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], device=device)


def _positions(start: int, ids: torch.Tensor) -> torch.Tensor:
    return torch.arange(start, start + ids.shape[1], device=ids.device).expand(ids.shape)


@torch.inference_mode()
def continue_batch(
    model: Any, prefix: Prefix, prompts: Sequence[Tokens], *, max_new_tokens: int, stop: set[int]
) -> list[Tokens]:
    """Greedy continuation of each prompt, without the stop token that ended it.

    Every prompt begins with the prefix's tokens. A row ends at a token of `stop` or after
    `max_new_tokens`.
    """
    rows = [list(prompt[prefix.length :]) for prompt in prompts]
    longest = max(len(row) for row in rows)
    # Padding on the left keeps the newest token of all rows in one column.
    ids = torch.tensor([[0] * (longest - len(r)) + r for r in rows], device=model.device)
    seen = [[1] * prefix.length + [0] * (longest - len(r)) + [1] * len(r) for r in rows]
    mask = torch.tensor(seen, device=model.device)
    cache = prefix.expanded(len(rows)) or DynamicCache()
    written: list[list[int]] = [[] for _ in rows]
    done = [False] * len(rows)
    for _ in range(max_new_tokens):
        newest = _step(model, cache, ids, mask)
        for i, token in enumerate(newest):
            done[i] = done[i] or token in stop
            if not done[i]:
                written[i].append(token)
        if all(done):
            break
        ids = torch.tensor(newest, device=model.device)[:, None]
        mask = torch.cat([mask, mask.new_ones(len(rows), 1)], dim=1)
    return [tuple(tokens) for tokens in written]


def _step(model: Any, cache: DynamicCache, ids: torch.Tensor, mask: torch.Tensor) -> list[int]:
    positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, -ids.shape[1] :]
    logits = model(
        input_ids=ids,
        attention_mask=mask,
        cache=cache,
        position_ids=positions,
        use_cache=True,
        logits_to_keep=1,
    ).logits
    return [int(token) for token in logits[:, -1].argmax(dim=-1)]
