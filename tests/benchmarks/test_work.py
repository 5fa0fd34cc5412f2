"""Work is counted as the definitions say."""

from typing import Any

import pytest
from benchmarks.work import Shape, shape_of, work_of


def test_equal_beginnings_count_once() -> None:
    work = work_of([(1, 2, 3), (1, 2, 4, 5), (1, 6)])
    assert (work.prompts, work.tokens, work.shared) == (3, 9, 1)
    assert work.unique_tokens == 6  # 1 2 3 4 5 6
    assert work.keys_attended == 1 + 2 + 3 + (3 + 4) + 2


def test_a_prompt_inside_another_costs_nothing_but_its_head() -> None:
    alone, both = work_of([(7, 8, 9)]), work_of([(7, 8, 9), (7, 8)])
    assert both.unique_tokens == alone.unique_tokens == 3
    shape = Shape(weights=100, head=10, attention=4)
    assert both.operations(shape) - alone.operations(shape) == 2 * 10


def test_operations_are_weights_attention_and_head() -> None:
    shape = Shape(weights=100, head=10, attention=4)
    assert work_of([(1, 2)]).operations(shape) == 2 * 100 * 2 + 4 * 4 * (1 + 2) + 2 * 10


def test_the_shape_leaves_embeddings_out(model: Any) -> None:
    shape = shape_of(model)
    layer = 32 * 32 * 2 + 32 * 16 * 2 + 3 * 32 * 48 + 2 * 32
    assert shape.weights == 2 * layer + 32
    assert shape.head == 32 * model.config.vocab_size
    assert shape.attention == pytest.approx(2 * 4 * 8)
