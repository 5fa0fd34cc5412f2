"""Options and arguments that commands share."""

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from isogloss.terminal import hush
from isogloss.workflow import QUIET

DEFAULT_CONFIG = Path("config/config.yaml")
"""Configuration that the Snakefile reads when no other is named."""

ConfigOption = Annotated[
    Path, typer.Option("--config", help="Configuration of the run.", show_default=True)
]
StudyArgument = Annotated[str, typer.Argument(help="Name of a configured study.")]


def workflow_options(config: Path) -> tuple[str, ...]:
    """Return the arguments that make Snakemake use a configuration; none for the default one."""
    return () if config == DEFAULT_CONFIG else ("--config", f"file={config}")


def _hush(asked: bool) -> bool:
    if asked:
        hush()
    return asked


QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet",
        callback=_hush,
        envvar=QUIET,
        help="Say nothing but errors, warnings and the result, and draw no bar.",
    ),
]
"""Of every command that says how far it is. It takes effect before the command begins."""


def schema_text(package: str, file: str) -> str:
    """Return a published schema as it is shipped with a package: JSON Schema, draft 2020-12."""
    return (files(package) / file).read_text(encoding="utf-8")


def schema_option(package: str, file: str) -> Any:
    """Return the option --schema of a command that prints JSON in a published form."""

    def show(asked: bool) -> None:
        if asked:
            typer.echo(schema_text(package, file), nl=False)
            raise typer.Exit

    return typer.Option(
        "--schema",
        callback=show,
        is_eager=True,
        help="Print the JSON schema of the outcome and end.",
    )
