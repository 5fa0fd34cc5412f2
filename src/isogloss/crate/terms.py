"""What may be done with the sources of a run: which may be handed on, and why others may not."""

from collections.abc import Mapping
from dataclasses import dataclass

from isogloss.fetch.sources import FileSource, Source

RAW = "data/raw"
"""Folder of the fetched sources; each has a folder of its own, named by its id."""

OPEN_LICENCES = frozenset(
    {
        "0BSD",
        "AGPL-3.0-only",
        "AGPL-3.0-or-later",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC-BY-3.0",
        "CC-BY-4.0",
        "CC-BY-SA-3.0",
        "CC-BY-SA-4.0",
        "CC0-1.0",
        "GPL-2.0-only",
        "GPL-2.0-or-later",
        "GPL-3.0-only",
        "GPL-3.0-or-later",
        "ISC",
        "LGPL-3.0-only",
        "LGPL-3.0-or-later",
        "MIT",
        "MPL-2.0",
        "ODC-By-1.0",
        "ODbL-1.0",
        "PDDL-1.0",
        "Unlicense",
    }
)
"""SPDX names of licences that let anyone hand a file on; any other word withholds the file."""


@dataclass(frozen=True)
class Terms:
    """Whether the files of one source may stand in a package."""

    source: str
    """Id of the source."""
    licence: str | None
    """SPDX name of the licence that allows it; none where the files are withheld."""
    reason: str = ""
    """Why the files are withheld; empty where they are not."""
    url: str | None = None
    """Public address where anyone can have the file."""


def terms_of(sources: Mapping[str, Source]) -> dict[str, Terms]:
    """Terms of every source by its id."""
    return {name: _terms(name, source) for name, source in sources.items()}


def _terms(name: str, source: Source) -> Terms:
    url = source.url if isinstance(source, FileSource) else None
    if source.hateful:
        return Terms(name, None, "its content is hateful and is used on demand only", url)
    if source.licence not in OPEN_LICENCES:
        return Terms(name, None, f"its licence is no public one ({source.licence})", url)
    return Terms(name, source.licence, url=url)


def terms_at(path: str, terms: Mapping[str, Terms]) -> Terms | None:
    """Terms of the source that `path` was fetched from; none for what was not fetched.

    A folder below `data/raw` that no source is declared for is withheld.
    """
    if not path.startswith(f"{RAW}/"):
        return None
    name = path.removeprefix(f"{RAW}/").partition("/")[0]
    return terms.get(name) or Terms(name, None, "no source of that name is declared")
