"""Small pieces of an RO-Crate's JSON-LD."""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from isogloss.crate.citation import Author
from isogloss.crate.contents import PackagedFile

Entity = dict[str, Any]
"""One object of the graph."""

MEDIA_TYPES = {
    ".bib": "text/x-bibtex",
    ".cff": "application/yaml",
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".lock": "application/yaml",
    ".md": "text/markdown",
    ".npy": "application/octet-stream",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".py": "text/x-python",
    ".pyx": "text/x-cython",
    ".qmd": "text/markdown",
    ".scss": "text/x-scss",
    ".smk": "text/plain",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".txt": "text/plain",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    "": "text/plain",
}
"""Media types by the end of a file's name; anything else is a stream of bytes."""

DESCRIPTOR = "ro-crate-metadata.json"
"""Name of the file that describes a package."""


def ref(identity: str) -> Entity:
    """A reference to another entity."""
    return {"@id": identity}


def refs(identities: Iterable[str]) -> list[Entity]:
    """References to several entities, each once, in the order given."""
    return [ref(identity) for identity in dict.fromkeys(identities)]


def file_id(path: str) -> str:
    """Identifier of a file in the package: its path, with what an address cannot hold encoded."""
    return quote(path)


def withheld_id(path: str) -> str:
    """Identifier of a file that is described and not in the package."""
    return f"#withheld/{quote(path)}"


def identity_of(file: PackagedFile) -> str:
    """Identifier of a file, in the package or not."""
    return withheld_id(file.path) if file.withheld else file_id(file.path)


def licence_id(name: str) -> str:
    """Address of a licence by its SPDX name."""
    return f"https://spdx.org/licenses/{name}"


def licence_entity(name: str) -> Entity:
    """A licence that the package refers to."""
    address = licence_id(name)
    return {"@id": address, "@type": "CreativeWork", "name": name, "url": address}


def file_entity(file: PackagedFile) -> Entity:
    """A file in the package, or what is known of one that is not."""
    entity: Entity = {
        "@id": identity_of(file),
        "@type": "CreativeWork" if file.withheld else "File",
        "name": file.path,
        "contentSize": str(file.size),
        "encodingFormat": MEDIA_TYPES.get(
            PurePosixPath(file.path).suffix, "application/octet-stream"
        ),
        "md5": file.md5,
        "sha256": file.sha256,
    }
    if file.withheld:
        entity["conditionsOfAccess"] = f"Not in this package: {file.handling.reason}."
    if file.handling.url:
        entity["url"] = file.handling.url
    if file.handling.licences and not file.withheld:
        entity["license"] = refs(map(licence_id, file.handling.licences))
    return entity


def author_entities(authors: Iterable[Author]) -> list[Entity]:
    """Authors as people and organizations, by ORCID where there is one."""
    return [_author(author, number) for number, author in enumerate(authors, start=1)]


def _author(author: Author, number: int) -> Entity:
    names = {"givenName": author.given_names, "familyName": author.family_names}
    return {
        "@id": author.orcid or author.website or f"#author-{number}",
        "@type": "Organization" if author.is_entity else "Person",
        "name": author.full_name,
        **{key: value for key, value in names.items() if value and not author.is_entity},
    }
