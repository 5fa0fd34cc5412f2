"""The whole chain: runs the checks one after another and sums up what they found."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from isogloss import __version__
from isogloss.errors import IsoglossError
from isogloss.record.checks.artifacts import ArtifactsCheck
from isogloss.record.checks.base import Check, Outcome, Status
from isogloss.record.checks.commit import CommitCheck
from isogloss.record.checks.models import ModelsCheck
from isogloss.record.checks.report import ReportCheck
from isogloss.record.checks.sources import SourcesCheck
from isogloss.record.checks.versions import VersionsCheck
from isogloss.record.checks.workflow import WorkflowCheck
from isogloss.record.findings import Finding, counted, finding_line

FORMAT = "isogloss-verify/1"
"""Name of the JSON form; another form gets another number."""

_EXIT_CODES: dict[Status, int] = {"verified": 0, "differs": 1, "not_checked": 2}


@dataclass(frozen=True)
class Checked:
    """A check and what came of it."""

    name: str
    outcome: Outcome


@dataclass(frozen=True)
class Chain:
    """What came of all checks."""

    checked: tuple[Checked, ...]
    """The checks that were made, in their order."""
    left_out: tuple[str, ...] = ()
    """Names of the checks that were not asked for."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that is not as it should be."""
        return tuple(finding for one in self.checked for finding in one.outcome.findings)

    @property
    def status(self) -> Status:
        """`verified` when every check is; a finding outweighs what could not be checked."""
        statuses = {one.outcome.status for one in self.checked}
        if "differs" in statuses:
            return "differs"
        return "verified" if statuses == {"verified"} else "not_checked"

    @property
    def exit_code(self) -> int:
        """0 verified, 1 something differs, 2 something could not be checked."""
        return _EXIT_CODES[self.status]

    def names(self, status: Status) -> list[str]:
        """Names of the checks with a status."""
        return [one.name for one in self.checked if one.outcome.status == status]


def default_checks(
    *,
    options: Sequence[str] = (),
    config: Path = Path("config/config.yaml"),
    commit_demanded: bool = False,
) -> tuple[Check, ...]:
    """Every check there is, in the order of the chain.

    `options` as for `workflow_jobs`; `config` is the configuration of the run;
    `commit_demanded` as in `CommitCheck`.
    """
    return (
        ArtifactsCheck(),
        CommitCheck(commit_demanded),
        SourcesCheck(),
        ModelsCheck(config),
        VersionsCheck(),
        WorkflowCheck(config, options),
        ReportCheck(config),
    )


def verify_chain(project: Path, checks: Sequence[Check], left_out: Iterable[str] = ()) -> Chain:
    """Run checks on the project in a folder.

    A check that fails leaves the others alone: it could not be made, for the reason it gave.
    """
    without = tuple(left_out)
    chosen = (check for check in checks if check.name not in without)
    return Chain(tuple(Checked(check.name, _run(check, project)) for check in chosen), without)


def _run(check: Check, project: Path) -> Outcome:
    try:
        return check.run(project)
    except (IsoglossError, OSError, UnicodeError) as error:
        return Outcome("nothing was checked", not_checked=(str(error),))


def render(chain: Chain) -> str:
    """A line per finding and per thing not checked, a line per check, and a line that sums up."""
    findings = [finding_line(finding) for finding in chain.findings]
    reasons = [
        f"not checked: {one.name}: {reason}"
        for one in chain.checked
        for reason in one.outcome.not_checked
    ]
    return "\n".join((*findings, *reasons, *map(_line, chain.checked), _sum(chain)))


def _line(one: Checked) -> str:
    said = {"verified": "verified", "differs": "differs", "not_checked": "not checked"}
    return f"{one.name}: {said[one.outcome.status]}: {one.outcome.summary}"


def _sum(chain: Chain) -> str:
    unknown = [one.name for one in chain.checked if one.outcome.not_checked]
    parts = {
        "not verified": counted(chain.findings),
        "could not be checked": ", ".join(unknown),
        "verified": ", ".join(chain.names("verified")),
        "left out": ", ".join(chain.left_out),
    }
    return "; ".join(f"{word}: {text}" for word, text in parts.items() if text)


def to_json(chain: Chain) -> str:
    """The outcome as JSON in the form of verify.schema.json."""
    document = {
        "format": FORMAT,
        "version": __version__,
        "status": chain.status,
        "exit_code": chain.exit_code,
        "checks": [_check(one) for one in chain.checked],
        "left_out": list(chain.left_out),
        "findings": [
            {"check": one.name, **asdict(finding)}
            for one in chain.checked
            for finding in one.outcome.findings
        ],
    }
    return json.dumps(document, indent=2)


def _check(one: Checked) -> dict[str, object]:
    outcome = one.outcome
    return {
        "name": one.name,
        "status": outcome.status,
        "summary": outcome.summary,
        "covered": outcome.covered,
        "findings": len(outcome.findings),
        "not_checked": list(outcome.not_checked),
    }
