"""dvc.lock as typed records, and the lists of files that DVC keeps of directories."""

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from isogloss.record.documents import read_document
from isogloss.record.hashing import hash_bytes

_Md5 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}(\.dir)?$")]


class RecordedPath(BaseModel):
    """A file or a directory with its recorded content."""

    model_config = ConfigDict(frozen=True)

    path: str
    """Relative to the project's folder, with `/`."""
    hash: Literal["md5"]
    """Kind of hash; DVC 2 had another."""
    md5: _Md5
    """MD5 as DVC defines it; ends in `.dir` for a directory."""
    size: int
    """Bytes, summed over a directory's files."""
    nfiles: int = 1
    """Number of files; stated of a directory."""

    @model_validator(mode="after")
    def _count_files(self) -> Self:
        if self.is_directory and "nfiles" not in self.model_fields_set:
            raise ValueError("a directory without nfiles, the number of its files")
        return self

    @property
    def is_directory(self) -> bool:
        """Whether the hash is that of a directory."""
        return self.md5.endswith(".dir")


class LockedStage(BaseModel):
    """One stage as it was recorded."""

    model_config = ConfigDict(frozen=True)

    cmd: str
    """Shell command."""
    deps: tuple[RecordedPath, ...] = ()
    """Inputs."""
    outs: tuple[RecordedPath, ...] = ()
    """Artifacts."""


class Lock(BaseModel):
    """Content of dvc.lock."""

    model_config = ConfigDict(frozen=True)

    schema_version: Literal["2.0"] = Field(alias="schema")
    """Version of dvc.lock's form."""
    stages: Mapping[str, LockedStage] = Field(min_length=1)
    """Stages by name."""

    @property
    def artifacts(self) -> tuple[RecordedPath, ...]:
        """What the stages wrote."""
        return tuple(out for stage in self.stages.values() for out in stage.outs)

    @property
    def inputs(self) -> tuple[RecordedPath, ...]:
        """What the stages read and none of them wrote, each once."""
        written = {out.path for out in self.artifacts}
        read = {dep for stage in self.stages.values() for dep in stage.deps}
        return tuple(
            sorted((dep for dep in read if not _is_in(dep.path, written)), key=lambda dep: dep.path)
        )


def _is_in(path: str, written: set[str]) -> bool:
    return any(str(place) in written for place in (path, *PurePosixPath(path).parents))


def read_lock(path: Path) -> Lock:
    """Read a dvc.lock.

    Raises:
        RecordError: the file is missing, unreadable, or has another form.
    """
    return read_document(path, Lock)


class _ListedFile(BaseModel):
    md5: _Md5
    relpath: str


_LISTING = TypeAdapter(tuple[_ListedFile, ...])


def directory_listing(md5: str, cache: Path) -> Mapping[str, str] | None:
    """MD5 of every file of a recorded directory by its path below it.

    DVC keeps the list in its cache under the hash `md5` (`<32 digits>.dir`) of the list itself.
    The hash is computed again here, so a list that was changed is not believed.

    Returns:
        None when `cache` does not hold the list, or holds another one.
    """
    try:
        content = (cache / "files" / "md5" / md5[:2] / md5[2:]).read_bytes()
        files = _LISTING.validate_python(json.loads(content))
    except (OSError, ValueError, ValidationError):
        return None
    if hash_bytes(content) + ".dir" != md5:
        return None
    return {file.relpath: file.md5 for file in files}
