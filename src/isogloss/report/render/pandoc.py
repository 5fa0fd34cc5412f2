"""Calls of pandoc: read Markdown, list citation keys, write HTML. Always sandboxed, no network."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypandoc

from isogloss.errors import ReportError
from isogloss.report.render.document import Document, Node

PERMISSIVE = "markdown"
"""Pandoc's Markdown as Quarto reads it, with raw HTML, raw TeX and metadata blocks anywhere."""

RAW_EXTENSIONS = {
    "raw HTML": ("raw_html", "native_divs", "native_spans", "markdown_in_html_blocks"),
    "a raw attribute": ("raw_attribute",),
    "raw TeX": ("raw_tex", "latex_macros"),
    "a metadata block": ("yaml_metadata_block", "pandoc_title_block"),
}
"""What pages may not contain, and the extensions of pandoc's Markdown that would read it."""

STRICT = PERMISSIVE + "".join(
    f"-{extension}" for group in RAW_EXTENSIONS.values() for extension in group
)
"""The same Markdown with every construct off through which text could become markup."""

TIMEOUT_SECONDS = 120


@dataclass(frozen=True)
class Pandoc:
    """A pandoc executable and its version."""

    path: Path
    version: str


def find_pandoc() -> Pandoc:
    """Return the pandoc that pypandoc brings along; ReportError when there is none."""
    try:
        path = Path(pypandoc.get_pandoc_path())
    except OSError as error:
        raise ReportError(
            "pandoc was not found; install the package pypandoc-binary, which contains it"
        ) from error
    first_line = run(path, ["--version"], "").splitlines()[0]
    return Pandoc(path, first_line.split()[-1])


def run(path: Path, arguments: list[str], text: str) -> str:
    """Run pandoc on a text and return what it prints; ReportError with its message if it fails."""
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": os.devnull}
    try:
        done = subprocess.run(
            [str(path), *arguments],
            input=text.encode(),
            capture_output=True,
            env=environment,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ReportError(f"pandoc could not be run: {error}") from None
    if done.returncode != 0:
        raise ReportError(f"pandoc failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode()


def read_tree(pandoc: Pandoc, text: str, reader: str) -> str:
    """Return the JSON that pandoc makes of a Markdown text with the given reader."""
    return run(pandoc.path, ["--sandbox", "-f", reader, "-t", "json"], text)


def as_document(tree: str) -> Document:
    """Return the body of a document that pandoc wrote as JSON."""
    content = json.loads(tree)
    return Document(tuple(content["pandoc-api-version"]), content["blocks"])


def raw_constructs(pandoc: Pandoc, text: str) -> tuple[str, ...]:
    """Name the raw constructs in a text: those whose extensions change what pandoc reads."""
    strict = read_tree(pandoc, text, STRICT)
    if _reads_as(pandoc, text, PERMISSIVE, strict):
        return ()
    found = tuple(
        name
        for name, extensions in RAW_EXTENSIONS.items()
        if not _reads_as(pandoc, text, "+".join([STRICT, *extensions]), strict)
    )
    return found or ("raw markup",)


def _reads_as(pandoc: Pandoc, text: str, reader: str, expected: str) -> bool:
    try:
        return read_tree(pandoc, text, reader) == expected
    except ReportError:
        return False


def citation_keys(pandoc: Pandoc, bibliography: Path) -> frozenset[str]:
    """Return the keys of a BibLaTeX file."""
    arguments = ["--sandbox", "-f", "biblatex", "-t", "csljson", str(bibliography)]
    try:
        entries = json.loads(run(pandoc.path, arguments, ""))
    except ReportError as error:
        raise ReportError(f"{bibliography.name}: {error}") from None
    return frozenset(entry["id"] for entry in entries)


def formulas_without_mathml(pandoc: Pandoc, blocks: list[Node], version: tuple[int, ...]) -> str:
    """Return pandoc's complaint about the first formula that has no MathML form, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.json"
        text = json.dumps({"pandoc-api-version": version, "meta": {}, "blocks": blocks})
        run(pandoc.path, ["-f", "json", "-t", "html5", "--mathml", f"--log={log}"], text)
        messages = json.loads(log.read_text(encoding="utf-8"))
    failed = [entry["contents"] for entry in messages if entry["type"] == "CouldNotConvertTeXMath"]
    return str(failed[0]) if failed else ""


def write_html(
    pandoc: Pandoc,
    document: Document,
    metadata: dict[str, Any],
    template: str,
    *,
    bibliography: Path,
    toc_depth: int,
) -> str:
    """Return the document as HTML in a template; ReportError when pandoc warns of anything."""
    tree = {
        "pandoc-api-version": document.api_version,
        "meta": metadata,
        "blocks": document.blocks,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.html"
        path.write_text(template, encoding="utf-8")
        arguments = [
            *("-f", "json", "-t", "html5", "--sandbox", "--fail-if-warnings", "--mathml"),
            *("--wrap=preserve", "--syntax-highlighting=none", "--standalone"),
            *("--toc", f"--toc-depth={toc_depth}", f"--template={path}"),
            *("--citeproc", f"--bibliography={bibliography}"),
        ]
        return run(pandoc.path, arguments, json.dumps(tree))
