"""Options that several commands share."""

from importlib.resources import files
from typing import Any

import typer


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
