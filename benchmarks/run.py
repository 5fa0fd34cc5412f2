"""Load the model, let the peers read, and put what was found where the documentation shows it."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import torch

from benchmarks.harness import Harness
from benchmarks.machine import Machine, describe_machine
from benchmarks.measure import Measurement, check, measure
from benchmarks.peers import Batched, Naive, Ours, Peer
from benchmarks.plot import speed_figure
from benchmarks.publish import OURS, csv_text, markdown, memory_markdown
from benchmarks.scoring import QUESTIONS, Options
from benchmarks.stream import cut, stream
from benchmarks.work import shape_of
from benchmarks.workloads import WORKLOADS, Ask, Size, asker
from isogloss.config.schema import TransformersModel
from isogloss.fetch import load_sources
from isogloss.models.local import LocalModel, load_model
from isogloss.report.figure_style import write_svg
from isogloss.score.local.backend import LocalBackend
from isogloss.score.prompts import encode

MODEL = "smollm2-135m-instruct"
SOURCE = "smollm2-135m-instruct-q4_1"
PAGE = Path("docs") / "benchmarks"
"""Where the documentation's tables and figure are, relative to the project."""

SAMPLE = 16
"""Prompts of a round that the slow ways read."""
QUICK = Size(answers=24, texts=4, conversations=1, questions=20)


def run(options: Options, project: Path) -> None:
    """Measure what the options say.

    Raises `BenchmarkError` for wrong probabilities; then no time is shown or written.
    """
    torch.set_num_threads(1)
    if options.full is None:
        _speed(options, project)
    else:
        _memory(options, options.full, project)


def _speed(options: Options, project: Path) -> None:
    found = _measured(options, project)
    check(found, OURS)
    text = markdown(found, *_circumstances())
    print(text)
    if options.write:
        _write(project / PAGE / "scoring.md", text)
        _write(project / PAGE / "scoring.csv", csv_text(found))
        write_svg(speed_figure(found), project / PAGE / "scoring.svg")


def _memory(options: Options, conversations: int, project: Path) -> None:
    local = _load(project)
    machine, model, day = _circumstances()
    name = "memory.md" if options.questions == QUESTIONS else "memory-cut.md"
    if options.layers is not None:
        kept, whole = cut(local.model, options.layers)
        model, name = f"{model}, cut to {kept} of its {whole} layers", "memory-cut.md"
    found = stream(
        _asker(local),
        LocalBackend(local),
        Naive(local.model),
        conversations,
        questions=options.questions,
        report=_say,
    )
    text = memory_markdown(found, machine, model, day)
    print(text)
    if options.write:
        _write(project / PAGE / name, text)


def _measured(options: Options, project: Path) -> list[Measurement]:
    size = QUICK if options.quick else Size()
    rounds, sample = (1, 4) if options.quick else (options.rounds, SAMPLE)
    local = _load(project)
    ask, peers, shape = _asker(local), _peers(local, project), shape_of(local.model)
    found = []
    for name in options.workloads:
        questions = list(WORKLOADS[name](ask, project, size))
        _say(f"{name}: {len(questions)} prompts, rounds: {rounds}")
        found.append(measure(name, questions, peers, shape, rounds=rounds, sample=sample))
    return found


def _peers(local: LocalModel, project: Path) -> Sequence[Peer]:
    """Return the peers; those of others get a model of their own, which ours cannot change."""
    other = _load(project)
    harnesses = [Harness(other.model, other.tokenizer, batch) for batch in (1, 8)]
    ours = Ours(lambda: LocalBackend(local))
    return [Naive(other.model), Batched(other.model, 8), *harnesses, ours]


def _asker(local: LocalModel) -> Ask:
    return asker(LocalBackend(local).render, partial(encode, tokenizer=local.tokenizer))


def _load(project: Path) -> LocalModel:
    config = TransformersModel(backend="transformers", source=SOURCE, dtype="float32", threads=1)
    sources = load_sources(project / "data" / "sources.yaml")
    return load_model(MODEL, config, sources, project)


def _circumstances() -> tuple[Machine, str, str]:
    day = datetime.now(UTC).date().isoformat()
    return describe_machine(), f"{MODEL}, float32", day


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
