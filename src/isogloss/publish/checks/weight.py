"""How many bytes a page, and the whole site, may have."""

from dataclasses import dataclass

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site

NAME = "weight"


@dataclass(frozen=True)
class Limits:
    """The most that is published, in bytes."""

    page: int = 2_000_000
    """A page with all it holds: some ten seconds at 1.6 Mbit/s, a slow phone connection."""
    site: int = 20_000_000
    """All files together."""


def check(site: Site, limits: Limits) -> Checked:
    """Find pages above the limit of a page, and a site above that of the site."""
    findings = [
        page.finding(
            None, f"{_words(page.size)}, above {_words(limits.page)}; shorten or split the page"
        )
        for page in site.pages
        if page.size > limits.page
    ]
    total = sum(site.files.values())
    if total > limits.site:
        findings.append(Finding("", None, f"{_words(total)} in all, above {_words(limits.site)}"))
    largest = max(site.pages, key=lambda page: page.size)
    summary = (
        f"{_words(total)} in all (limit {_words(limits.site)}); the largest page is "
        f"{largest.name}, {_words(largest.size)} (limit {_words(limits.page)})"
    )
    notes = [f"{page.name}: {_words(page.size)}" for page in site.pages]
    return made(NAME, summary, findings, notes)


def _words(size: int) -> str:
    return f"{size / 1e6:.2f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"
