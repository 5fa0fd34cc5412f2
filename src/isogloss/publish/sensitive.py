"""Texts of the project that need care in public: hateful sources, and item sets with a note."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from isogloss.project import Project, used_sources
from isogloss.publish.site import PublishError
from isogloss.stimuli.sets import DeclaredSet

READ_LIMIT = 100_000_000
"""Bytes of a source above which its texts are not compared."""


@dataclass(frozen=True)
class HatefulSource:
    """A source whose pin says that its content is hateful."""

    name: str
    used: bool
    """Whether the configured run reads it."""
    texts: tuple[str, ...] | None
    """Its cells or lines; None when they are not at hand."""
    reason: str = ""
    """Why they are not."""


@dataclass(frozen=True)
class NotedSet:
    """An item set that declares a content note."""

    name: str
    note: str
    texts: tuple[str, ...]
    """The wordings of its items."""


@dataclass(frozen=True)
class Sensitive:
    """Everything of a project that needs care in public."""

    hateful: tuple[HatefulSource, ...] = ()
    noted: tuple[NotedSet, ...] = ()


def read_sensitive(project: Project) -> Sensitive:
    """Read the texts of hateful sources as fetched into the project, and of sets with a note.

    Nothing is fetched. A source that is not at hand has the reason in place of its texts. Raises
    `PublishError` naming a table of a set that cannot be read.
    """
    used = set(used_sources(project))
    hateful = (name for name, pin in project.sources.items() if pin.hateful)
    noted = (one for one in project.declared.values() if one.content.content_note)
    return Sensitive(
        tuple(_source(project, name, name in used) for name in hateful),
        tuple(_noted(project, declared) for declared in noted),
    )


def _source(project: Project, name: str, used: bool) -> HatefulSource:
    path = project.root / project.raw_path(name)
    if not path.is_file():
        return HatefulSource(name, used, None, f"{project.raw_path(name)} is not here")
    if path.stat().st_size > READ_LIMIT:
        return HatefulSource(name, used, None, f"above {READ_LIMIT // 10**6} MB")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return HatefulSource(name, used, None, f"{project.raw_path(name)} is not UTF-8 text")
    return HatefulSource(name, used, tuple(_pieces(path, text)))


def _pieces(path: Path, text: str) -> Iterable[str]:
    delimiter = {".csv": ",", ".tsv": "\t"}.get(path.suffix.lower())
    if delimiter is None:
        return text.splitlines()
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    return (cell for row in rows for cell in row)


def _noted(project: Project, declared: DeclaredSet) -> NotedSet:
    authored = declared.content.file
    places = [f"data/items/{declared.name}/items.csv", *([authored] if authored else [])]
    path = next((p for p in (project.root / place for place in places) if p.is_file()), None)
    compared = declared.content.compare
    columns = {column for one in compared for column in (one.guise, one.reference) if column}
    texts: list[str] = []
    if path is not None:
        for row in _rows(path):
            texts += [row[column] for column in columns & set(row) if row[column]]
    return NotedSet(declared.name, declared.content.content_note, tuple(texts))


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))
    except (UnicodeDecodeError, csv.Error) as error:
        raise PublishError(
            f"{path}: not a readable UTF-8 CSV file ({error}); its texts cannot be compared with "
            "the pages, so run the stage that writes it again"
        ) from error
