"""The whole way back from a printed number."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isogloss.record.hashing import hash_file
from isogloss.record.lock import Lock, read_lock
from isogloss.report.provenance import Source
from isogloss.trace.lineage import Step, steps_behind
from isogloss.trace.printed import Printed
from isogloss.trace.responses import ResponseRows, is_responses, responses_behind
from isogloss.trace.values import Place, read_place

REPORTS, SITE = "reports", "reports/_site"
_FIGURE = re.compile(r"\]\((\S+?)\)\{#(fig-[\w.-]+)")
_INCLUDE = re.compile(r"\{\{<\s*include\s+(\S+)\s*>\}\}")


@dataclass(frozen=True)
class Trace:
    """Everything behind a printed number."""

    printed: Printed
    parts: tuple[str, ...]
    """Generated files through which it came onto the page."""
    places: tuple[Place, ...]
    """What the files say where it was taken from."""
    changed: tuple[str, ...]
    """Those files that are not as recorded."""
    responses: tuple[ResponseRows, ...]
    """Responses with what the rows name; none where a table was not computed from responses."""
    steps: tuple[Step, ...]
    """Stages behind the files, nearest first.

    Where the responses are known, stages that only made others are left out.
    """


def trace_back(printed: Printed, project: Path) -> Trace:
    """Follow a number back through the record.

    Raises `RecordError` when there is no record, or a file is not there.
    """
    lock = read_lock(project / "dvc.lock")
    places = tuple(read_place(source, project) for source in merged(printed.sources))
    files = tuple(dict.fromkeys(place.source.file for place in places))
    responses = tuple(_responses(places, lock, project))
    held = {one.file for one in responses}
    return Trace(
        printed,
        tuple(_parts(printed, project / REPORTS)),
        places,
        tuple(file for file in files if _is_changed(file, lock, project)),
        responses,
        steps_behind(files, lock, project, _is_followed(held)),
    )


def _is_followed(held: set[str]) -> Callable[[str], bool]:
    """Leave out response tables that hold none of the rows, where it is known which do."""
    return lambda file: not held or file in held or not is_responses(file)


def merged(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return sources with one for all columns that were taken from the same rows of a file."""
    found: dict[Source, tuple[str, ...]] = {}
    for source in sources:
        place = replace(source, columns=())
        found[place] = tuple(dict.fromkeys((*found.get(place, ()), *source.columns)))
    return tuple(replace(place, columns=columns) for place, columns in found.items())


def _parts(printed: Printed, reports: Path) -> Iterator[str]:
    """Generated files that the page includes and that hold the number with its source."""
    page = reports / f"{printed.page}.qmd"
    text = page.read_text(encoding="utf-8", errors="replace") if page.is_file() else ""
    titles = [f'title="{title}"' for title in (printed.title, *printed.title.split("; "))]
    label = printed.address.partition(":")[0]
    yield from (f"{REPORTS}/{name}" for name, figure in _FIGURE.findall(text) if figure == label)
    wanted = [f"{{#{label}}}"] if label.startswith("tbl-") else titles
    for name in (*_INCLUDE.findall(text), "_variables.yml"):
        path = reports / name
        if path.is_file():
            content = path.read_text(encoding="utf-8", errors="replace")
            if any(one in content for one in wanted):
                yield f"{REPORTS}/{name}"


def _is_changed(file: str, lock: Lock, project: Path) -> bool:
    recorded = {
        entry.path: entry.md5
        for stage in lock.stages.values()
        for entry in (*stage.outs, *stage.deps)
    }
    return file in recorded and hash_file(project / file).md5 != recorded[file]


def _responses(places: tuple[Place, ...], lock: Lock, project: Path) -> Iterator[ResponseRows]:
    """Responses behind the rows; what several rows share is given once."""
    seen: set[str] = set()
    for place in places:
        read = [
            dep.path
            for stage in lock.stages.values()
            if any(out.path == place.source.file for out in stage.outs)
            for dep in stage.deps
        ]
        for row in place.rows:
            for found in responses_behind(place.source.file, row.whole, read, project):
                key = f"{found.file} {hash(found.asked)}"
                if key not in seen:
                    seen.add(key)
                    yield found
