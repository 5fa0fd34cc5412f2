"""The name that a run's report and its package share.

The report cannot name a hash of dvc.lock, since dvc.lock holds the hash of the report. What both
know is what the report was made from.
"""

import json
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path

from isogloss.record.hashing import hash_directory, hash_file
from isogloss.record.lock import Lock

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:isogloss:run")
_REPORT = "reports/"


def run_identifier(files: Mapping[str, str]) -> str:
    """`urn:uuid:` and the UUID (version 5) of the MD5 of everything that a report is made from.

    `files` maps paths, relative to the project's folder, to MD5 hashes as DVC defines them. What
    lies in `reports/`, the form of the report, is left out: two reports of the same results have
    the same identifier, and any other byte in a result gives another one.
    """
    content = {path: md5 for path, md5 in files.items() if not path.startswith(_REPORT)}
    name = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return uuid.uuid5(_NAMESPACE, name).urn


def identifier_of_files(project: Path, paths: Iterable[str]) -> str:
    """`run_identifier` of the inputs of the rule that writes the report's parts.

    Raises:
        RecordError: a file cannot be read.
    """
    wanted = sorted({path for path in paths if not path.startswith(_REPORT)})
    return run_identifier({path: _md5(project / path) for path in wanted})


def _md5(path: Path) -> str:
    return (hash_directory(path) if path.is_dir() else hash_file(path)).md5


def recorded_identifier(lock: Lock) -> str:
    """`run_identifier` from a record: of what the stages read that write into `reports/` only.

    Of all artifacts where there is no such stage.
    """
    report = [
        stage
        for stage in lock.stages.values()
        if stage.outs and all(out.path.startswith(_REPORT) for out in stage.outs)
    ]
    made_from = [dep for stage in report for dep in stage.deps] or lock.artifacts
    return run_identifier({entry.path: entry.md5 for entry in made_from})
