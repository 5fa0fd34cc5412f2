"""A mirror of sources for the scratch folder: the one at hand, and recorded files beside it."""

import shutil
from pathlib import Path

from isogloss.fetch import FileSource, mirror_dir
from isogloss.fetch.obtain import sha256_of
from isogloss.project import Project
from isogloss.reproduce.findings import NotDone
from isogloss.reproduce.scratch import inside


def make_mirror(project: Project, folder: Path) -> list[NotDone]:
    """Fill `folder` with links to the pinned sources that the mirror at hand has.

    A source without public address that is in no mirror is copied from `data/raw`, provided that
    it has the pinned hash; each such source is returned. Without it, a copy of a run whose sources
    cannot be fetched would say that they are out of reach.
    """
    folder.mkdir(parents=True)
    at_hand = mirror_dir(project.root)
    taken = []
    for name, pin in project.sources.items():
        if not isinstance(pin, FileSource):
            continue
        place, recorded = inside(folder, pin.mirror), project.root / project.raw_path(name)
        if at_hand is not None and (at_hand / pin.mirror).is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to((at_hand / pin.mirror).resolve())
        elif pin.url is None and recorded.is_file() and sha256_of(recorded) == pin.sha256:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(recorded, place)
            taken.append(NotDone(name, _REASON))
    return taken


_REASON = "is a source without public address and in no mirror here; data/raw has the pinned bytes"
