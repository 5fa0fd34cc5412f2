"""Reads the metadata of a package that may come from anywhere."""

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from isogloss.crate.entities import DESCRIPTOR
from isogloss.errors import RecordError

_WITHHELD = "#withheld/"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MD5 = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Described:
    """A file as the metadata have it."""

    path: str
    """Relative to the package."""
    sha256: str
    md5: str
    size: int


@dataclass(frozen=True)
class Description:
    """What the metadata of a package say."""

    identifier: str
    """Identifier of the run."""
    files: tuple[Described, ...]
    """Files in the package."""
    withheld: tuple[Described, ...]
    """Files that are described and not in the package."""


def read_description(content: bytes) -> Description:
    """Read `ro-crate-metadata.json`.

    Raises:
        RecordError: it is not the description of a recorded run: no JSON, no root, or a file
            without hash or size.
    """
    try:
        entities = [entity for entity in json.loads(content)["@graph"] if isinstance(entity, dict)]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _not_a_crate("it is no JSON with a @graph") from None
    root = next((entity for entity in entities if entity.get("@id") == "./"), None)
    if root is None or not isinstance(root.get("identifier"), str):
        raise _not_a_crate('it has no entity "./" with an identifier')
    files, withheld = [], []
    for entity in entities:
        identity = entity.get("@id")
        if not isinstance(identity, str):
            continue
        if identity.startswith(_WITHHELD):
            withheld.append(_described(identity.removeprefix(_WITHHELD), entity))
        elif "File" in _types(entity):
            files.append(_described(identity, entity))
    return Description(root["identifier"], tuple(files), tuple(withheld))


def _types(entity: dict[str, Any]) -> list[Any]:
    found = entity.get("@type")
    return found if isinstance(found, list) else [found]


def _described(identity: str, entity: dict[str, Any]) -> Described:
    path, size = unquote(identity), entity.get("contentSize")
    sha256, md5 = entity.get("sha256"), entity.get("md5")
    if (
        not isinstance(sha256, str)
        or not isinstance(md5, str)
        or not isinstance(size, str)
        or not (_SHA256.fullmatch(sha256) and _MD5.fullmatch(md5))
        or not re.fullmatch(r"[0-9]{1,18}", size)
    ):
        raise _not_a_crate(f"{path[:200]!r} has no sha256, md5 and contentSize")
    return Described(path, sha256, md5, int(size))


def _not_a_crate(why: str) -> RecordError:
    return RecordError(f"{DESCRIPTOR} does not describe a recorded run: {why}; nothing was checked")
