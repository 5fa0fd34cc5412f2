"""The command that brings back the artifacts of a recorded run."""

import logging
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from isogloss.errors import IsoglossError, SourceError
from isogloss.options import (
    DEFAULT_CONFIG,
    ConfigOption,
    QuietOption,
    require_named,
    schema_option,
    workflow_options,
)
from isogloss.record.findings import Finding

logger = logging.getLogger("isogloss")


def restore(
    remote: Annotated[
        str | None, typer.Option(help="Name of a DVC remote.", show_default="the default remote")
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            help="Replace files that differ from the record, and remove files that are too many "
            "in recorded directories."
        ),
    ] = False,
    accept_changes: Annotated[
        bool,
        typer.Option(
            help="Take the results for those of the present code and configuration, although "
            "these are others than in the recorded run."
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    schema: Annotated[  # noqa: ARG001
        bool, schema_option("isogloss.restore", "restore.schema.json")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Bring back every artifact of the recorded run, verify it, and leave nothing to be run.

    Exit status: 0 restored; 1 something differs or is missing: with other bytes than recorded
    nothing is written; 2 it could not be done or checked.
    """
    from isogloss.restore.run import restore as restore_artifacts
    from isogloss.restore.words import NOT_DONE, not_done_to_json, render, to_json

    require_named(config)
    changes = partial(_changes, config)
    try:
        restored = restore_artifacts(
            Path.cwd(),
            remote=remote,
            force=force,
            options=workflow_options(config),
            elsewhere=partial(_from_source, config),
            changes=tuple if accept_changes else changes,
        )
    except (IsoglossError, OSError) as error:
        logger.error("error: %s", error)
        if json:
            typer.echo(not_done_to_json(str(error)))
        raise typer.Exit(NOT_DONE) from error
    typer.echo(to_json(restored) if json else render(restored))
    raise typer.Exit(restored.exit_code)


def _from_source(config: Path, path: str, target: Path) -> str:
    """Fetch a pinned source anew, when `path` is where the workflow has one.

    A source that is not to be passed on is not in the remote.
    """
    from isogloss.fetch import fetch
    from isogloss.project import open_project

    project = open_project(config)
    named = {project.raw_path(source): source for source in project.sources}
    if path not in named:
        return ""
    source = named[path]
    allow = project.config.allow_hateful_content
    try:
        located = fetch(source, project.sources[source], target, project.root, allow_hateful=allow)
    except SourceError as error:
        logger.warning("%s", error)
        return ""
    return f"source {source} ({located.found_in})"


def _changes(config: Path) -> tuple[Finding, ...]:
    """Files of code and settings that are not those of the recorded run."""
    from isogloss.record.code import changed_code
    from isogloss.record.lock import read_lock

    return changed_code(Path.cwd(), config, read_lock(Path("dvc.lock")))
