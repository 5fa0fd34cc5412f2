"""The pins of every source: address, sha256, size, licence and citation."""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from isogloss.config.base import Strict
from isogloss.config.load import read_yaml
from isogloss.errors import ConfigurationError

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Pinned(Strict):
    """What every pinned source states."""

    title: str
    """What the source is, in a line."""
    sha256: Sha256
    """SHA-256 of the file."""
    bytes: Annotated[int, Field(ge=0)]
    """Size of the file; a download that grows larger is given up."""
    licence: str
    citation: str
    """Key in `reports/references.bib`."""
    hateful: bool = False
    """Whether the content is hateful; such a source needs `allow_hateful_content: true`."""


class FileSource(_Pinned):
    """A file at a public address."""

    kind: Literal["file"]
    url: Annotated[str, Field(pattern=r"^https?://")] | None
    """Where the file is downloaded from; null for one that has no public address."""
    mirror: str
    """Path of the file inside a sources mirror."""


class PackageSource(_Pinned):
    """A file inside a wheel from the Python package index."""

    kind: Literal["package"]
    package: str
    version: str
    wheel_sha256: Sha256
    member: str
    """Path of the file inside the wheel."""


Source = FileSource | PackageSource
_KINDS: dict[str, type[FileSource] | type[PackageSource]] = {
    "file": FileSource,
    "package": PackageSource,
}


def load_sources(path: Path) -> dict[str, Source]:
    """Read the pins; raise `ConfigurationError` naming the entry and field at fault."""
    raw = read_yaml(path)
    if not isinstance(raw, dict):
        raise ConfigurationError(f"{path}: must map each source's id to its pin")
    return {str(name): _source(path, str(name), given) for name, given in raw.items()}


def _source(path: Path, name: str, given: object) -> Source:
    kind = given.get("kind") if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ConfigurationError(f"{path}: {name}.kind: must be file or package (found {kind!r})")
    try:
        return _KINDS[kind].model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{path}: {name}.{field}: {first['msg']}") from error


def source_named(sources: Mapping[str, Source], name: str) -> Source:
    """Return a pin; raise `ConfigurationError` when there is none of that id."""
    if name in sources:
        return sources[name]
    near = difflib.get_close_matches(name, list(sources), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ConfigurationError(f"data/sources.yaml has no source {name!r}{hint}")
