"""Options and arguments that commands share."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from isogloss.errors import ConfigurationError
from isogloss.places import require_file_place, require_folder_place, sentence
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


def _require_cores(cores: str) -> str:
    if cores != "all" and not (cores.isascii() and cores.isdigit() and int(cores) > 0):
        raise typer.BadParameter(f"{cores!r} is no number of cores: give 1 or more, or all")
    return cores


CoresOption = Annotated[
    str, typer.Option(callback=_require_cores, help="Number of cores to use, or all.")
]


def require_named(config: Path) -> None:
    """Raise `ConfigurationError` when another configuration than the default is not there.

    For commands that would read it late, or not at all.
    """
    if config != DEFAULT_CONFIG and not config.is_file():
        raise ConfigurationError(f"{config}: no such file; name the configuration of the run")


def out_file(help: str) -> Any:
    """Return the option of a file to write; whether it can be is seen before work begins."""

    def check(path: Path | None) -> Path | None:
        return _checked(path, require_file_place)

    return typer.Option(callback=check, help=help)


def out_folder(help: str) -> Any:
    """Return the option of a folder to write into; looked at as by `out_file`."""

    def check(path: Path | None) -> Path | None:
        return _checked(path, require_folder_place)

    return typer.Option(callback=check, help=help)


def _checked(path: Path | None, require: Callable[[Path], None]) -> Path | None:
    try:
        if path is not None:
            require(path)
    except OSError as error:
        raise typer.BadParameter(sentence(error)) from error
    return path


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
