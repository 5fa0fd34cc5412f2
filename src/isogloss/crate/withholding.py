"""Which recorded files must not stand in a package, by rule from the stages' inputs."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from isogloss.crate.passages import CELL, PASSAGE, passages_of, pieces_of
from isogloss.crate.terms import Terms, terms_at
from isogloss.record.lock import LockedStage

REPORT = "reports"
"""Folder of the report. It prints estimates and counts, no rows of a source."""


@dataclass(frozen=True)
class Handling:
    """What the sources that a recorded file comes from mean for it."""

    reason: str = ""
    """Why the file is withheld; empty where it is not."""
    url: str | None = None
    """Public address of a withheld file."""
    licences: tuple[str, ...] = ()
    """Licences of the sources whose content the file is; none for the project's own."""


def handlings(
    stages: Mapping[str, LockedStage],
    files: Collection[str],
    project: Path,
    terms: Mapping[str, Terms],
) -> dict[str, Handling]:
    """What to do with each of `files`, which are the artifacts of `stages`, one by one.

    Three rules, in this order:

    1. A file that was fetched from a source which may not be handed on is withheld.
    2. So is what a stage writes that reads such a file: it may be the source's rows in another
       form. The report is excepted, which names sources and prints no row.
    3. So is everything further down the chain, the report included, that holds ten words in a
       row, or a whole table cell of five words, of such a file; and what cannot be read as text.
    """
    fetched = {path: found for path in files if (found := terms_at(path, terms))}
    kept_back = {path: found for path, found in fetched.items() if found.reason}
    result = {path: _of_source(found) for path, found in fetched.items()}
    result |= _of_readers(stages, files, fetched)
    origins = _origins(stages, files, kept_back)
    remaining = {p: origins[p] for p in origins if not result.get(p, Handling()).reason}
    return result | _of_passages(remaining, project)


def _of_source(terms: Terms) -> Handling:
    licences = (terms.licence,) if terms.licence else ()
    return Handling(terms.reason, terms.url if terms.reason else None, licences)


def _of_readers(
    stages: Mapping[str, LockedStage], files: Collection[str], fetched: Mapping[str, Terms]
) -> dict[str, Handling]:
    """Rule 2, and the same for licences: what is written straight from sources."""
    found = {}
    for stage in stages.values():
        terms = [fetched[path] for path in _below(stage.deps, fetched)]
        reasons = [f"made from {one.source}: {one.reason}" for one in terms if one.reason]
        licences = sorted({one.licence for one in terms if one.licence})
        for path in _below(stage.outs, files) if terms else ():
            if PurePosixPath(path).parts[0] != REPORT:
                found[path] = Handling("; ".join(reasons), licences=tuple(licences))
    return found


def _origins(
    stages: Mapping[str, LockedStage], files: Collection[str], kept_back: Collection[str]
) -> dict[str, frozenset[str]]:
    """For each artifact, the withheld sources that are somewhere before it in the chain."""
    origins = {path: frozenset({path}) for path in kept_back}
    before: dict[str, frozenset[str]] = {}
    while before != origins:
        before = dict(origins)
        for stage in stages.values():
            read = frozenset[str]().union(*(origins[p] for p in _below(stage.deps, origins)))
            for path in _below(stage.outs, files) if read else ():
                origins[path] = origins.get(path, frozenset()) | read
    return origins


def _of_passages(origins: Mapping[str, frozenset[str]], project: Path) -> dict[str, Handling]:
    """Rule 3."""
    sources = sorted(frozenset[str]().union(*origins.values()))
    texts = {path: pieces_of(project / path) for path in sources}
    passages = {path: passages_of(text) for path, text in texts.items() if text is not None}
    found = {}
    for path in sorted(origins):
        pieces = pieces_of(project / path)
        for source in sorted(origins[path]):
            if pieces is None or source not in passages:
                unread = path if pieces is None else source
                found[path] = Handling(f"comes from {source}, and {unread} is not read as text")
            elif passages[source].are_in(pieces):
                found[path] = Handling(
                    f"holds a passage ({PASSAGE} words in a row, or a cell of at least {CELL}) "
                    f"of {source}"
                )
    return found


def _below(recorded: Iterable[object], paths: Collection[str]) -> list[str]:
    """Those of `paths` that are one of the recorded files or lie in a recorded directory."""
    places = {str(getattr(entry, "path", entry)) for entry in recorded}
    return [
        path
        for path in paths
        if path in places or any(str(part) in places for part in PurePosixPath(path).parents)
    ]
