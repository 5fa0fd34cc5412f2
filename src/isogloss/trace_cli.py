"""`isogloss trace`: the way from a printed number back to sources, responses and models."""

from pathlib import Path
from typing import Annotated

import typer


def trace(
    number: Annotated[
        str,
        typer.Argument(
            metavar="PAGE#NUMBER",
            help=(
                "A page of the report and a number as it is printed (hedging#-0.390), or the label "
                "of a table with a row (hedging#tbl-name:3), or of a figure."
            ),
        ),
    ],
    prompts: Annotated[
        bool, typer.Option(help="List each response, with its item and the hash of its prompt.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Print the path from a printed number back to the files, stages, models and sources.

    Exit status: 0 traced, 1 several numbers fit and are listed, 2 there is no such number.
    """
    from isogloss.trace.printed import find_printed
    from isogloss.trace.render import choice_to_json, render, render_choice, to_json
    from isogloss.trace.trace import SITE, trace_back

    page, mark, wanted = number.partition("#")
    if not (page and mark and wanted):
        raise typer.BadParameter("give a page and a number: hedging#-0.390")
    root = Path.cwd()
    found = find_printed(root / SITE, page, wanted)
    if len({one.title for one in found}) > 1:
        typer.echo(choice_to_json(found) if json else render_choice(found))
        raise typer.Exit(1)
    way = trace_back(found[0], root)
    typer.echo(to_json(way, prompts=prompts) if json else render(way, prompts=prompts))
