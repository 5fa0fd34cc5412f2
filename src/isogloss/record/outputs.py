"""Finds outputs that are not as their rules left them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from isogloss.record.endings import Change, changes_after_rules
from isogloss.record.expected import Expected
from isogloss.record.own_commands import is_own_command
from isogloss.record.stages import Stage
from isogloss.record.written import Written, is_of, last_written


def changed_outputs(
    stages: Iterable[Stage], artifacts: Sequence[Expected], project: Path
) -> tuple[Change, ...]:
    """Return the outputs that are not, or not known to be, what the jobs of `stages` wrote.

    An output has to have the bytes that its job wrote last, whatever the times of its files. A
    command given by hand may have had another input, code or configuration, so it notes nothing:
    bytes that it wrote anew are those of the job, or no results. Where no job has noted what it
    wrote, the time has to be that of the end of the rule.

    Args:
        stages: the jobs of the workflow.
        artifacts: the outputs' present content, the files of folders one by one.
        project: folder of the Snakefile, an absolute path.

    Raises:
        RecordError: a note, or what Snakemake keeps of a job, cannot be read.
    """
    found = {one.path: one.md5 for one in artifacts}
    changes: list[Change] = []
    unnoted: set[str] = set()
    for stage in stages:
        notes_itself = is_own_command(stage.command)
        for out in stage.outs:
            written = last_written(project, out) if notes_itself else None
            if written is None:
                unnoted.add(out)
                continue
            present = {path: md5 for path, md5 in found.items() if is_of(path, out)}
            differences = _differences(written, present)
            changes += (Change(out, note) for note in differences)
    return tuple(sorted((*changes, *changes_after_rules(project, unnoted))))


def _differences(written: Written, present: Mapping[str, str]) -> Sequence[str]:
    """What is not as it was written; of a folder, file by file."""
    paths = sorted(present.keys() | written.files.keys())
    return [
        path + note if path != written.output else note.strip()
        for path in paths
        if (note := _difference(written.files.get(path), present.get(path)))
    ]


def _difference(written: str | None, present: str | None) -> str:
    if present is None:
        return " is gone"
    if written is None:
        return " was not written by its rule"
    return " has other bytes than its rule wrote" if written != present else ""
