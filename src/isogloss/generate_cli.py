"""`isogloss generate`: put baseline texts into a guise, by a model or by rule."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isogloss.config import OpenAIModel, TransformersModel
from isogloss.errors import ConfigurationError
from isogloss.guises.definition import GuiseDefinition, load_guises
from isogloss.options import DEFAULT_CONFIG, ConfigOption, QuietOption, out_folder
from isogloss.project import Project, open_project
from isogloss.stage_outputs import wrote_files
from isogloss.terminal import tell

if TYPE_CHECKING:
    from isogloss.stimuli.draft.ask import Drawing
    from isogloss.stimuli.draft.records import Drafts, Item, Judge, Task
    from isogloss.stimuli.sets import DeclaredSet
    from isogloss.validate.comparison import Comparison

_TEMPERATURE = 0.8


class By(StrEnum):
    """What rewrites texts beside a model."""

    rules = "rules"


@dataclass(frozen=True)
class Drafting:
    """What is to be put into a guise, and where it goes."""

    project: Project
    task: "Task"
    comparison: "Comparison"
    """What candidates are held to."""
    items: "list[Item]"
    out: Path | None
    """None for an estimate."""


def generate(
    study: Annotated[str, typer.Argument(help="Name of a study: a folder of data/stimuli.")],
    guise: Annotated[str, typer.Option(help="Name of a guise: a file of data/guises.")],
    source: Annotated[
        Path, typer.Option("--from", help="CSV file with item_id and the baseline texts.")
    ],
    out: Annotated[
        Path | None, out_folder("Folder to write candidates.csv and chosen.csv into.")
    ] = None,
    reference: Annotated[
        str | None, typer.Option(help="Column of the baseline texts; else the study's reference.")
    ] = None,
    context: Annotated[
        str | None, typer.Option(help="Column that the texts refer to; else question, if there.")
    ] = None,
    item_set: Annotated[
        str | None,
        typer.Option("--set", help="Item set whose thresholds hold; else any of the study's."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Configured model that drafts.")] = None,
    by: Annotated[By | None, typer.Option(help="Rewrite by the guise's rule, no model.")] = None,
    candidates: Annotated[
        int, typer.Option(min=1, max=50, help="Drafts of a model for each item.")
    ] = 3,
    temperature: Annotated[
        float | None,
        typer.Option(min=0.0, max=2.0, show_default=str(_TEMPERATURE), help="Of a model's drafts."),
    ] = None,
    max_new_tokens: Annotated[
        int | None,
        typer.Option(min=1, max=32_768, help="Most tokens of a draft; else by the text's length."),
    ] = None,
    items: Annotated[
        int | None, typer.Option(min=1, help="Items to take, evenly spread over the file.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option(help="Say how much there is still to ask, and ask nothing.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Put baseline texts into a guise: drafted by a model or by rule, then judged.

    Every candidate is written down with what became of it and where it comes from; the best valid
    one of each item is chosen. Can be killed and run again: stored answers are not asked for twice.
    """
    from isogloss.stimuli.draft.items import read_baselines

    if (model is None) == (by is None):
        raise typer.BadParameter("give either --model with a configured model, or --by rules")
    if (out is None) != dry_run:
        raise typer.BadParameter("give either --out with the folder to write, or --dry-run")
    project = open_project(config)
    sets = _sets(project, study, item_set)
    task = _task(project, sets, guise, reference)
    held = _comparison(project, sets, task)
    most = held.thresholds.max_characters
    baselines = read_baselines(source, task.reference, context, count=items, most=most)
    drafting = Drafting(project, task, held, baselines, out)
    if model is None:
        if temperature is not None or max_new_tokens is not None:
            raise typer.BadParameter("--temperature and --max-new-tokens have no effect on rules")
        _by_rule(drafting)
        return
    settings = project.asked_model(model)
    drawing = _drawing(project, settings, candidates, temperature, max_new_tokens)
    _by_model(drafting, model, drawing)


def _by_rule(drafting: Drafting) -> None:
    from isogloss.stimuli.draft.by_rule import rule_for
    from isogloss.stimuli.draft.run import draft_by_rule
    from isogloss.stimuli.rules import RULES

    project, task, items = drafting.project, drafting.task, drafting.items
    rule = rule_for(task.guise, RULES)
    if drafting.out is None:
        typer.echo(f"0 requests: rule {rule.name} rewrites {len(items)} items and asks no model")
        return
    judge = _judge(drafting)
    drafts = draft_by_rule(items, task, rule, judge, seed=project.config.seed)
    _write(drafts, drafting.out, project)
    _tell(f"{task.guise.name} by rule {rule.name}", drafts)


def _by_model(drafting: Drafting, model: str, drawing: "Drawing") -> None:
    from isogloss.models.identity import manifest_of
    from isogloss.score.ask import Asker
    from isogloss.score.progress import Progress
    from isogloss.score.stage import open_backend
    from isogloss.score.store import DEFAULT_STORE, ResponseStore
    from isogloss.stimuli.draft.ask import Writer
    from isogloss.stimuli.draft.run import draft, estimate_draft

    project, task, items = drafting.project, drafting.task, drafting.items
    settings = project.asked_model(model)
    opened = open_backend(model, settings, project.sources, project.root)
    with ResponseStore(project.root / DEFAULT_STORE) as store:
        if drafting.out is None:
            typer.echo(estimate_draft(items, task, opened.backend, store, drawing).sentence())
            return
        store.describe_model(opened.backend.digest, manifest_of(opened.identity))
        asker = Asker(opened.backend, store, progress=Progress)
        prices = settings.prices if isinstance(settings, OpenAIModel) else None
        writer = Writer(model, opened.backend, asker, prices)
        drafts = draft(items, task, writer, drawing, _judge(drafting))
    _write(drafts, drafting.out, project)
    _tell(f"{task.guise.name} by {model}", drafts)


def _write(drafts: "Drafts", out: Path, project: Project) -> None:
    from isogloss.stimuli.draft.table import CANDIDATES, CHOSEN, write_drafts

    write_drafts(drafts, out)
    wrote_files(project.root, [out / CANDIDATES, out / CHOSEN])


def _tell(what: str, drafts: "Drafts") -> None:
    from isogloss.stimuli.draft.run import summary

    lacking = any(choice.status != "chosen" for choice in drafts.choices)
    tell(f"{what}: {summary(drafts)}", heed=lacking)


def _judge(drafting: Drafting) -> "Judge":
    from isogloss.stimuli.draft.judging import judge_with
    from isogloss.stimuli_cli import instruments

    return judge_with(drafting.comparison, instruments(drafting.project))


def _comparison(project: Project, sets: "list[DeclaredSet]", task: "Task") -> "Comparison":
    from isogloss.stimuli.draft.declared import comparison_for

    general = project.config.stimuli.thresholds.model_dump(exclude_unset=True)
    return comparison_for(task, sets, _guises(project), general)


def _drawing(
    project: Project,
    settings: TransformersModel | OpenAIModel,
    candidates: int,
    temperature: float | None,
    max_new_tokens: int | None,
) -> "Drawing":
    """How a model draws; one that thinks before it replies draws as it sees fit."""
    from isogloss.stimuli.draft.ask import Drawing

    thinks = isinstance(settings, OpenAIModel) and settings.reasoning
    if thinks and temperature is not None:
        raise typer.BadParameter("--temperature has no effect on a model with reasoning: true")
    if temperature == 0.0 and candidates > 1:
        raise typer.BadParameter(
            "with --temperature 0 every candidate is the same; add --candidates 1"
        )
    chosen = None if thinks else _TEMPERATURE if temperature is None else temperature
    return Drawing(
        project.config.seed, candidates, temperature=chosen, max_new_tokens=max_new_tokens
    )


def _task(project: Project, sets: "list[DeclaredSet]", guise: str, reference: str | None) -> "Task":
    from isogloss.stimuli.draft.declared import reference_of
    from isogloss.stimuli.draft.records import Task

    guises = _guises(project)
    if guise not in guises:
        raise ConfigurationError(f"no guise {guise!r} in data/guises; there are {_listed(guises)}")
    return Task(guises[guise], reference or reference_of(guise, sets))


def _sets(project: Project, study: str, name: str | None) -> "list[DeclaredSet]":
    """The item sets of a study, or the one of that name."""
    if name is not None:
        return [project.declared_set(study, name)]
    known = dict.fromkeys(declared.folder for declared in project.declared.values())
    if study not in known:
        raise ConfigurationError(f"no study {study!r} in data/stimuli; there are {_listed(known)}")
    return [declared for declared in project.declared.values() if declared.folder == study]


def _guises(project: Project) -> dict[str, GuiseDefinition]:
    return load_guises(project.root / "data" / "guises")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
