"""The code of the stages and the settings of a run, in a list that is an artifact like any other.

dvc.lock has the commands and the inputs of the stages, but neither the code behind a command nor
its settings. A list of their hashes that a stage writes is recorded with the results, so that
whoever has the record can tell, without git, whether results are those of the code that stands
there now.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.findings import Finding
from isogloss.record.hashing import IGNORED_NAMES
from isogloss.record.lock import Lock
from isogloss.stage_code import code_files

CODE_LIST = "data/code.sha256"
"""Where the list stands, relative to the project's folder."""

_WORKFLOW = ("Snakefile", "workflow")
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_STALE = "other than in the recorded run"


def code_list(project: Path, config: Path) -> str:
    """Files of the stages' code and settings, each with its SHA-256.

    The Snakefile, the files below `workflow`, the configuration, and the parts of the package whose
    change runs a stage again or gives a setting another default, wherever it is installed. A line
    for each, sorted by path, in the form that `sha256sum --check` reads in the project's folder.
    Line ends count as LF.

    Raises:
        RecordError: a file cannot be read.
    """
    digests = _digests(project, config)
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(digests.items()))


def changed_code(project: Path, config: Path, lock: Lock) -> tuple[Finding, ...]:
    """Findings for the files that are not those of the list that `lock` records.

    None where no such list is recorded, as in a workflow without the stage that writes it. The list
    is read as it stands in `project`; whether it has the recorded bytes is for others to check.

    Raises:
        RecordError: the list is recorded and cannot be read, or a file cannot.
    """
    if CODE_LIST not in {out.path for out in lock.artifacts}:
        return ()
    recorded = _read(project / CODE_LIST)
    found = _digests(project, config)
    return tuple(
        Finding("stale", path, note=_STALE, recorded=recorded.get(path), found=found.get(path))
        for path in sorted(recorded.keys() | found.keys())
        if recorded.get(path) != found.get(path)
    )


def _digests(project: Path, config: Path) -> dict[str, str]:
    inside = (path for name in _WORKFLOW for path in _files(project / name))
    named = {os.path.relpath(path, project): path for path in (*inside, project / config)}
    files = {Path(name).as_posix(): path for name, path in named.items()} | code_files()
    return {name: _digest(path) for name, path in files.items() if path.is_file()}


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
        return
    for path in place.rglob("*"):
        parts = path.relative_to(place).parts
        if not any(part in IGNORED_NAMES or part.startswith(".") for part in parts):
            yield path


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error


def _read(path: Path) -> dict[str, str]:
    remedy = "`isogloss restore` or a run brings it"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise RecordError(f"{path} is not here: {remedy}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read: {error}: delete it; {remedy}") from error
    entries: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        found = _LINE.fullmatch(line)
        if found is None or found[2] in entries:
            fault = "no hash and path" if found is None else f"{found[2]} is listed twice"
            raise RecordError(f"{path}, line {number}: {fault}: delete the file; {remedy}")
        entries[found[2]] = found[1]
    return entries
