"""A rendered site as the checks see it: its pages, and every other file."""

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from isogloss.errors import IsoglossError
from isogloss.publish.findings import Finding
from isogloss.publish.markup import Markup, read_markup
from isogloss.publish.payloads import Payload, payloads, without_payloads

READ_LIMIT = 100_000_000
"""Bytes of a file above which it is not read: nobody would load such a page."""

TEXT_SUFFIXES = frozenset({".css", ".json", ".js", ".md", ".svg", ".txt", ".xml"})
"""Suffixes of files that are text, beside pages."""


class PublishError(IsoglossError):
    """A site cannot be read, so that nothing could be checked."""

    exit_code = 2


@dataclass(frozen=True)
class Page:
    """One page."""

    name: str
    """Path relative to the site's folder, with `/`."""
    text: str
    size: int
    """Bytes."""

    @cached_property
    def markup(self) -> Markup:
        """The page's elements."""
        return read_markup(self.text)

    @cached_property
    def payloads(self) -> tuple[Payload, ...]:
        """What stands inside the page as `data:` addresses."""
        return payloads(self.text)

    @cached_property
    def generator(self) -> str:
        """Software that made the page, as the page says."""
        named = (e.attributes for e in self.markup.all("meta"))
        return next((a.get("content", "") for a in named if a.get("name") == "generator"), "")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield every text of the page with its line: source, passages, texts inside `data:`.

        A word that inline elements cut into pieces is whole in the passages only, and a comment
        is in the source only.
        """
        source = without_payloads(self.text).splitlines()
        yield from ((n, html.unescape(line)) for n, line in enumerate(source, start=1))
        yield from ((passage.line, passage.text) for passage in self.markup.passages)
        yield from ((p.line, line) for p in self.payloads for line in p.text.splitlines())

    def finding(self, line: int | None, text: str) -> Finding:
        """Return a finding about this page."""
        return Finding(self.name, line, text)


@dataclass(frozen=True)
class Site:
    """All of a rendered site."""

    folder: Path
    pages: tuple[Page, ...]
    files: dict[str, int]
    """Size in bytes of every file by its path relative to the folder, pages included."""
    links: tuple[str, ...] = ()
    """Paths that are symbolic links."""
    texts: tuple[tuple[str, str], ...] = ()
    """Path and content of the other files that are text."""

    def lines(self) -> Iterator[tuple[str, int, str]]:
        """Yield file, line and text of everything in the site that is text."""
        for page in self.pages:
            yield from ((page.name, line, text) for line, text in page.lines())
        for name, content in self.texts:
            yield from ((name, n, text) for n, text in enumerate(content.splitlines(), start=1))


def read_site(folder: Path) -> Site:
    """Read a rendered site.

    Raises:
        PublishError: the folder does not exist or has no page, or a file cannot be read as text.
    """
    if not folder.is_dir():
        raise PublishError(f"{folder}: there is no such folder; render the report first")
    found = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in found}
    links = tuple(name for name, path in names.items() if path.is_symlink())
    files = {name: path.stat().st_size for name, path in names.items() if name not in links}
    pages = [name for name in files if name.endswith((".html", ".htm"))]
    if not pages:
        raise PublishError(f"{folder}: there is no page in it; render the report first")
    others = [name for name in files if Path(name).suffix in TEXT_SUFFIXES]
    return Site(
        folder,
        tuple(Page(name, _text(names[name]), files[name]) for name in pages),
        files,
        links,
        tuple((name, _text(names[name])) for name in others),
    )


def _text(path: Path) -> str:
    if path.stat().st_size > READ_LIMIT:
        raise PublishError(f"{path}: larger than {READ_LIMIT // 10**6} MB; split it into pages")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PublishError(f"{path}: not UTF-8 at byte {error.start}; write it as UTF-8") from error


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings without repetitions, in their order."""
    return list(dict.fromkeys(findings))
