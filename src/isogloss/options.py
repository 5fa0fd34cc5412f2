"""Options that several commands share."""

from importlib.resources import files
from typing import Annotated, Any

import typer

from isogloss.terminal import hush
from isogloss.workflow import QUIET


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
