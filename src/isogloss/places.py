"""Places to write to, looked at before work begins, and what to do where writing fails."""

import errno
import os
from pathlib import Path

_REMEDIES = {
    errno.EACCES: "it may not be read or written; change its permissions or name another place",
    errno.EPERM: "it may not be read or written; change its permissions or name another place",
    errno.EROFS: "nothing can be written there; name another place",
    errno.EISDIR: "this is a folder; name a file",
    errno.ENOTDIR: "a file stands where a folder is needed; name another place",
    errno.EEXIST: "there is something already; move it away or name another place",
    errno.ENOENT: "there is no such file or folder, or it cannot be made; check the path",
    errno.ENOSPC: "the disk is full; make room and run the command again",
}


def sentence(error: OSError) -> str:
    """Say of an error of the system which file it is about, and what to do."""
    remedy = _REMEDIES.get(error.errno or 0)
    if remedy is None or error.filename is None:
        return str(error)
    return f"{os.fsdecode(error.filename)}: {remedy}"


def require_file_place(path: Path) -> None:
    """Raise `OSError` where no file can be written at `path`; a missing folder can be made."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    require_folder_place(path.parent)


def require_folder_place(path: Path) -> None:
    """Raise `OSError` where no folder can be made at `path`, or nothing be written into it."""
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(there))
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(there))
