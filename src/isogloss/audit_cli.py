"""`isogloss audit`: the four-stage audit of one job posting with one model."""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isogloss.options import DEFAULT_CONFIG, ConfigOption, QuietOption
from isogloss.postings.roles import HIGH, LOW
from isogloss.project import open_project
from isogloss.terminal import tell

if TYPE_CHECKING:
    from isogloss.audit.audit import Audit
    from isogloss.audit.record.read import Record
    from isogloss.audit.selection_results import GroupingSelection
    from isogloss.score.stage import AskedModel

logger = logging.getLogger("isogloss")


def audit(
    posting: Annotated[
        Path,
        typer.Argument(
            metavar="POSTING", help="Job posting: text, Markdown, HTML, PDF or Word (docx)."
        ),
    ],
    model: Annotated[str, typer.Option(help="Configured model that is audited.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write the record into; it must not exist yet.")
    ] = None,
    previous: Annotated[
        Path | None,
        typer.Option(help="Record of an earlier audit of this posting, to compare with."),
    ] = None,
    threshold: Annotated[
        int, typer.Option(min=LOW, max=HIGH, help="Least score that counts as selected.")
    ] = 7,
    personas: Annotated[
        Path | None,
        typer.Option(help="YAML file with attributes and values; else gender and race."),
    ] = None,
    backgrounds: Annotated[
        Path | None,
        typer.Option(help="YAML file with backgrounds; else data/audit/backgrounds.yaml."),
    ] = None,
    allow_other_language: Annotated[
        bool, typer.Option(help="Audit a posting that is not in English; its words are not known.")
    ] = False,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of a model that runs here; else all cores.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option(help="Say how much there is to ask, and ask nothing.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Audit one job posting: its words, scores for personas, selection rates, and a record.

    The record is a folder with a page to read (index.html), everything as JSON, prompts, responses
    and hashes. Flags do not change the exit status; they are said in the last lines.
    """
    from isogloss.audit.record.read import read_record
    from isogloss.audit.record.write import check_out
    from isogloss.audit.run import audit_posting, estimate, read_inputs
    from isogloss.audit.settings import AuditSettings
    from isogloss.score.stage import open_backend

    if (out is None) != dry_run:
        raise typer.BadParameter("give either --out with the folder to write, or --dry-run")
    project = open_project(config)
    asked = project.asked_model(model)
    settings = AuditSettings(threshold=threshold, seed=project.config.seed)
    inputs = read_inputs(
        posting,
        project.root,
        settings,
        personas=personas,
        backgrounds=backgrounds,
        allow_other_language=allow_other_language,
    )
    # Before the model is loaded and asked, so that no work is lost to a folder.
    earlier = None if previous is None else read_record(previous)
    if out is not None:
        check_out(out)
    for warning in inputs.document.warnings:
        logger.warning("%s: %s", posting, warning)
    opened = open_backend(model, _alone(asked, threads), project.sources, project.root)
    if out is None:
        typer.echo(estimate(inputs, opened, project.root).sentence())
        return
    _finish(audit_posting(inputs, opened, project.root), posting, out, earlier)


def _alone(model: "AskedModel", threads: int | None) -> "AskedModel":
    """Return the model with as many threads as were asked for, else with all cores.

    What the configuration says of threads is for a workflow that runs several jobs at once.
    """
    if model.backend != "transformers":
        return model
    return model.model_copy(update={"threads": threads or os.cpu_count()})


def _finish(found: "Audit", posting: Path, out: Path, earlier: "Record | None") -> None:
    """Write the record and say where it is and what it flags."""
    from isogloss.audit.compare import compare
    from isogloss.audit.record.write import write_record

    comparison = None if earlier is None else compare(earlier, found)
    write_record(found, posting, out, comparison)
    for line, heed in findings(found):
        tell(line, heed=heed)
    typer.echo(f"Record: {out / 'index.html'}")


def findings(found: "Audit") -> list[tuple[str, bool]]:
    """Say in a line each what an audit found, and whether that is to be heeded.

    To be heeded are flags, and what could not be compared or has no answer.
    """
    registers = [f"words: {one.reason}" for one in found.profile.dominance if one.register]
    lost = sum(probe.outcome != "ok" for probe in found.probes)
    missing = [f"{lost} of {len(found.probes)} questions have no score"] if lost else []
    heeded = [(line, True) for line in (*registers, *missing)]
    return [*heeded, *map(_of, found.selection.groupings)]


def _of(grouping: "GroupingSelection") -> tuple[str, bool]:
    place = f"{grouping.role}, {grouping.grouping}"
    if grouping.status != "ok":
        return f"{place}: not compared: {grouping.reason}", True
    flagged = [
        f"{one.group} ({one.rates.selected} of {one.rates.total} selected, "
        f"ratio {one.impact.ratio:.2f})"
        for one in grouping.groups
        if one.impact.flagged
    ]
    if not flagged:
        return f"{place}: no group below four fifths of the highest rate", False
    return f"{place}: below four fifths of {grouping.reference}: {', '.join(flagged)}", True
