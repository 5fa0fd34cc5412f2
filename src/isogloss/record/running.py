"""Tells whether a run of the workflow is going on in a folder."""

from pathlib import Path

from filelock import FileLock, Timeout

from isogloss.record.run_lock import lock_path


def is_running(project: Path) -> bool:
    """Whether a process holds the lock that `run_lock` takes.

    The lock is taken for an instant when nobody holds it; its file is never made here.
    """
    path = lock_path(project)
    if not path.is_file():
        return False
    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
