"""Read conversation after conversation, keeping none, and watch the memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from transformers import PreTrainedModel

from benchmarks.machine import peak_memory_mb
from benchmarks.measure import TOLERANCE, largest_difference, timed
from benchmarks.peers import Peer, Row, rows_of
from benchmarks.workloads import Ask, BenchmarkError, Question, about_conversation
from isogloss.score.backend import Backend

_CHECKED = 2
"""Questions of the last conversation that are held against one prompt at a time."""


@dataclass(frozen=True)
class Streaming:
    """What reading many conversations took; memory is the most that the process held, in MB."""

    conversations: int
    prompts: int
    seconds: float
    """CPU seconds for reading, without rendering the prompts."""
    loaded_mb: float
    """Memory with the model loaded, before the first conversation."""
    first_mb: float
    """Memory after the first conversation."""
    last_mb: float
    """Memory after the last one."""
    difference: float
    """Largest difference in a probability in the last conversation, on the prompts checked."""


def stream(
    ask: Ask,
    backend: Backend,
    base: Peer,
    count: int,
    *,
    questions: int,
    report: Callable[[str], None],
) -> Streaming:
    """Read `count` conversations with one backend, and check prompts of the last one.

    Raises `BenchmarkError` when an answer is missing, or differs from one prompt at a time.
    """
    loaded = peak_memory_mb()
    marks, seconds, prompts = [], 0.0, 0
    asked: list[Question] = []
    rows: list[Row] = []
    for number, asked in enumerate(_conversations(ask, count, questions), start=1):
        spent, rows = _read(backend, asked)
        seconds, prompts = seconds + spent, prompts + len(asked)
        marks.append(peak_memory_mb())
        if number in _milestones(count):
            report(f"{number} of {count} conversations: {marks[-1]:.0f} MB, {seconds:.0f} CPU s")
    return Streaming(
        conversations=count,
        prompts=prompts,
        seconds=seconds,
        loaded_mb=loaded,
        first_mb=marks[0],
        last_mb=marks[-1],
        difference=_checked(base, asked, rows),
    )


def cut(model: PreTrainedModel, layers: int) -> tuple[int, int]:
    """Keep the first `layers` layers of a decoder, in place; return how many are left of how many.

    What the model says is then worthless. What is held between two conversations is the same, and
    all of them can be read in hours where the whole model needs a day.
    """
    decoder = model.get_decoder()
    whole = len(decoder.layers)
    decoder.layers = decoder.layers[:layers]
    model.config.num_hidden_layers = len(decoder.layers)
    return len(decoder.layers), whole


def _conversations(ask: Ask, count: int, questions: int) -> Iterator[list[Question]]:
    for index in range(count):
        yield list(about_conversation(ask, index, questions))


def _read(backend: Backend, asked: list[Question]) -> tuple[float, list[Row]]:
    tasks = [question.task for question in asked]
    return timed(lambda: rows_of(backend.read(tasks), len(tasks)))


def _milestones(count: int) -> set[int]:
    return {1, count, *(count * tenth // 10 for tenth in range(1, 10))}


def _checked(base: Peer, asked: list[Question], rows: list[Row]) -> float:
    truth = base.read(asked[-_CHECKED:])
    difference = largest_difference(zip(truth, rows[-_CHECKED:], strict=True))
    if not difference <= TOLERANCE:
        raise BenchmarkError(f"the last conversation differs by {difference:.1e}: wrong numbers")
    return difference
