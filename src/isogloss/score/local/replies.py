"""One reply while it is written: its tokens, and whether it is finished."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch

from isogloss.score.backend import Answer, Failed, Reply, WriteTask
from isogloss.score.local.draw import draw, generator, most_probable


class Constraint(Protocol):
    """Which tokens may come next under a grammar."""

    @property
    def finished(self) -> bool:
        """Whether the text is complete."""

    def mask(self) -> torch.Tensor:
        """Return which tokens may come next, shape (vocabulary,)."""

    def accept(self, token: int) -> None:
        """Go on by one token."""


class Writing:
    """A reply that grows token by token until it ends, is stopped or is long enough."""

    def __init__(
        self,
        task: WriteTask,
        ends: set[int],
        decode: Callable[[Sequence[int]], str],
        constraint: Constraint | None,
    ) -> None:
        self.task = task
        self.tokens: list[int] = []
        self.answer: Answer | None = None
        """The reply, once it is finished."""
        self._ends = ends
        self._decode = decode
        self._constraint = constraint
        decoding = task.decoding
        self._random = generator(decoding.seed or 0, task.prompt.sha256, task.repeat)

    def extend(self, logits: torch.Tensor) -> None:
        """Choose the next token from float64 logits of shape (vocabulary,)."""
        if not bool(logits.isfinite().any()) or bool(logits.isnan().any()):
            self.answer = Failed("the model gave no finite probability")
            return
        token = self._choose(logits)
        if token in self._ends:
            self._finish("stop")
            return
        self.tokens.append(token)
        if self._constraint is not None:
            self._constraint.accept(token)
        self._look_for_end()

    def _choose(self, logits: torch.Tensor) -> int:
        if self._constraint is not None:
            allowed = self._constraint.mask().to(logits.device)
            logits = logits.masked_fill(~allowed, -torch.inf)
        decoding = self.task.decoding
        if decoding.temperature == 0.0:
            return most_probable(logits)
        return draw(
            logits,
            temperature=decoding.temperature,
            top_p=decoding.top_p,
            uniform=self._random.random(),
        )

    def _look_for_end(self) -> None:
        if self._is_complete() or self._is_stopped():
            self._finish("stop")
        elif len(self.tokens) >= self.task.decoding.max_new_tokens:
            self._finish("length")

    def _is_complete(self) -> bool:
        return self._constraint is not None and self._constraint.finished

    def _is_stopped(self) -> bool:
        stop = self.task.decoding.stop
        return bool(stop) and stopped_at(self._decode(self.tokens), stop) is not None

    def _finish(self, finish: str) -> None:
        text = self._decode(self.tokens)
        self.answer = Reply(
            text[: stopped_at(text, self.task.decoding.stop)],
            finish,
            prompt_tokens=len(self.task.prompt.tokens),
            completion_tokens=len(self.tokens),
        )


def stopped_at(text: str, stop: Sequence[str]) -> int | None:
    """Where the first of the stop strings begins in a text, or None."""
    found = [text.find(mark) for mark in stop if mark in text]
    return min(found, default=None)


def end_tokens(model: Any, tokenizer: Any) -> set[int]:
    """Tokens that end a reply: the tokenizer's own, and those the model was published with."""
    given = model.generation_config.eos_token_id
    listed = given if isinstance(given, list) else [given]
    return {int(token) for token in (*listed, tokenizer.eos_token_id) if token is not None}
