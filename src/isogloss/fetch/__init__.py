"""Stage `fetch`: bring pinned sources into the project, byte for byte or not at all."""

from isogloss.fetch.obtain import fetch, locate, mirror_dir
from isogloss.fetch.sources import FileSource, PackageSource, Source, load_sources, source_named

__all__ = [
    "FileSource",
    "PackageSource",
    "Source",
    "fetch",
    "load_sources",
    "locate",
    "mirror_dir",
    "source_named",
]
