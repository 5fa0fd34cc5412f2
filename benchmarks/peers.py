"""Those who are measured: ways to get the probability of each answer after each prompt."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Protocol

import torch

from benchmarks.workloads import BenchmarkError, Question
from isogloss.score.backend import Backend, Batch, Distribution

Row = tuple[float, ...]
"""Probability of each label, not renormalised."""


class Peer(Protocol):
    """One way to get the probabilities."""

    @property
    def name(self) -> str:
        """Name in tables and figures."""

    @property
    def reads_all(self) -> bool:
        """Whether every prompt of a workload is measured, or a sample of them."""

    def prepare(self, questions: Sequence[Question]) -> None:
        """Do what is not to be measured: tokenising, for instance."""

    def read(self, questions: Sequence[Question]) -> list[Row]:
        """Return the probabilities after each prompt; the clock runs."""


class _Plain:
    """A peer that calls the model directly on the prompts' tokens."""

    reads_all = False

    def __init__(self, model: Any) -> None:
        self._model = model

    def prepare(self, questions: Sequence[Question]) -> None:
        """There is nothing to prepare."""


class Naive(_Plain):
    """A loop over prompts, one forward pass for each."""

    name = "one prompt at a time"

    @torch.inference_mode()
    def read(self, questions: Sequence[Question]) -> list[Row]:
        """Run each prompt whole, with the output head at its last token only."""
        return [self._row(question) for question in questions]

    def _row(self, question: Question) -> Row:
        ids = torch.tensor([question.tokens])
        logits = self._model(input_ids=ids, use_cache=False, logits_to_keep=1).logits
        return _chosen(logits[0, -1], question)


class Batched(_Plain):
    """Batches padded on the left, prompts of similar length together."""

    def __init__(self, model: Any, size: int) -> None:
        super().__init__(model)
        self._size = size

    @property
    def name(self) -> str:
        """Name with the size of the batch."""
        return f"transformers, batch {self._size}"

    @torch.inference_mode()
    def read(self, questions: Sequence[Question]) -> list[Row]:
        """Run the prompts in batches, with the output head at the last column only."""
        order = sorted(range(len(questions)), key=lambda i: len(questions[i].tokens))
        found: dict[int, Row] = {}
        for start in range(0, len(order), self._size):
            batch = order[start : start + self._size]
            rows = self._rows([questions[i] for i in batch])
            found |= dict(zip(batch, rows, strict=True))
        return [found[i] for i in range(len(questions))]

    def _rows(self, questions: Sequence[Question]) -> list[Row]:
        longest = max(len(question.tokens) for question in questions)
        gaps = [longest - len(question.tokens) for question in questions]
        padded = [[0] * gap + list(q.tokens) for gap, q in zip(gaps, questions, strict=True)]
        seen = torch.tensor([[0] * gap + [1] * (longest - gap) for gap in gaps])
        logits = self._model(
            input_ids=torch.tensor(padded),
            attention_mask=seen,
            position_ids=(seen.cumsum(dim=1) - 1).clamp(min=0),
            use_cache=False,
            logits_to_keep=1,
        ).logits
        return [_chosen(row[-1], q) for row, q in zip(logits, questions, strict=True)]


class Ours:
    """This project's backend, made anew for each reading so that nothing is left from the last."""

    name = "isogloss"
    reads_all = True

    def __init__(self, make: Callable[[], Backend]) -> None:
        self._make = make

    def prepare(self, questions: Sequence[Question]) -> None:
        """There is nothing to prepare."""

    def read(self, questions: Sequence[Question]) -> list[Row]:
        """Read all prompts as the asker does."""
        batches = self._make().read([question.task for question in questions])
        return rows_of(batches, len(questions))


def rows_of(batches: Iterable[Batch], count: int) -> list[Row]:
    """Put a backend's answers into the order of the tasks.

    Raises `BenchmarkError` for an answer without probabilities, one too many or one too few.
    """
    found: dict[int, Row] = {}
    for index, answer in chain.from_iterable(batches):
        if not isinstance(answer, Distribution) or answer.unseen:
            raise BenchmarkError(f"prompt {index} has no probabilities but {answer}")
        if index in found:
            raise BenchmarkError(f"prompt {index} was answered twice")
        found[index] = answer.probabilities
    if sorted(found) != list(range(count)):
        raise BenchmarkError(f"{len(found)} of {count} prompts were answered")
    return [found[index] for index in range(count)]


def _chosen(logits: torch.Tensor, question: Question) -> Row:
    probabilities = torch.softmax(logits.double(), dim=-1)
    return tuple(float(probabilities[token]) for token in question.answers)
