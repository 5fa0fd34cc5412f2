"""CITATION.cff: who made the software, and under which licence."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from isogloss.record.documents import read_document


class Author(BaseModel):
    """A person, or an entity such as a group, which has a `name`."""

    model_config = ConfigDict(frozen=True)

    name: str | None = None
    """Name of an entity."""
    family_names: str | None = Field(None, alias="family-names")
    """Family names of a person."""
    given_names: str | None = Field(None, alias="given-names")
    """Given names of a person."""
    orcid: str | None = None
    """Address at orcid.org."""
    website: str | None = None
    """Address of a page about the author."""

    @property
    def is_entity(self) -> bool:
        """Whether this is a group and no person."""
        return self.name is not None

    @property
    def full_name(self) -> str:
        """The name as it is written."""
        parts = (self.given_names, self.family_names)
        return self.name or " ".join(part for part in parts if part)


class Citation(BaseModel):
    """What a package takes from CITATION.cff."""

    model_config = ConfigDict(frozen=True)

    title: str
    """Title of the software."""
    version: str = "0"
    """Its version."""
    abstract: str = ""
    """What it does."""
    license: str
    """SPDX name of its licence."""
    authors: Annotated[tuple[Author, ...], Field(min_length=1)]
    """Who made it."""
    keywords: tuple[str, ...] = ()
    """Words to find it by."""
    doi: str | None = None
    """Its DOI, where it has one."""
    code: str | None = Field(None, alias="repository-code")
    """Public address of its repository."""


def read_citation(project: Path) -> Citation:
    """Read CITATION.cff of a project.

    Raises:
        RecordError: it is missing or lacks a title, an author or a licence.
    """
    return read_document(project / "CITATION.cff", Citation)
