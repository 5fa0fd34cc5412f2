"""Whether a path of somebody's machine stands in the site."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site, distinct

NAME = "local paths"

BEFORE = r"(?<![\w.~:/\\-])"
"""What a path may not follow: then it is part of an address or of a longer path."""

REST = r"[^\s\"'<>,;)]"

PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        BEFORE + r"/(?:home|Users|root|tmp|mnt|media|scratch|private|workspace|github|opt)/"
        rf"{REST}+",
        BEFORE + r"/(?:tmp|root)\b(?![-/\w.])",
        BEFORE + rf"/var/(?:folders|tmp|lib|home)/{REST}+",
        rf"(?<![\w./-])~[a-z0-9_-]*/{REST}+",
        rf"(?<![A-Za-z0-9])[A-Za-z]:(?:\\+|/)[A-Za-z0-9_.]{REST}*",
        rf"(?<!\\)\\\\[\w.-]+\\[A-Za-z0-9_$]{REST}*",
        rf"\bfile:/+[\w.~%]{REST}*",
    )
)
"""Home, temporary and mounted folders, Windows drives and shares, and file addresses."""


def check(site: Site, own: Iterable[Path]) -> Checked:
    """Find paths of common places of a machine, and `own` folders such as that of the checkout.

    Own folders are found as such and resolved; the folder `/` is too short to look for.
    """
    patterns = (*_own_patterns(own), *PATTERNS)
    findings = distinct(
        Finding(name, line, f"a path of a machine: {shown(found)}")
        for name, line, text in site.lines()
        for found in _paths(text, patterns)
    )
    return made(NAME, f"{len(site.pages) + len(site.texts)} texts", findings)


def shown(path: str) -> str:
    """A path cut to what tells where it stands."""
    return path if len(path) <= 80 else f"{path[:77]}..."


def _own_patterns(own: Iterable[Path]) -> list["re.Pattern[str]"]:
    absolute = {place for path in own for place in (path.absolute(), path.resolve())}
    named = sorted({str(path) for path in absolute if len(path.parts) > 1})
    return [re.compile(BEFORE + re.escape(name) + r"(?![\w-])[^\s\"'<>,;)]*") for name in named]


def _paths(text: str, patterns: Sequence["re.Pattern[str]"]) -> list[str]:
    """Paths in a text, each once: of two that begin alike, the first pattern's."""
    found: dict[int, str] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            found.setdefault(match.start(), match[0].rstrip("."))
    return list(found.values())
