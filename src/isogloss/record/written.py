"""Remembers what the job of each output wrote last.

Snakemake runs again whatever reads an output and takes its present content for the rule's. So a
command of Isogloss that has ended well as a job of the workflow notes the MD5 of every file it
wrote, in one small file per output. A command that is killed, or fails, leaves the note of before.
The notes tell a result from an accident and from an edit, whatever the times of the files are. They
are files like any other, and no proof against someone who means to deceive.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from isogloss.errors import RecordError
from isogloss.record.expected import expected_artifacts
from isogloss.record.hashing import hash_bytes, hash_files
from isogloss.record.lock import Lock
from isogloss.record.own_commands import is_own_command


@dataclass(frozen=True)
class Written:
    """What a job wrote."""

    output: str
    """File or folder, relative to the project's folder, with `/`."""
    files: Mapping[str, str]
    """MD5 of the file, or of every file that the command wrote into the folder, by its path
    relative to the project's folder."""


_FORM = TypeAdapter(Written)


def keep_written(project: Path, output: Path, files: Iterable[Path]) -> None:
    """Note what a job has just written, in place of what was noted of `output` before.

    Nothing is noted of an output outside the project, or where there is no DVC repository.

    Args:
        project: the project's folder.
        output: the file, or the folder that is an output as a whole.
        files: the files written: `output` itself, or files below it.
    """
    place = _place(output, project)
    if place is None or not (project / ".dvc").is_dir():
        return
    hashes = {
        (place / file.relative_to(output)).as_posix(): found.md5
        for file, found in hash_files(files).items()
    }
    _write(project, Written(place.as_posix(), hashes))


def keep_recorded(project: Path, lock: Lock) -> None:
    """Note the artifacts of `lock` as written by their jobs; they were verified to stand here.

    Only of jobs that will note themselves what they write later.
    """
    recorded = expected_artifacts(lock, project)
    for stage in lock.stages.values():
        if not is_own_command(stage.cmd):
            continue
        for out in stage.outs:
            files = {f.path: f.md5 for f in recorded if is_of(f.path, out.path)}
            _write(project, Written(out.path, files))


def last_written(project: Path, output: str) -> Written | None:
    """What is noted of an output of `project`; none when no job has noted anything.

    Raises:
        RecordError: the note cannot be read.
    """
    path = _note(project, output)
    try:
        return _FORM.validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise RecordError(
            f"{path} cannot be read: {reason}: delete it and {output}, and run "
            "`snakemake --cores all` again"
        ) from error


def is_of(path: str, output: str) -> bool:
    """Whether `path` is an output or lies below it."""
    return path == output or path.startswith(f"{output}/")


def _place(output: Path, project: Path) -> Path | None:
    """The output's path relative to the project's folder, whatever links lead to either."""
    here = Path.cwd()
    as_named = Path(os.path.normpath(here / output)), Path(os.path.normpath(here / project))
    for place, folder in (as_named, (output.resolve(), project.resolve())):
        if place.is_relative_to(folder):
            return place.relative_to(folder)
    return None


def _note(project: Path, output: str) -> Path:
    # A path may be longer than a file's name may be.
    name = hash_bytes(os.fsencode(output))
    return project / ".dvc" / "tmp" / "isogloss-written" / f"{name}.json"


def _write(project: Path, written: Written) -> None:
    path = _note(project, written.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".partial-") as folder:
        temporary = Path(folder) / path.name
        temporary.write_text(json.dumps(asdict(written), indent=1), encoding="utf-8")
        temporary.replace(path)
