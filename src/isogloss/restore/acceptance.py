"""Makes Snakemake take the files of a verified project as its own results."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.commands import run_python
from isogloss.record.summary import output_states

_LOGS = "logs"


def require_past(paths: Iterable[str], project: Path) -> None:
    """Check that no input is of a later time than now.

    No output could be made newer than such an input, and Snakemake removes the outputs of a job
    that it fails to touch.

    Raises:
        RecordError: an input is of a later time.
    """
    now = time.time()
    for path in paths:
        if (project / path).stat().st_mtime > now:
            raise RecordError(
                f"{path} is of a time in the future, and no artifact could be newer: set this "
                f"machine's clock, or run `touch {path}`"
            )


def accept(project: Path, options: Sequence[str] = ()) -> None:
    """Let Snakemake note every output as made now, in the order of the chain, by the present rules.

    `snakemake --touch` believes whatever stands there, so this is only for a project that was
    verified. Measured with Snakemake 9.27: without `--forceall` it passes over the outputs that are
    not older than their inputs, and then knows nothing of how these were made, so that a changed
    parameter does not run them again. It makes an empty log for every job without one; those are
    removed again. Afterwards Snakemake is asked whether there is anything to do.

    Raises:
        RecordError: Snakemake failed, or would make something again all the same.
    """
    before = _files(project / _LOGS)
    run_python(
        ("-m", "snakemake", "--touch", "--forceall", "--cores", "1", "--no-hooks", *options),
        folder=project,
        purpose="let Snakemake accept the restored files",
    )
    for log in _files(project / _LOGS) - before:
        log.unlink()
    pending = [state for state in output_states(project, options) if not state.is_current]
    if pending:
        lines = "\n".join(f"  {state.path}: {state.status}, {state.plan}" for state in pending)
        raise RecordError(f"every file is restored, but Snakemake would make some again\n{lines}")


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}
