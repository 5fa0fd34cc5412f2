"""What the checks of a site found, as lines and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from isogloss import __version__

FORMAT = "isogloss-publish-check/1"
"""Name of the JSON form; another form gets another number."""

Status = Literal["passed", "found", "not_checked", "left_out"]
"""What came of a check; `not_checked` is never taken for `passed`."""

_SAID: dict[Status, str] = {
    "passed": "passed",
    "found": "FOUND",
    "not_checked": "not checked",
    "left_out": "left out",
}


@dataclass(frozen=True)
class Finding:
    """One thing that should not be published as it is."""

    file: str
    """File of the site, relative to its folder; empty where it is about no single one."""
    line: int | None
    """Line of the file, where known."""
    text: str
    """What is wrong, and what to do where that is not plain."""

    @property
    def place(self) -> str:
        """File and line as they are printed."""
        return ":".join(str(part) for part in (self.file, self.line) if part)


@dataclass(frozen=True)
class Checked:
    """What came of one check."""

    name: str
    status: Status
    summary: str
    """What was looked at, in a line; of a check that was not made, why."""
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """What is allowed and worth knowing, such as the hosts that links lead to."""


@dataclass(frozen=True)
class Publication:
    """What came of all checks of a site."""

    site: str
    """The site's folder as it was given."""
    checked: tuple[Checked, ...]

    @property
    def status(self) -> Literal["passed", "found", "not_checked"]:
        """A finding outweighs what could not be checked, and that outweighs what passed."""
        given = {one.status for one in self.checked}
        if "found" in given:
            return "found"
        return "passed" if "passed" in given and "not_checked" not in given else "not_checked"

    @property
    def exit_code(self) -> int:
        """0 nothing found, 1 something found, 2 something could not be checked."""
        return {"passed": 0, "found": 1, "not_checked": 2}[self.status]


def made(
    name: str, summary: str, findings: Sequence[Finding], notes: Sequence[str] = ()
) -> Checked:
    """Return the outcome of a check that was made: `found` when there is any finding."""
    status: Status = "found" if findings else "passed"
    return Checked(name, status, summary, tuple(findings), tuple(notes))


def render(publication: Publication) -> str:
    """A line for each check, followed by its findings and notes, and a line that sums up."""
    width = max(len(one.name) for one in publication.checked)
    lines = [line for one in publication.checked for line in _lines(one, width)]
    return "\n".join((*lines, _sum(publication)))


def _lines(one: Checked, width: int) -> list[str]:
    head = f"{one.name:{width}}  {_SAID[one.status]:11}  {one.summary}"
    found = [f"  {finding.place or 'site'}: {finding.text}" for finding in one.findings]
    return [head.rstrip(), *found, *(f"  ({note})" for note in one.notes)]


def _sum(publication: Publication) -> str:
    findings = sum(len(one.findings) for one in publication.checked)
    unknown = [one.name for one in publication.checked if one.status == "not_checked"]
    without = [one.name for one in publication.checked if one.status == "left_out"]
    first = {
        "passed": "nothing found that speaks against publishing",
        "found": f"do not publish: {findings} findings",
        "not_checked": "not fully checked",
    }[publication.status]
    parts = [
        first,
        f"not checked: {', '.join(unknown)}" if unknown else "",
        f"left out: {', '.join(without)}" if without else "",
    ]
    return f"{publication.site}: {'; '.join(part for part in parts if part)}"


def to_json(publication: Publication) -> str:
    """The outcome as JSON in the form of publish-check.schema.json."""
    document = {
        "format": FORMAT,
        "version": __version__,
        "site": publication.site,
        "status": publication.status,
        "exit_code": publication.exit_code,
        "checks": [asdict(one) for one in publication.checked],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
