"""Keeps a second run of the workflow out of a folder while one is going on.

Snakemake's own lock is a set of files that a killed run leaves behind and that the next run trips
over, so the default profile switches it off (`nolock`). This one is a lock of the operating
system on a file, which ends with the process that holds it, however that ends.

Measured with Snakemake 9.27: `onstart` runs once per run, in the main process, after the jobs are
built and before the first starts. It does not run in a dry run, `--detailed-summary`, `--lint`,
when nothing is to be done, nor in the processes that Snakemake starts for `run:` and `script:`
rules, although these read the Snakefile again. It does run for `--touch` when something is
touched, and `--no-hooks` leaves it out. With `nolock: true` and `rerun-incomplete: true` in the
profile, a plain run after `kill -9` of Snakemake starts at once and makes the unfinished output
again. A shell command that was running when Snakemake was killed goes on, holds no lock, and may
still write; a job that writes bit by bit has to guard its file itself.
"""

from pathlib import Path

from filelock import FileLock, Timeout

from isogloss.errors import RecordError

_held: dict[Path, FileLock] = {}


def lock_path(project: Path) -> Path:
    """Return the file that a run of the workflow in `project` holds a lock on."""
    return project / ".snakemake" / "isogloss.lock"


def run_lock(project: Path) -> None:
    """Take the lock on runs in `project` and keep it until this process ends.

    Called from the Snakefile's `onstart`. Taking it twice in one process is no error.

    Raises:
        RecordError: another process holds it.
    """
    path = lock_path(project.resolve())
    if path in _held:
        return
    path.parent.mkdir(exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise RecordError(
            f"another run of the workflow is going on in {project}: wait until it has ended, or "
            "stop it"
        ) from None
    _held[path] = lock
