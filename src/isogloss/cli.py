"""The command line: a command for each stage, and commands that check what the stages made."""

import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from isogloss import __version__
from isogloss.analysis_cli import analysis, glmm
from isogloss.audit_cli import audit
from isogloss.config import RecordedModel
from isogloss.errors import IsoglossError
from isogloss.generate_cli import generate
from isogloss.options import (
    DEFAULT_CONFIG,
    ConfigOption,
    CoresOption,
    QuietOption,
    StudyArgument,
    out_file,
    out_folder,
    require_named,
    workflow_options,
)
from isogloss.package_cli import package, sign
from isogloss.places import sentence
from isogloss.project import open_project
from isogloss.publish_cli import publish_check
from isogloss.reproduce_cli import reproduce
from isogloss.responses_cli import responses_app
from isogloss.restore_cli import restore
from isogloss.review_cli import review_app
from isogloss.stage_outputs import wrote_files, wrote_folder
from isogloss.stimuli_cli import calibrate, inventory, stimuli, validate
from isogloss.terminal import speak, tell
from isogloss.trace_cli import trace
from isogloss.verify_cli import verify
from isogloss.weat_cli import weat
from isogloss.workflow import run_workflow

app = typer.Typer(
    name="isogloss",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=(
        "Measure whether a language model judges the same content differently because of how it "
        "is said, or who is said to say it. `snakemake --cores all` runs every stage in order; "
        "the commands below run one."
    ),
)
app.add_typer(responses_app)
app.add_typer(review_app)
_COMMANDS = (
    stimuli,
    generate,
    validate,
    calibrate,
    inventory,
    analysis,
    glmm,
    weat,
    audit,
    verify,
    restore,
    package,
    sign,
    trace,
    reproduce,
    publish_check,
)
for command in _COMMANDS:
    app.command()(command)
logger = logging.getLogger("isogloss")

ItemsArgument = Annotated[str, typer.Argument(help="Name of one of the study's item sets.")]
ModelArgument = Annotated[str, typer.Argument(help="Name of a configured model.")]


def main() -> None:
    """Run the command line; a user's mistake ends in a sentence and an exit status.

    Exit statuses: 0 done; 1 failed, or a check found a difference; 2 wrong usage or configuration,
    or a check could not be made; 130 interrupted.
    """
    # Threads that wait for each other asleep cost a shared machine a quarter of the CPU time that
    # threads spinning do. Read when torch is loaded, which is later.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        app()
    except IsoglossError as error:
        logger.error("error: %s", error)
        sys.exit(error.exit_code)
    except OSError as error:
        logger.error("error: %s", sentence(error))
        sys.exit(1)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"isogloss {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    log: Annotated[Path | None, out_file("Also write every message to this file.")] = None,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and end.",
        ),
    ] = False,
) -> None:
    speak(log)


@app.command()
def run(
    cores: CoresOption = "all",
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,
) -> None:
    """Run the whole workflow and say where the report is."""
    open_project(config)  # so that a mistake in it is a sentence, not a place in the Snakefile
    lock, index = Path("dvc.lock"), Path("reports/_site/index.html")
    before = lock.stat().st_mtime_ns if lock.is_file() else None
    status = run_workflow(["--cores", cores, *workflow_options(config)], quiet=quiet)
    if status != 0:
        logger.error("error: the workflow did not finish; its messages above say why")
        raise typer.Exit(status)
    if lock.stat().st_mtime_ns == before:
        typer.echo("Nothing to do: every artifact is up to date.")
    typer.echo(f"Report: {index}")


@app.command()
def fetch(
    source: Annotated[str, typer.Argument(help="Id of a source in data/sources.yaml.")],
    out: Annotated[Path, out_file("File to write.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Fetch a pinned source: from a mirror folder, else the cache, else the network."""
    from isogloss.fetch import fetch as fetch_source
    from isogloss.fetch import source_named

    project = open_project(config)
    allow = project.config.allow_hateful_content
    pin = source_named(project.sources, source)
    located = fetch_source(source, pin, out, project.root, allow_hateful=allow)
    wrote_files(project.root, [out])
    logger.info("%s: sha256 verified, taken from the %s", source, located.found_in)


@app.command()
def identify(
    model: ModelArgument,
    out: Annotated[Path, out_file("File to write.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Write what a model is: hashes of weights, tokenizer and chat template, dtype, versions."""
    from isogloss.models.identity import write_manifest
    from isogloss.models.manifest import identify_model

    project = open_project(config)
    manifest = identify_model(model, project.asked_model(model), project.sources, project.root)
    write_manifest(manifest, out)
    wrote_files(project.root, [out])
    logger.info("%s: %s", model, manifest["digest"])


@app.command()
def score(
    study: StudyArgument,
    items: ItemsArgument,
    model: ModelArgument,
    out: Annotated[Path | None, out_file("Response table (Parquet) to write.")] = None,
    dry_run: Annotated[
        bool, typer.Option(help="Say how much there is still to ask, and ask nothing.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Put an item set to a model, or replay recorded responses. Can be killed and run again."""
    from isogloss.score.responses import write_responses
    from isogloss.score.stage import Scoring, estimate_items, open_backend, score_items
    from isogloss.studies.base import Origin
    from isogloss.validate.stage import read_item_table

    if (out is None) != dry_run:
        raise typer.BadParameter("give either --out with the table to write, or --dry-run")
    project = open_project(config)
    declared, settings = project.study(study), project.settings(study)
    project.declared_set(study, items)
    path = project.root / project.model_input(project.known_model(model))
    table = read_item_table(items, project.root / project.items_folder(study, items))
    scoring = Scoring(declared, settings, table, Origin(model, project.config.seed))
    if out is None:
        opened = open_backend(model, project.asked_model(model), project.sources, project.root)
        typer.echo(estimate_items(scoring, opened, project.root).sentence())
        return
    if isinstance(project.config.models[model], RecordedModel):
        responses = declared.replay(table, path, scoring.origin)
    else:
        opened = open_backend(model, project.asked_model(model), project.sources, project.root)
        responses = score_items(scoring, opened, path, project.root)
    write_responses(responses, out)
    wrote_files(project.root, [out])
    missing = sum(response.outcome != "ok" for response in responses)
    said = f"{model} on {items}: {len(responses)} responses, {missing} missing"
    tell(said, heed=missing > 0)


@app.command()
def parts(config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Write the figures, tables and values that the report's pages include."""
    from isogloss.report.inputs import part_inputs
    from isogloss.report.parts import GENERATED, VARIABLES, write_all

    project = open_project(config)
    pages = project.root / "reports"
    generated, variables = pages / GENERATED, pages / VARIABLES
    written = write_all(part_inputs(project), pages)
    wrote_folder(project.root, generated, [path for path in written if path != variables])
    wrote_files(project.root, [variables])


@app.command()
def report(
    out: Annotated[Path, out_folder("Folder to render the pages into.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Render the pages: with Quarto when it is found ($QUARTO or PATH), else with pandoc."""
    from isogloss.report.render import find_quarto, render_site
    from isogloss.report.study_pages import absent_pages

    project = open_project(config)
    absent = absent_pages(project.config.studies)
    rendering = render_site(project.root / "reports", out, quarto=find_quarto(), absent=absent)
    wrote_folder(project.root, out, rendering.pages)
    for warning in rendering.warnings:
        logger.warning("%s", warning)
    logger.info("%d pages by %s %s", len(rendering.pages), rendering.engine, rendering.version)


@app.command()
def list_code(
    out: Annotated[Path, out_file("File to write.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Write the SHA-256 of every file of code and settings that the results come from."""
    from isogloss.record.code import code_list

    project = open_project(config)
    text = code_list(project.root, config)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8", newline="\n")
    wrote_files(project.root, [out])
    logger.info("%d files of code and settings", text.count("\n"))


@app.command()
def record(
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Write dvc.yaml and dvc.lock: the hash of every artifact of every rule."""
    from isogloss.record.findings import render
    from isogloss.record.recording import record as record_artifacts

    require_named(config)
    logger.info("%s", render(record_artifacts(Path.cwd(), options=workflow_options(config))))
