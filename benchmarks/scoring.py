"""Measure how fast prompts are scored, against other ways to do the same.

Run it from the project's folder: `python -m benchmarks.scoring`. See README.md beside this file.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NAMES = ("W1", "W2", "W3")
CONVERSATIONS = 8_011
"""Conversations of the whole third workload."""
QUESTIONS = 100
"""Questions about each conversation of the third workload."""
PROJECT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Options:
    """What is to be measured."""

    workloads: tuple[str, ...] = NAMES
    rounds: int = 3
    quick: bool = False
    full: int | None = None
    """Conversations to stream; None where times are to be measured."""
    write: bool = False
    layers: int | None = None
    """Layers of the model to keep while conversations are streamed; None for all."""
    questions: int = QUESTIONS
    """Questions about each conversation that is streamed."""


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Read the command line; what cannot be written in part is refused here."""
    parser = _parser()
    given = parser.parse_args(arguments)
    workloads = tuple(name for name in NAMES if name in (given.workload or NAMES))
    partial = given.quick or workloads != NAMES
    if given.write and partial:
        parser.error("--write needs all workloads in full: leave out --quick and --workload")
    if given.full and partial:
        parser.error("--full measures memory alone: leave out --quick and --workload")
    if given.layers and not given.full:
        parser.error("--layers is for memory alone: it needs --full")
    if given.questions and not given.full:
        parser.error("--questions is for memory alone: it needs --full")
    write = not (partial or given.full) if given.write is None else given.write
    questions = given.questions or QUESTIONS
    return Options(workloads, given.rounds, given.quick, given.full, write, given.layers, questions)


def main() -> None:
    """Measure, print and write; a wrong number ends with status 1 and no time is shown."""
    options = parse()
    # The libraries read these when they are loaded, so they are loaded only now.
    os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")
    from benchmarks.run import run
    from isogloss.errors import IsoglossError

    try:
        run(options, PROJECT)
    except IsoglossError as error:
        sys.exit(f"error: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scoring", description=__doc__)
    parser.add_argument("--workload", action="append", choices=NAMES, help="only this; repeatable")
    parser.add_argument("--rounds", type=_positive, default=3, help="rounds of timing (default 3)")
    parser.add_argument("--quick", action="store_true", help="a small part once; never written")
    parser.add_argument(
        "--full",
        type=_positive,
        nargs="?",
        const=CONVERSATIONS,
        metavar="N",
        help=f"stream N conversations of W3 (default {CONVERSATIONS}) and report only the memory",
    )
    parser.add_argument(
        "--layers",
        type=_positive,
        metavar="N",
        help="with --full: keep the model's first N layers, to see in an hour or two whether "
        "anything grows over all conversations",
    )
    parser.add_argument(
        "--questions",
        type=_positive,
        metavar="N",
        help=f"with --full: N questions about each conversation (default {QUESTIONS})",
    )
    parser.add_argument(
        "--write",
        action=argparse.BooleanOptionalAction,
        help="write docs/benchmarks (default: when all workloads were timed in full)",
    )
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


if __name__ == "__main__":
    sys.path.insert(0, str(PROJECT))
    main()
