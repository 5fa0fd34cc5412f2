"""`isogloss responses`: what the response store holds, and how stores are brought together."""

import json as json_format
import logging
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from isogloss.score.database import check, open_existing
from isogloss.score.merge import Merged, check_paths
from isogloss.score.merge import merge as merge_stores
from isogloss.score.store import DEFAULT_STORE, StoredModel, summarise

responses_app = typer.Typer(
    name="responses",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Look into response stores, and merge them.",
)
logger = logging.getLogger("isogloss")

_KINDS = ("distributions", "texts", "others")
_DIGEST_DIGITS = 12


@responses_app.command()
def merge(
    into: Annotated[
        Path, typer.Argument(metavar="INTO", help="Store to write into; made if it is not there.")
    ],
    sources: Annotated[
        list[Path], typer.Argument(metavar="FROM", help="Stores to read; they stay as they are.")
    ],
) -> None:
    """Copy the answers that a store lacks from others.

    Every answer is hashed again first. One that is not what its hash says is refused with all of
    its file. Where both stores answer the same question, numbers may differ by 1e-5; otherwise it
    is a conflict, and the answer of INTO is kept.

    Exit status: 0 merged, 1 there were conflicts or a file was refused, 2 wrong usage.
    """
    for source in sources:
        check_paths(into, source)
    conflicts = 0
    for source in sources:
        merged = merge_stores(into, source)
        conflicts += merged.conflicts
        typer.echo("\n".join(_lines(source, merged)))
    if conflicts:
        logger.error("error: %s; those of %s were kept", _counted(conflicts), into)
        raise typer.Exit(1)


@responses_app.command()
def show(
    store: Annotated[Path, typer.Argument(help="Store to look into.")] = DEFAULT_STORE,
    json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
) -> None:
    """Say what a store holds of each model.

    The file is checked for damage first.
    """
    with closing(open_existing(store, "rw")) as connection:
        check(connection, store)
        models = summarise(connection, store)
    typer.echo(_to_json(store, models) if json else _table(models))


def _lines(source: Path, merged: Merged) -> list[str]:
    conflicts = "1 conflict" if merged.conflicts == 1 else f"{merged.conflicts} conflicts"
    counts = f"{merged.added} added, {merged.present} already there, {conflicts}"
    listed = [f"  key {found.key.sha256}: {found.difference}" for found in merged.listed]
    more = merged.conflicts - len(listed)
    return [f"{source}: {counts}", *listed, *([f"  and {more} more"] if more else [])]


def _counted(conflicts: int) -> str:
    return "1 answer differs" if conflicts == 1 else f"{conflicts} answers differ"


def _table(models: Sequence[StoredModel]) -> str:
    if not models:
        return "no answers stored"
    kinds = _KINDS if any(model.others for model in models) else _KINDS[:-1]
    rows = [("model", "digest", *kinds, "first written", "last written")]
    rows += [_cells(model, kinds) for model in models]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_padded(row, widths) for row in rows)


def _cells(model: StoredModel, kinds: Sequence[str]) -> tuple[str, ...]:
    return (
        model.name or "(not described)",
        model.digest[:_DIGEST_DIGITS],
        *(str(getattr(model, kind)) for kind in kinds),
        _minute(model.first_written_at),
        _minute(model.last_written_at),
    )


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
    return "  ".join(cells).rstrip()


def _minute(moment: datetime | None) -> str:
    return "-" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"


def _to_json(store: Path, models: Sequence[StoredModel]) -> str:
    records = [_record(model) for model in models]
    return json_format.dumps({"store": str(store), "models": records}, indent=2)


def _record(model: StoredModel) -> dict[str, Any]:
    """Fields of a model as JSON, times in ISO 8601."""
    fields = vars(model).items()
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in fields
    }
