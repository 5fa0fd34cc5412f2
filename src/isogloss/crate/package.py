"""Puts a recorded run into a package: verified first, then described, then written."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from isogloss.crate.actions import WORKFLOW
from isogloss.crate.archive import is_zip, require_free, written
from isogloss.crate.citation import read_citation
from isogloss.crate.contents import PackagedFile, gather
from isogloss.crate.entities import DESCRIPTOR
from isogloss.crate.graph import REPORT, Recorded, folders_of, render_metadata
from isogloss.crate.history import record_commit
from isogloss.crate.identifier import recorded_identifier
from isogloss.crate.signing import SUFFIX, require_key, sign
from isogloss.crate.terms import Terms
from isogloss.errors import RecordError
from isogloss.record.dvcfile import read_dvcfile
from isogloss.record.lock import read_lock


@dataclass(frozen=True)
class Packaged:
    """What was written."""

    out: Path
    """The package."""
    signature: Path | None
    """Its signature; none where none was asked for."""
    identifier: str
    """Identifier of the run."""
    named_in_report: bool
    """Whether a page of the report names the identifier."""
    files: tuple[PackagedFile, ...]
    """All files that are described."""

    @property
    def withheld(self) -> tuple[PackagedFile, ...]:
        """Files that are described and not in the package."""
        return tuple(file for file in self.files if file.withheld)


def package(
    project: Path, out: Path, terms: Mapping[str, Terms], *, key: str | None = None
) -> Packaged:
    """Write the recorded run in `project`, which has been verified, as an RO-Crate.

    Args:
        project: folder of the Snakefile.
        out: file to write where its name ends in `.zip`, else folder to write.
        terms: what may be done with each source.
        key: GnuPG key to sign with. The signature stands beside `out`, with `.asc` added to its
            name: of the ZIP file, or of the folder's `ro-crate-metadata.json`, which holds the
            SHA-256 of every file.

    Raises:
        RecordError: `out` or the signature exists, the record is not committed, something that a
            package needs is missing, a file changed meanwhile, or GnuPG did not sign.
    """
    signature = out.with_name(out.name + SUFFIX)
    require_free(out, *(() if key is None else (signature,)))
    if key is not None:
        require_key(key)
    recorded = describe(project, terms)
    inside = [file for file in recorded.files if not file.withheld]
    folders = [folder.path for folder in folders_of(recorded.lock)]
    metadata = render_metadata(recorded)
    with written(out, metadata, inside, folders, recorded.commit.date) as part:
        if key is not None:
            sign(part if is_zip(out) else part / DESCRIPTOR, signature, key)
    return Packaged(
        out,
        None if key is None else signature,
        recorded.identifier,
        _is_named(recorded.identifier, recorded.files, project),
        recorded.files,
    )


def describe(project: Path, terms: Mapping[str, Terms]) -> Recorded:
    """Everything that the package of the run in `project` says.

    Raises:
        RecordError: as `package`, without writing anything.
    """
    citation = read_citation(project)
    commit = record_commit(project)
    lock = read_lock(project / "dvc.lock")
    order = tuple(stage.name for stage in read_dvcfile(project / "dvc.yaml"))
    files = gather(project, lock, commit, terms)
    if not any(file.path == WORKFLOW for file in files):
        raise RecordError(f"commit {commit.id} has no {WORKFLOW}: commit it with the record")
    return Recorded(lock, order, files, citation, commit, recorded_identifier(lock))


def _is_named(identifier: str, files: tuple[PackagedFile, ...], project: Path) -> bool:
    folder = f"{Path(REPORT).parent.as_posix()}/"
    pages = (f.path for f in files if f.path.startswith(folder) and f.path.endswith(".html"))
    return any(identifier.encode() in (project / page).read_bytes() for page in pages)
