"""Check `report`: every number, table and figure of the pages against what they were made from."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from isogloss.project import open_project
from isogloss.record.checks.base import Outcome
from isogloss.record.findings import Finding
from isogloss.record.lock import read_lock
from isogloss.report.check.declared import FILE
from isogloss.report.check.report import PageCheck, ReportDifferences, check_report, line_name
from isogloss.report.inputs import part_inputs
from isogloss.report.parts import VARIABLES

REPORTS, SITE = "reports", "reports/_site"

MOST = 40
"""Findings of one page that are named; a page that was made of something else has hundreds."""


@dataclass(frozen=True)
class ReportCheck:
    """Parts against result tables, pages against parts, numbers in sentences against a list.

    Parts are made again in memory, and pages are parsed; nothing of them is executed.
    """

    config: Path = Path("config/config.yaml")
    """Configuration of the run."""
    name: Literal["report"] = "report"

    def run(self, project: Path) -> Outcome:
        """Read the result tables and the pages and compare the two.

        A project whose record has no values for pages has no report.
        """
        recorded = {out.path for out in read_lock(project / "dvc.lock").artifacts}
        if f"{REPORTS}/{VARIABLES}" not in recorded:
            return Outcome("no report is recorded")
        opened = open_project(self.config, project)
        if not (project / SITE).is_dir():
            reason = f"{SITE} is not here: `isogloss restore` or a run brings it"
            return Outcome("no page was compared", not_checked=(reason,))
        found = check_report(part_inputs(opened), project / REPORTS, project / SITE)
        numbers = sum(page.numbers for page in found.pages)
        return Outcome(
            summary=f"{numbers} numbers, cells and figures on {len(found.pages)} pages",
            covered=numbers,
            findings=tuple(_findings(found)),
        )


def _findings(found: ReportDifferences) -> Iterator[Finding]:
    for part in found.parts:
        note = f"line {part.line}: not what the result tables give" if part.line else "not there"
        path = f"{REPORTS}/{part.name}"
        yield Finding("part", path, note=note, recorded=part.expected, found=part.found)
    for name in found.missing:
        yield Finding("page", f"{SITE}/{name}", note="not there: render the report again")
    for name in found.strangers:
        yield Finding("page", f"{SITE}/{name}", note="belongs to no page of the report")
    for page in found.pages:
        yield from _of_page(page)
    for name, one in found.unused:
        note = f"{name}: no page has the words {one.text!r}: take the entry out"
        yield Finding("prose", f"{REPORTS}/{FILE}", note=note)


def _of_page(page: PageCheck) -> Iterator[Finding]:
    path = f"{SITE}/{page.name}.html"
    for one in islice(page.differences, MOST):
        yield Finding("page", path, note=one.place, recorded=one.expected, found=one.found)
    if len(page.differences) > MOST:
        yield Finding("page", path, note=f"and {len(page.differences) - MOST} more differences")
    for number in page.undeclared:
        place = f"{REPORTS}/{line_name(number.line, page.name)}"
        note = f"a number that nothing backs: {number.context!r}; cite it or list it in {FILE}"
        yield Finding("prose", place, note=note, found=number.text)
