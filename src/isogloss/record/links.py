"""Symbolic links that stand in place of artifacts."""

from collections.abc import Iterable
from pathlib import Path

from isogloss.record.findings import Finding
from isogloss.record.hashing import directory_files
from isogloss.record.repository import cache_folder


def linked_files(paths: Iterable[str], project: Path) -> tuple[Finding, ...]:
    """Findings for those of `paths`, and of the files below them, that are links.

    The bytes behind a link stand outside the record: they change, or stay behind when the folder
    is handed on, without a trace here. DVC's own links into its cache are no findings.

    Raises:
        RecordError: there are links, and DVC does not say where its cache is.
    """
    links = [place for path in paths for place in _links(path, project)]
    if not links:
        return ()
    caches = [(project / ".dvc" / "cache").resolve()]
    if not all(_leads_into(project / place, caches) for place in links):
        caches.append(cache_folder(project).resolve())
    return tuple(
        Finding("link", place, note=f"a link to {(project / place).readlink()}, no file: copy it")
        for place in links
        if not _leads_into(project / place, caches)
    )


def _links(path: str, project: Path) -> list[str]:
    if (project / path).is_symlink():
        return [path]
    if not (project / path).is_dir():
        return []
    below = (f"{path}/{name}" for name in directory_files(project / path))
    return [name for name in below if (project / name).is_symlink()]


def _leads_into(link: Path, folders: Iterable[Path]) -> bool:
    target = link.resolve()
    return any(target.is_relative_to(folder) for folder in folders)
