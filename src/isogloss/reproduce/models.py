"""Asks every local model of the configuration a share of its questions again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from isogloss.config import TransformersModel
from isogloss.errors import IsoglossError, ModelError
from isogloss.models.identity import check_manifest, manifest_of, write_manifest
from isogloss.project import Job, Project, open_project
from isogloss.reproduce.answering import RecordedAnswers
from isogloss.reproduce.compare import Rules, compare_files
from isogloss.reproduce.drawing import Sample, draw
from isogloss.reproduce.findings import NotDone, Rescored, TableComparison
from isogloss.reproduce.rescore import (
    answer_again,
    compare_answers,
    prompts_of,
    rescored,
)
from isogloss.reproduce.tolerances import Tolerances
from isogloss.score.progress import Progress
from isogloss.score.responses import read_responses
from isogloss.score.stage import Opened, Scoring, open_backend
from isogloss.studies.base import Origin
from isogloss.validate.stage import read_item_table


@dataclass(frozen=True)
class Draw:
    """What is to be asked again."""

    sample: Sample
    seed: int
    tolerances: Tolerances


@dataclass(frozen=True)
class Asked:
    """What came of it."""

    rescored: tuple[Rescored, ...] = ()
    tables: tuple[TableComparison, ...] = ()
    failed: tuple[NotDone, ...] = ()

    def __add__(self, other: "Asked") -> "Asked":
        return Asked(
            self.rescored + other.rescored,
            self.tables + other.tables,
            self.failed + other.failed,
        )


@dataclass(frozen=True)
class _Table:
    """A recorded response table and the questions behind it."""

    path: str
    scoring: Scoring
    recorded: RecordedAnswers
    rows: pa.Table


def ask_again(project: Project, config: Path, scratch: Path, wanted: Draw) -> Asked:
    """Ask the models one after the other; one that cannot be asked is among `failed`.

    Items come from `scratch`, where they were made again, recorded answers from `project`.
    """
    anew = open_project(config, scratch)
    asked = Asked()
    for model, settings in project.config.models.items():
        jobs = [job for job in project.jobs() if job.model == model]
        if isinstance(settings, TransformersModel) and jobs:
            try:
                opened = open_backend(model, settings, project.sources, project.root)
                asked += _manifest(project, model, opened, scratch, wanted.tolerances)
                check_manifest(opened.identity, project.root / project.model_input(model))
                tables = [_table(project, anew, job) for job in jobs]
                asked += _ask_model(model, opened, tables, wanted)
            except (IsoglossError, OSError) as error:
                asked += Asked(failed=(NotDone(f"asking {model} again", str(error)),))
    return asked


def _manifest(
    project: Project, model: str, opened: Opened, scratch: Path, tolerances: Tolerances
) -> Asked:
    """Compare what the model at hand is with what was recorded."""
    name = project.model_input(model)
    write_manifest(manifest_of(opened.identity), scratch / name)
    if not (project.root / name).is_file():
        raise ModelError(f"{name} is not here; bring it with `isogloss restore`")
    rules = Rules(tolerances)
    return Asked(tables=(compare_files(name, project.root / name, scratch / name, rules),))


def _table(project: Project, anew: Project, job: Job) -> _Table:
    path = project.root / project.responses_path(job)
    items = read_item_table(job.items, anew.root / anew.items_folder(job.study, job.items))
    origin = Origin(job.model, project.config.seed)
    return _Table(
        project.responses_path(job),
        Scoring(project.study(job.study), project.settings(job.study), items, origin),
        RecordedAnswers(read_responses(path)),
        pq.read_table(path),
    )


def _ask_model(model: str, opened: Opened, tables: Sequence[_Table], wanted: Draw) -> Asked:
    prompts = {
        table.path: prompts_of(table.scoring, opened.backend, table.recorded) for table in tables
    }
    drawable = {path: found.drawable for path, found in prompts.items()}
    drawn = draw(drawable, wanted.sample, wanted.seed)
    asked = Asked()
    with Progress(f"{model}: asked again", sum(map(len, drawn.values()))) as progress:
        for table in tables:
            questions, chosen = prompts[table.path], drawn[table.path]
            answered = answer_again(
                table.scoring, opened.backend, table.recorded, questions, chosen, progress.advance
            )
            compared = compare_answers(table.path, table.rows, answered, Rules(wanted.tolerances))
            count = rescored(table.path, model, questions, chosen, answered)
            asked += Asked(rescored=(count,), tables=compared)
    return asked
