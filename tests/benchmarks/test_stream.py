"""Conversations are read one after the other, and the last is checked."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest
import torch
from benchmarks.peers import Row
from benchmarks.stream import cut, stream
from benchmarks.workloads import Ask, BenchmarkError, Question
from transformers import AutoModelForCausalLM, LlamaConfig

from isogloss.score.backend import Backend, Batch, Distribution, ScoreTask

ROW = (0.25, 0.5)


class Recorder:
    """A backend that gives one row and keeps how many tasks came at once."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.sizes: list[int] = []

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        self.sizes.append(len(tasks))
        yield [(i, Distribution(self.row)) for i in range(len(tasks))]


class Truth:
    """What the backend is held against."""

    name = "truth"
    reads_all = False

    def prepare(self, questions: Sequence[Question]) -> None:
        """Nothing to do."""

    def read(self, questions: Sequence[Question]) -> list[Row]:
        return [ROW for _ in questions]


def streamed(ask: Ask, backend: Recorder, said: list[str]) -> Any:
    return stream(ask, cast(Backend, backend), Truth(), 3, questions=4, report=said.append)


def test_each_conversation_is_read_by_itself(ask: Ask) -> None:
    backend, said = Recorder(ROW), list[str]()
    found = streamed(ask, backend, said)
    assert backend.sizes == [4, 4, 4]
    assert (found.conversations, found.prompts, found.difference) == (3, 12, 0)
    assert 0 < found.loaded_mb <= found.first_mb <= found.last_mb
    assert said[0].startswith("1 of 3")
    assert said[-1].startswith("3 of 3")


def test_wrong_numbers_in_the_last_conversation_are_noticed(ask: Ask) -> None:
    with pytest.raises(BenchmarkError, match="wrong numbers"):
        streamed(ask, Recorder((0.25, 0.5001)), [])


@pytest.mark.parametrize(("asked", "kept"), [(1, 1), (9, 3)])
def test_a_model_is_cut_to_its_first_layers(asked: int, kept: int) -> None:
    shape = {"hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 2, "vocab_size": 16}
    model = AutoModelForCausalLM.from_config(LlamaConfig(**shape, num_hidden_layers=3))
    first = model.model.layers[0]
    assert cut(model, asked) == (kept, 3)
    assert model.model.layers[0] is first
    assert len(model.model.layers) == kept
    assert model(input_ids=torch.tensor([[1, 2]])).logits.shape == (1, 2, 16)
