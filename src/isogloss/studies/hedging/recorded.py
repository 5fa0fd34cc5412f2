"""Published interview score sheets as rows of the response table."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from isogloss.errors import ResponseError
from isogloss.score.parse import parse_decision, parse_rating
from isogloss.score.responses import Outcome, Response
from isogloss.studies.base import ItemTable
from isogloss.validate.surface import unwrap

_QUESTIONS = range(1, 11)
_GUISES = {"Hedged": "hedged", "Confident": "confident"}
_COLUMNS = ("interview_round", "hedged_or_confident", "final_answer", "final_answer_reasoning")


def replay_interviews(
    table: ItemTable, path: Path, row: Response, pair_is_valid: Callable[[str, str], bool]
) -> list[Response]:
    """Return one rating row for each answer and one decision row for each interview.

    `row` carries study, model, item set, condition and mode. Each sheet row has a round, a style,
    ten times question, answer, score and reasoning, and a decision. Raises `ResponseError` naming
    the record whose question and answer match no item.
    """
    items = {
        (guise, item["question"].strip(), item[guise]): (item["item_id"], item["category"])
        for guise in _GUISES.values()
        for item in table.items.to_dict("records")
    }
    return [
        response
        for number, sheet in enumerate(_read(path), start=2)
        for response in _interview(sheet, f"{path}, record {number}", items, row, pair_is_valid)
    ]


def _interview(
    sheet: dict[str, str],
    where: str,
    items: dict[tuple[str, str, str], tuple[str, str]],
    row: Response,
    pair_is_valid: Callable[[str, str], bool],
) -> Iterator[Response]:
    guise = _GUISES.get(sheet["hedged_or_confident"])
    if guise is None or not sheet["interview_round"].isdecimal():
        raise ResponseError(f"{where}: needs a round number and Hedged or Confident")
    interview = int(sheet["interview_round"])
    for q in _QUESTIONS:
        answer = unwrap(sheet[f"question_{q}_response"])[0]
        found = items.get((guise, sheet[f"question_{q}"].strip(), answer))
        if found is None:
            raise ResponseError(f"{where}: question_{q} and its answer match no item of the set")
        rating = parse_rating(sheet[f"question_{q}_score"], 1, 5)
        yield replace(
            row,
            item_id=found[0],
            category=found[1] or None,
            guise=guise,
            task="rating",
            interview=interview,
            valid_pair=pair_is_valid(found[0], guise),
            outcome=rating.status,
            reason=_reason(rating.status, sheet[f"question_{q}_score"]),
            expected=None if rating.value is None else float(rating.value),
            modal=None if rating.value is None else str(rating.value),
            text=sheet[f"question_{q}_score_reasoning"],
        )
    decision = parse_decision(sheet["final_answer"])
    yield replace(
        row,
        item_id=f"interview-{interview:02d}",
        guise=guise,
        task="decision",
        interview=interview,
        outcome=decision.status,
        reason=_reason(decision.status, sheet["final_answer"]),
        modal=decision.value,
        text=sheet["final_answer_reasoning"],
    )


def _reason(status: Outcome, given: str) -> str | None:
    return None if status == "ok" else f"not an allowed answer: {given[:40]!r}"


def _read(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(1 << 24)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ResponseError(f"{path}: not a readable UTF-8 CSV file ({error})") from error
    parts = ("", "_response", "_score", "_score_reasoning")
    wanted = [*_COLUMNS, *(f"question_{q}{part}" for q in _QUESTIONS for part in parts)]
    if not rows:
        raise ResponseError(f"{path}: no records; the file is empty or has a header only")
    missing = [column for column in wanted if column not in rows[0]]
    if missing:
        raise ResponseError(f"{path}: column {missing[0]!r} is missing")
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise ResponseError(f"{path}, record {number}: has not as many cells as the header")
    return rows
