"""A reproduction in words, and as JSON."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from isogloss import __version__
from isogloss.reproduce.findings import (
    Change,
    NumberDifference,
    Reproduction,
    TableComparison,
)

FORMAT = "isogloss-reproduce/1"
"""Name of the JSON form; another form gets another number."""

_WORST, _VERDICTS, _NAMES = 10, 50, 3
_CELL, _ROW = 100, 240
"""Characters of a value, and of what names a row, that are shown."""


def render(found: Reproduction) -> str:
    """Say what was done, a line for each table, the worst cells, each difference, and the sum."""
    parts = [
        _done(found),
        _tables(found),
        _worst(found),
        _differences(found),
        [_sum(found)],
    ]
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part)))


def to_json(found: Reproduction) -> str:
    """Everything as JSON in the form of reproduce.schema.json; a number not finite is null."""
    content = {
        "format": FORMAT,
        "version": __version__,
        "status": found.status,
        "exit_code": found.exit_code,
        **asdict(found),
    }
    return json.dumps(_finite(content), indent=2, ensure_ascii=False)


def _done(found: Reproduction) -> Iterator[str]:
    if found.mode == "full":
        yield f"Full reproduction of the run of {found.config}, on {found.machine}"
    else:
        yield (
            f"Reproduction of the run of {found.config} with a sample of {found.sample} "
            f"(seed {found.seed}), on {found.machine}"
        )
    yield f"Computed again: {len(found.recomputed)} stages"
    for one in found.rescored:
        yield (
            f"Asked again: {one.model}, {one.drawn} of {one.prompts} prompts ({one.rows} rows) "
            f"of {one.table}"
        )
        if one.not_rebuilt:
            yield (
                f"  {one.rebuilt} questions were built again and compared; {one.not_rebuilt} hold "
                "a text by the model that was not asked for again"
            )
    if found.mode == "sample" and not (found.rescored or found.failed):
        yield "Asked again: NOTHING, for no model of the configuration runs here"
    for reason, names in _by_reason(found).items():
        more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
        yield f"Taken over: {', '.join(names[:_NAMES])}{more}: {reason}"
    for failed in found.failed:
        yield f"COULD NOT BE DONE: {failed.what}: {failed.reason}"
    for path in found.altered:
        yield f"NOT THE RECORDED BYTES: {path}; `isogloss verify` says more"


def _by_reason(found: Reproduction) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for one in found.taken_over:
        reasons.setdefault(one.reason, []).append(one.what)
    return reasons


def _tables(found: Reproduction) -> Iterator[str]:
    names = [_named(table) for table in found.tables]
    width = max(map(len, names), default=0)
    yield f"{'table':{width}}  {'largest absolute':>16}  {'relative':>8}  {'verdicts':>8}  result"
    for name, table in zip(names, found.tables, strict=True):
        yield (
            f"{name:{width}}  {_number(table.largest_absolute):>16}  "
            f"{_number(table.largest_relative):>8}  {len(table.verdicts):>8}  {table.result}"
        )


def _worst(found: Reproduction) -> Iterator[str]:
    numbers = [(table, number) for table in found.tables for number in table.numbers]
    numbers.sort(key=lambda one: (-one[1].beyond, -one[1].largest_absolute))
    if numbers:
        yield "Numbers that are others, by column, the worst first:"
    for table, number in numbers[:_WORST]:
        yield f"  {table.table}, {_column(number)}"
    if len(numbers) > _WORST:
        yield f"  and {len(numbers) - _WORST} more columns; --json has them all"


def _column(number: NumberDifference) -> str:
    held = f"{number.absolute:g} + {number.relative:g} |recorded|"
    judged = f"{number.beyond} beyond {held}" if number.beyond else f"within {held}"
    return (
        f"{number.column}: {number.cells} cells, up to {_number(number.largest_absolute)} "
        f"({_number(number.largest_relative)} relative), {judged}: {_change(number.worst)}"
    )


def _differences(found: Reproduction) -> Iterator[str]:
    for table in found.tables:
        lines = list(_of_table(table))
        if lines:
            yield f"{_named(table)}: {table.result}"
            yield from (f"  {line}" for line in lines)


def _of_table(table: TableComparison) -> Iterator[str]:
    if table.note:
        yield _clean(table.note, _ROW)
    for verdict in table.verdicts[:_VERDICTS]:
        change = Change(verdict.row, verdict.recorded, verdict.found)
        yield f"VERDICT CHANGED: {verdict.column}: {_change(change)}"
    if len(table.verdicts) > _VERDICTS:
        yield f"and {len(table.verdicts) - _VERDICTS} more verdicts"
    yield from (_clean(line, _ROW) for line in (*table.columns_listed, *table.rows_listed))
    alone = table.only_recorded + table.only_found
    if alone > len(table.rows_listed):
        yield f"and {alone - len(table.rows_listed)} more rows that one side has alone"
    yield from (_column(number) for number in table.numbers if number.beyond)
    for text in table.texts:
        judged = "texts are others, which is allowed" if text.allowed else "texts are others"
        yield f"{text.column}: {text.cells} {judged}"
        yield from (f"  {_change(change)}" for change in text.listed)


def _sum(found: Reproduction) -> str:
    counts = ", ".join(f"{count} {result}" for result, count in sorted(found.counts().items()))
    verdicts = sum(len(table.verdicts) for table in found.tables)
    changed = f"{verdicts} verdicts changed" if verdicts else "no verdict changed"
    asked = sum(one.drawn for one in found.rescored)
    again = f", {asked} prompts asked again" if found.mode == "sample" else ""
    said = {
        "reproduced": "reproduced within tolerance",
        "differs": "NOT REPRODUCED: something differs",
        "not done": "NOT DONE: something could not be computed again",
    }
    return f"{said[found.status]}: {counts or 'no table'}; {changed}{again}"


def _named(table: TableComparison) -> str:
    return f"{table.table} ({table.scope})" if table.scope else table.table


def _change(change: Change) -> str:
    recorded, now = (
        _clean(cell) if cell else "(empty)" for cell in (change.recorded, change.found)
    )
    where = f"{_clean(change.row, _ROW)}: " if change.row else ""
    return f"{where}{recorded} -> {now}"


def _clean(text: str, longest: int = _CELL) -> str:
    """Text for a terminal: without control characters, and bounded."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[:longest])
    return shown if len(text) <= longest else f"{shown}..."


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.2g}"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
