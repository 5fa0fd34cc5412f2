"""A DVC remote as a place of objects, of which nothing is believed but the bytes' own hash.

`dvc pull` is not used. It takes the list of a directory's files from the remote without hashing it,
and joins the names in it to the project's folder: measured with DVC 3.67, a list that names
`../../file` makes it write there. Here DVC only says where the remote is and opens it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dvc.config import NoRemoteError, RemoteNotFoundError
from dvc.exceptions import DvcException
from dvc.repo import Repo

from isogloss.errors import RecordError


class Remote:
    """A remote that answers."""

    def __init__(self, name: str, objects: Any) -> None:
        """Look whether the remote is there.

        Raises:
            RecordError: it cannot be reached, lets nobody in, or holds nothing.
        """
        self.name = name
        self._objects = objects
        try:
            there = objects.fs.exists(objects.path)
        except Exception as error:
            raise self._unreachable(error) from error
        if not there:
            raise RecordError(
                f"remote {name} does not exist or holds nothing: correct its address "
                f"(`dvc remote modify {name} url ...`), or run `dvc push` where the run was made"
            )

    def size(self, md5: str) -> int | None:
        """Bytes of an object; None when the remote does not have it.

        Raises:
            RecordError: the remote cannot be reached.
        """
        try:
            return int(self._objects.fs.info(self._objects.oid_to_path(md5))["size"])
        except FileNotFoundError:
            return None
        except Exception as error:
            raise self._unreachable(error) from error

    def download(self, md5: str, target: Path) -> None:
        """Copy an object's bytes to `target`, unchecked.

        Raises:
            RecordError: the remote cannot be reached.
        """
        try:
            self._objects.fs.get_file(self._objects.oid_to_path(md5), str(target))
        except Exception as error:
            raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> RecordError:
        reason = " ".join(str(error).split()) or type(error).__name__
        return RecordError(
            f"remote {self.name} ({self._objects.fs.protocol}) cannot be read: {reason}: look at "
            "its address, your connection and your credentials"
        )


class Store:
    """Where a project's DVC configuration has its objects."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self.cache = Path(repo.cache.local_cache_dir)
        """Folder of the local cache."""

    def open_remote(self, name: str | None) -> Remote:
        """Open the remote `name`, or the default one.

        Raises:
            RecordError: there is none, it needs a package that is not installed, or it does not
                answer.
        """
        try:
            objects = self._repo.cloud.get_remote_odb(name, "pull")
        except NoRemoteError:
            raise RecordError(
                "no default remote is configured: set one with `dvc remote add --default NAME "
                "ADDRESS`, or give --remote NAME"
            ) from None
        except RemoteNotFoundError:
            known = ", ".join(self._repo.config["remote"]) or "none"
            raise RecordError(f"no remote {name!r} is configured; there are: {known}") from None
        except Exception as error:
            reason = " ".join(str(error).split())
            raise RecordError(f"the remote cannot be opened: {reason}{_extra(reason)}") from error
        return Remote(name or self._repo.config["core"]["remote"], objects)


def _extra(reason: str) -> str:
    """What to install for the kinds of remotes that the package has an extra for."""
    for kind in ("s3", "ssh"):
        if f"dvc-{kind}" in reason or f"dvc[{kind}]" in reason:
            return f": install `isogloss[{kind}]`"
    return ""


@contextmanager
def open_store(project: Path) -> Iterator[Store]:
    """Open the DVC repository of `project`.

    Raises:
        RecordError: DVC cannot read its configuration.
    """
    try:
        repo = Repo(str(project))
    except DvcException as error:
        raise RecordError(f"DVC cannot open {project}: {error}") from error
    with repo:
        yield Store(repo)
