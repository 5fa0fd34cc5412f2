"""Figures with the tables that they are drawn from, and how a page names those."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import Generic, TypeVar

from matplotlib.figure import Figure

from isogloss.report.provenance import Source, title_of

T = TypeVar("T")


@dataclass(frozen=True)
class Drawing(Generic[T]):
    """How a figure is made."""

    draw: Callable[[T], Figure]
    tables: tuple[str, ...]
    """Names of the result tables that it is drawn from."""

    def __call__(self, results: T) -> Figure:
        """Draw the figure."""
        return self.draw(results)


def drawn_from(files: Iterable[str]) -> str:
    """Return a sentence that names files, relative to the project's folder, folder by folder."""
    paths = [PurePosixPath(file) for file in dict.fromkeys(files)]
    named = [
        f"{_listed([path.name for path in group])} in {folder}"
        for folder, group in groupby(paths, key=lambda path: path.parent)
    ]
    return f"Drawn from {_listed(named)}."


def drawn_from_markdown(files: Iterable[str]) -> str:
    """Return that sentence as Markdown for the end of a caption, the files as its sources."""
    names = list(files)
    title = title_of(Source(name) for name in names)
    return f'[{drawn_from(names)}]{{.source title="{title}"}}'


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
