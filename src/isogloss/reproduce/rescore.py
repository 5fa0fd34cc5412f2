"""Put a share of a response table's prompts to the model again, and compare what it answers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa

from isogloss.reproduce.answering import Nothing, PartlyRecorded, RecordedAnswers
from isogloss.reproduce.compare import Rules, compare_tables
from isogloss.reproduce.findings import Rescored, TableComparison
from isogloss.reproduce.progress import Silent
from isogloss.reproduce.tables import cells_of
from isogloss.score.ask import Asker
from isogloss.score.backend import Backend
from isogloss.score.responses import KEY, SCHEMA, Response
from isogloss.score.stage import Scoring

PROMPT_COLUMNS = [*KEY, "category", "valid_pair", "prompt_sha256"]
"""What is compared of rows that rest on no new answer: which questions there are."""


@dataclass(frozen=True)
class Answered:
    """Rows of a response table, some of them with new answers."""

    rows: list[Response]
    asked: frozenset[str]
    """Prompts that were put to the model."""
    unknown: frozenset[str]
    """Prompts that hold a text which the model was not asked for again."""


@dataclass(frozen=True)
class Prompts:
    """The questions of a response table, built again without asking any."""

    drawable: tuple[str, ...]
    """Those whose answers can be compared."""
    met: tuple[str, ...]
    """All of them."""


def prompts_of(scoring: Scoring, backend: Backend, recorded: RecordedAnswers) -> Prompts:
    """Build every question of a study again; earlier answers in them are the recorded ones."""
    partly = PartlyRecorded(backend, recorded)
    _respond(scoring, partly)
    return Prompts(tuple(partly.drawable), tuple(partly.met))


def answer_again(
    scoring: Scoring,
    backend: Backend,
    recorded: RecordedAnswers,
    prompts: Prompts,
    drawn: frozenset[str],
    advance: Callable[[int], None],
) -> Answered:
    """Ask the drawn prompts, and what follows from their answers, and make rows of it all."""
    partly = PartlyRecorded(backend, recorded, drawn=drawn, met=prompts.met, advance=advance)
    rows = _respond(scoring, partly)
    return Answered(rows, frozenset(partly.asked), frozenset(partly.unknown))


def compare_answers(
    table: str, recorded: pa.Table, answered: Answered, rules: Rules
) -> tuple[TableComparison, TableComparison]:
    """Compare the questions of all rows, and everything in the rows that rest on new answers.

    Rows whose prompt holds a text that is not known are left out of both.
    """
    before = cells_of(recorded.select(SCHEMA.names))
    now = cells_of(pa.Table.from_pylist([vars(row) for row in answered.rows], schema=SCHEMA))
    unknown = _names(now[now["prompt_sha256"].isin(answered.unknown)])
    fresh = _names(now[now["prompt_sha256"].isin(answered.asked)])
    rest = [frame[~frame.index.isin(_where(frame, unknown))] for frame in (before, now)]
    asked = [frame[frame.index.isin(_where(frame, fresh))] for frame in (before, now)]
    questions = compare_tables(
        table,
        rest[0][PROMPT_COLUMNS],
        rest[1][PROMPT_COLUMNS],
        rules,
        scope=f"questions of {len(rest[1])} of {len(now)} rows",
    )
    scope = f"new answers of {len(asked[1])} of {len(now)} rows"
    return questions, compare_tables(table, asked[0], asked[1], rules, scope=scope)


def rescored(
    table: str, model: str, prompts: Prompts, drawn: Iterable[str], answered: Answered
) -> Rescored:
    """Count what was done."""
    hashes = [row.prompt_sha256 for row in answered.rows]
    without = sum(h in answered.unknown for h in hashes)
    return Rescored(
        table,
        model,
        prompts=len(prompts.drawable),
        drawn=len(set(drawn) & answered.asked),
        rows=sum(h in answered.asked for h in hashes),
        rebuilt=len(hashes) - without,
        not_rebuilt=without,
    )


def _respond(scoring: Scoring, backend: Backend) -> list[Response]:
    asker = Asker(backend, Nothing(), progress=Silent)
    return scoring.study.respond(scoring.table, asker, scoring.settings, scoring.origin)


def _names(frame: pd.DataFrame) -> set[tuple[str, ...]]:
    return set(frame[KEY].itertuples(index=False, name=None))


def _where(frame: pd.DataFrame, names: set[tuple[str, ...]]) -> list[int]:
    """Positions of the rows of those names."""
    keys = frame[KEY].itertuples(index=False, name=None)
    return [i for i, name in enumerate(keys) if name in names]
