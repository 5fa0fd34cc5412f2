"""Whether the folder holds what a site is made of, and nothing else."""

from pathlib import Path

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site

NAME = "files"

SUFFIXES = frozenset(
    ".css .gif .htm .html .ico .jpeg .jpg .json .png .svg .txt .webp .woff2 .xml".split()  # noqa: SIM905
)
"""Suffixes that a file of a site may have."""

NAMES = frozenset({"CNAME", ".nojekyll"})
"""Files without such a suffix that hosts of sites read."""

STAMPS = frozenset({".snakemake_timestamp"})
"""Empty files that the workflow leaves; hosts do not serve them."""


def check(site: Site) -> Checked:
    """Find files of other kinds, symbolic links, and the lack of `index.html`."""
    findings = [
        *(Finding(name, None, "a symbolic link; put the file itself here") for name in site.links),
        *(
            Finding(name, None, "not a kind of file that a site is made of; take it out")
            for name, size in site.files.items()
            if not _belongs(name, size)
        ),
    ]
    if "index.html" not in site.files:
        findings.append(Finding("index.html", None, "missing; a visitor would see an error"))
    return made(NAME, f"{len(site.files)} files, {len(site.pages)} of them pages", findings)


def _belongs(name: str, size: int) -> bool:
    path = Path(name)
    if path.name in STAMPS:
        return size == 0
    return path.suffix.lower() in SUFFIXES or path.name in NAMES
