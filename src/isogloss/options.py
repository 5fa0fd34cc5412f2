"""Options and arguments that commands share."""

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_CONFIG = Path("config/config.yaml")
"""Configuration that the Snakefile reads when no other is named."""

ConfigOption = Annotated[
    Path, typer.Option("--config", help="Configuration of the run.", show_default=True)
]
StudyArgument = Annotated[str, typer.Argument(help="Name of a configured study.")]


def workflow_options(config: Path) -> tuple[str, ...]:
    """Return the arguments that make Snakemake use a configuration; none for the default one."""
    return () if config == DEFAULT_CONFIG else ("--config", f"file={config}")
