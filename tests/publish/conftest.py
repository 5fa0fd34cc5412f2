"""A small site without a fault, into which a test plants one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from isogloss.publish.findings import Checked
from isogloss.publish.site import Site, read_site

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
{head}
</head>
<body>
<nav aria-label="Pages"><a href="index.html">First</a> <a href="second.html">Second</a></nav>
<main id="content">
<h1>{title}</h1>
<p>Text with <a href="https://example.org/paper">a source</a>.</p>
{body}
</main>
</body>
</html>
"""
BODY_LINE = 16
"""Line of a page on which the body begins that a test gives."""


class Made:
    """A folder with two pages, and what a test does with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.page()
        self.page(name="second.html", title="Second")

    def page(
        self,
        body: str = "",
        *,
        name: str = "index.html",
        title: str = "First",
        head: str = "",
        policy: str = POLICY,
    ) -> None:
        """Write a page."""
        self.write(name, PAGE.format(title=title, head=head, body=body, policy=policy))

    def write(self, name: str, content: str | bytes) -> None:
        """Write any file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def alter(self, old: str, new: str, name: str = "index.html") -> None:
        """Replace a text that stands in a page."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def read(self) -> Site:
        """Read the site."""
        return read_site(self.folder)

    def found(self, check: Callable[[Site], Checked]) -> list[str]:
        """Run a check and return its findings as `place: text`."""
        checked = check(self.read())
        assert (checked.status == "found") == bool(checked.findings)
        return [f"{finding.place}: {finding.text}" for finding in checked.findings]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A site without a fault."""
    folder = tmp_path / "site"
    folder.mkdir()
    return Made(folder)
