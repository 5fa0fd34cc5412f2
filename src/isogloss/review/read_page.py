"""Read the decisions that the review page saved."""

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from isogloss.config.base import Strict
from isogloss.errors import ItemError
from isogloss.review.filled import FilledRow
from isogloss.review.workbook import FORMAT


class _Decision(Strict):
    item_set: str
    item_id: str
    contrast: str
    text_sha256: str
    verdict: str
    comment: str
    decided_at: str
    blind: bool


class _Download(Strict):
    format: Literal["isogloss review 1"]
    export: str
    reviewer: str
    blind: bool
    decisions: Annotated[tuple[_Decision, ...], Field(strict=False)]


def read_decisions_file(path: Path, content: bytes) -> tuple[str, tuple[FilledRow, ...]]:
    """Return whose a file of decisions is, and its rows.

    Raises `ItemError` naming the field at fault when it is not what the page saves.
    """
    try:
        saved = _Download.model_validate(json.loads(content.decode("utf-8-sig")))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ItemError(f"{path}: not JSON ({error}); download the decisions again") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ItemError(
            f"{path}: {place}: {first['msg']}; it must be a download of the page ({FORMAT})"
        ) from error
    rows = (
        FilledRow(place=f"decision {number}", **decision.model_dump())
        for number, decision in enumerate(saved.decisions, start=1)
    )
    return saved.reviewer, tuple(rows)
