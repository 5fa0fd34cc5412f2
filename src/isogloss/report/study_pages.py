"""Which pages are about a study, and which of them the report has."""

from collections.abc import Collection, Sequence
from pathlib import Path

from isogloss.report.markdown import escape
from isogloss.report.render.source import read_lines, split_header
from isogloss.studies.registry import STUDIES


def absent_pages(configured: Collection[str]) -> frozenset[str]:
    """Return the names, without suffix, of the pages of known studies that are not configured."""
    return frozenset(STUDIES) - frozenset(configured)


def pages_list(project: Path, studies: Sequence[str]) -> str:
    """Return a list of links to the pages of studies, with what each page says it is about.

    A study without a page is left out.
    """
    entries = [_entry(project, study) for study in studies if (project / f"{study}.qmd").is_file()]
    return "\n".join(entries) + "\n" if entries else "*No study has a page.*\n"


def _entry(project: Path, study: str) -> str:
    header, _ = split_header(read_lines(project, f"{study}.qmd"))
    return f"- [{escape(header.title)}]({study}.qmd). {escape(header.description)}"
