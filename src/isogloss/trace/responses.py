"""Responses that a row of a result table is about."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pandas as pd

from isogloss.analysis.files import PLAN
from isogloss.analysis.personas.records import ALL_MODELS
from isogloss.analysis.plan import AnalysisPlan, PersonaDesign, read_plan
from isogloss.errors import ReportError
from isogloss.score.responses import read_responses

FOLDER = "data/responses"

_SAME = ("study", "item_set", "condition", "mode", "task")
"""Columns of result tables that responses have under the same name."""

_RATINGS = frozenset({"effects", "means", "distributions", "mitigation"})
"""Tables of paired designs that are made of ratings of single answers."""

_DECISIONS = frozenset({"decisions", "decision_tests"})


@dataclass(frozen=True)
class Asked:
    """One response."""

    item_id: str
    guise: str
    persona: str
    outcome: str
    prompt_sha256: str


@dataclass(frozen=True)
class ResponseRows:
    """Rows of a response table that have what a row of a result table names."""

    file: str
    total: int
    """Rows of the file."""
    rows: int
    guises: Mapping[str, int]
    """How many of the rows there are of each guise."""
    outcomes: Mapping[str, int]
    asked: tuple[Asked, ...]


def is_responses(file: str) -> bool:
    """Say whether a file is a response table."""
    return PurePosixPath(file).is_relative_to(FOLDER)


def responses_behind(
    table: str, row: Mapping[str, str], files: Iterable[str], project: Path
) -> tuple[ResponseRows, ...]:
    """Return the responses with the model, item set, persona and so on of a row of a table.

    `table` is the file of the result table, relative to the project's folder; `files` are what the
    stage that wrote it read. Files that hold none of the rows are left out.
    """
    plan = _plan(project / table)
    parquets = [file for file in files if is_responses(file) and (project / file).is_file()]
    found = (_of_file(file, table, row, plan, project) for file in parquets)
    return tuple(one for one in found if one.rows)


def _of_file(
    file: str, table: str, row: Mapping[str, str], plan: AnalysisPlan | None, project: Path
) -> ResponseRows:
    frame = read_responses(project / file)
    chosen = frame
    for column, values in _wanted(PurePosixPath(table).stem, row, plan).items():
        chosen = chosen.loc[chosen[column].astype(str).isin(values)]
    return ResponseRows(
        file,
        len(frame),
        len(chosen),
        dict(Counter(chosen["guise"])),
        dict(Counter(chosen["outcome"])),
        tuple(_asked(chosen)),
    )


def _wanted(
    table: str, row: Mapping[str, str], plan: AnalysisPlan | None
) -> dict[str, frozenset[str]]:
    """Values that the columns of responses must have."""
    wanted = {name: frozenset({row[name]}) for name in _SAME if row.get(name)}
    if row.get("role"):
        wanted["task"] = frozenset({row["role"]})
    if row.get("model") and row["model"] != ALL_MODELS:
        wanted["model"] = frozenset({row["model"]})
    if personas := _personas(row, plan):
        wanted["persona"] = personas
    if guises := _guises(row, plan):
        wanted["guise"] = guises
    if row.get("subgroup"):
        wanted["category"] = frozenset({row["subgroup"]})
    if row.get("subset") == "validated":
        wanted["valid_pair"] = frozenset({"True"})
    if plan is not None:
        wanted |= _by_plan(table, row, plan)
    return wanted


def _personas(row: Mapping[str, str], plan: AnalysisPlan | None) -> frozenset[str]:
    """Personas that a row names, or else those of the family that it names."""
    if row.get("persona"):
        return frozenset({row.get(name, "") for name in _persona_columns(row)} - {""})
    design = None if plan is None else plan.personas
    return frozenset() if design is None else frozenset(_of_family(row, design))


def _persona_columns(row: Mapping[str, str]) -> tuple[str, ...]:
    """Columns that hold personas; a reference is a persona where wordings are not compared."""
    compared = row.get("comparison", "language" if row.get("contrast") else "persona")
    between = ("reference",) if compared == "persona" else ()
    return ("persona", "reference_persona", *between, *_baseline(row))


def _baseline(row: Mapping[str, str]) -> tuple[str, ...]:
    return ("baseline",) if row.get("baseline_kind") else ()


def _of_family(row: Mapping[str, str], design: PersonaDesign) -> Iterator[str]:
    """Personas of a family, of one of its groups, or those that a mixed model is fitted to."""
    name = row.get("persona_family")
    for family in design.families:
        if family.name == name:
            yield from family.personas
    for crossed in design.crossed:
        if crossed.name == name:
            yield from (p for outer, _, p in crossed.cells if row.get("outer", outer) == outer)
    if name and row.get("fit"):
        yield design.unspecified


def _guises(row: Mapping[str, str], plan: AnalysisPlan | None) -> frozenset[str]:
    contrasts = () if plan is None else plan.contrasts
    named = [one for one in contrasts if one.name == row.get("contrast")]
    if named:
        return frozenset({named[0].guise, named[0].reference})
    return frozenset({row["guise"]}) if row.get("guise") else frozenset()


def _by_plan(table: str, row: Mapping[str, str], plan: AnalysisPlan) -> dict[str, frozenset[str]]:
    """Task and conditions that a table takes from the plan and does not name in its rows."""
    found: dict[str, frozenset[str]] = {}
    if plan.personas is None and table in _RATINGS:
        found["task"] = frozenset({plan.rating_task})
    if table == "paper_test" or (table in _DECISIONS and row.get("source") == "rule"):
        found["task"] = frozenset({plan.interview_task})
    elif table in _DECISIONS:
        found["task"] = frozenset({plan.decision_task})
    if table == "mitigation":
        found["condition"] = frozenset({row["condition"], plan.baseline})
    return found


def _asked(frame: pd.DataFrame) -> Iterable[Asked]:
    columns = ["item_id", "guise", "persona", "outcome", "prompt_sha256"]
    for values in frame[columns].fillna("").itertuples(index=False, name=None):
        yield Asked(*map(str, values))


def _plan(table: Path) -> AnalysisPlan | None:
    """Plan beside a result table."""
    try:
        return read_plan(table.parent / PLAN)
    except ReportError:
        return None
