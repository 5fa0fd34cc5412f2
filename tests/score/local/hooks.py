"""What a model is made to compute, seen from outside."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Work:
    """Tokens and output rows of each run of a model."""

    tokens: list[int] = field(default_factory=list)
    head_rows: list[int] = field(default_factory=list)


@contextmanager
def watching(model: Any) -> Iterator[Work]:
    """Note the work of a model within the block."""
    work = Work()

    def run(module: Any, args: Any, options: dict[str, Any]) -> None:
        work.tokens.append(options["input_ids"].numel())

    def head(module: Any, args: Any) -> None:
        work.head_rows.append(args[0].shape[:-1].numel())

    hooks = (
        model.register_forward_pre_hook(run, with_kwargs=True),
        model.get_output_embeddings().register_forward_pre_hook(head),
    )
    try:
        yield work
    finally:
        for hook in hooks:
            hook.remove()
