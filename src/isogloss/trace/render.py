"""A trace in words, and as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import PurePosixPath

from isogloss.trace.lineage import File, Step
from isogloss.trace.printed import MOST_LISTED, Printed
from isogloss.trace.responses import ResponseRows
from isogloss.trace.trace import SITE, Trace
from isogloss.trace.values import Place

FORMAT = "isogloss-trace/1"
"""Name of the JSON form; another form gets another number."""

MOST_ROWS = 8
"""Rows of a table that are shown of a number made from many."""

MOST_FILES = 3
"""Files of one folder that are named singly."""


def render(trace: Trace, *, prompts: bool = False) -> str:
    """The way back in lines, from the page to the sources."""
    return "\n".join(_lines(trace, prompts=prompts))


def to_json(trace: Trace, *, prompts: bool = False) -> str:
    """The way back as JSON; without `prompts`, single responses are left out."""
    document = asdict(trace)
    for one in document["responses"]:
        if not prompts:
            del one["asked"]
    for place in document["places"]:
        for row in place["rows"]:
            del row["whole"]
    return json.dumps({"format": FORMAT, **document}, indent=2, ensure_ascii=False)


def render_choice(found: Sequence[Printed]) -> str:
    """Say which printed numbers were meant, and how to name one of them."""
    lines = [f"{found[0].page}#{one.address}  {one.text}  ({one.where})" for one in found]
    more = [f"and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
    head = f"{len(found)} numbers on the page {found[0].page} fit. Name one by what precedes it:"
    return "\n".join((head, *lines[:MOST_LISTED], *more))


def choice_to_json(found: Sequence[Printed]) -> str:
    """The printed numbers that were meant, as JSON."""
    return json.dumps(
        {"format": FORMAT, "choices": [asdict(one) for one in found]}, indent=2, ensure_ascii=False
    )


def _lines(trace: Trace, *, prompts: bool) -> Iterator[str]:
    printed = trace.printed
    yield f"{printed.text}"
    yield f"on {SITE}/{printed.page}.html: {printed.where}"
    yield from (f"through {name}" for name in trace.parts)
    for place in trace.places:
        yield f"from {place.source}"
        yield from (f"  {line}" for line in _place(place))
    for file in trace.changed:
        yield f"WARNING: {file} is not the file that was recorded; run `isogloss verify`"
    for responses in trace.responses:
        yield from _responses(responses, prompts=prompts)
    for step in trace.steps:
        yield from _step(step)


def _place(place: Place) -> Iterator[str]:
    for row in place.rows[:MOST_ROWS]:
        about = ", ".join(f"{name} {value}" for name, value in row.keys.items())
        yield f"row {row.number}: {about}" if about else f"row {row.number}"
        yield f"  {_pairs(row.values)}"
    if len(place.rows) > MOST_ROWS:
        yield f"and {len(place.rows) - MOST_ROWS} more rows"
    if place.values:
        yield _pairs(place.values)


def _pairs(values: Mapping[str, object]) -> str:
    shown = {name: "(empty)" if value == "" else value for name, value in values.items()}
    return ", ".join(f"{name} = {value}" for name, value in shown.items())


def _responses(found: ResponseRows, *, prompts: bool) -> Iterator[str]:
    guises = ", ".join(f"{name} {number}" for name, number in found.guises.items())
    outcomes = ", ".join(f"{number} {name}" for name, number in found.outcomes.items())
    yield f"responses {found.file}: {found.rows} of {found.total} rows ({guises}; {outcomes})"
    if prompts:
        for one in found.asked:
            persona = f", {one.persona}" if one.persona else ""
            prompt = one.prompt_sha256 or "no prompt recorded"
            yield f"  {one.item_id}, {one.guise}{persona}: {one.outcome}, prompt {prompt}"


def _step(step: Step) -> Iterator[str]:
    yield f"stage {step.stage}: {' '.join(step.command.split())}"
    yield from (f"  wrote {line}" for line in _files(step.outs))
    yield from (f"  read {line}" for line in _files(step.made))
    yield from (f"  read {line} (of the project)" for line in _files(step.given))


def _files(files: Sequence[File]) -> Iterator[str]:
    for folder, group in groupby(files, key=lambda file: PurePosixPath(file.path).parent):
        inside = list(group)
        if len(inside) > MOST_FILES:
            yield f"{folder}: {len(inside)} files"
            continue
        for file in inside:
            note = f", {file.note}" if file.note else ""
            yield f"{file.path} (md5 {file.md5}{note})"
