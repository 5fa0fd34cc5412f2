"""Results of a small study whose names no module knows and whose text is hostile to Markdown."""

from math import nan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.report.personas import everything, persona_results, refused

from isogloss.analysis.exclusions import ExclusionRow, ValidationRow
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import table
from isogloss.analysis.tables import analysis_tables
from isogloss.guises.definition import load_guises
from isogloss.inventory.records import GeneratedRow, SetRow
from isogloss.mixed.model import MixedModel
from isogloss.mixed.tables import mixed_tables
from isogloss.report.results import Results
from isogloss.report.stimuli_tables import StimuliResults
from isogloss.report.weat_tables import WeatResults
from isogloss.review.summary import Outcome
from isogloss.score.responses import Response
from isogloss.studies.base import Contrast
from isogloss.validate.calibration import CHECK_MEASURES, ERROR_COLUMNS, VERDICT_MEASURES
from isogloss.weat.records import WEAT_TABLES

HOSTILE = "m|1_*<b>`$x$[y](z)@c"
REASON = "lost: `5` | added \\ {{< var x >}}"

CELL: dict[str, Any] = {"study": "colours", "item_set": "set", "mode": "direct"}
MIXED = [
    MixedModel(
        name="straight",
        family="gaussian",
        value="expected",
        several="rating ~ guise * model + (1 | item)",
        single="rating ~ guise + (1 | item)",
    ),
    MixedModel(
        name="steps",
        family="ordinal",
        value="modal",
        several="rating ~ guise * model + (1 | item)",
        single="rating ~ guise + (1 | item)",
    ),
]
GAPS = {"plain": (-1.0, -0.9, -1.2, -0.8), "helped": (-0.5, -0.4, -0.7, -0.5)}


def ratings(model: str, condition: str, gaps: tuple[float, ...]) -> list[Response]:
    rows = [
        Response(
            **CELL,
            model=model,
            condition=condition,
            item_id=f"i{item}",
            guise=guise,
            task="rating",
            outcome="ok",
            category="A" if item < 3 else "B & co",
            valid_pair=item != 4,
            answer_mass=0.9,
            expected=3.0 + (gap if guise == "red" else 0.0),
            modal="3",
        )
        for item, gap in enumerate(gaps, start=1)
        for guise in ("red", "blue")
    ]
    lost = Response(
        **CELL,
        model=model,
        condition=condition,
        item_id="i9",
        guise="red",
        task="rating",
        outcome="refusal",
        category="A",
    )
    partner = Response(
        **{**vars(lost), "guise": "blue", "outcome": "ok", "expected": 3.0, "modal": "3"}
    )
    return [*rows, lost, partner]


def decisions(model: str) -> list[Response]:
    return [
        Response(
            **CELL,
            model=model,
            condition="plain",
            item_id=f"interview-{number}",
            interview=number,
            guise=guise,
            task="decision",
            outcome="ok",
            modal=decision,
        )
        for guise, given in (("red", ["no", "no", "no"]), ("blue", ["no", "yes", "yes"]))
        for number, decision in enumerate(given, start=1)
    ]


@pytest.fixture(scope="session")
def plan() -> AnalysisPlan:
    return AnalysisPlan(
        contrasts=(Contrast("red - blue", "red", "blue"),),
        conditions=("plain", "helped"),
        baseline="plain",
        smallest_effect=0.25,
        seed=7,
        decisions=("no", "maybe", "yes"),
        draws=200,
    )


@pytest.fixture(scope="session")
def checks() -> pd.DataFrame:
    rows = [("i1", 0.0, True, ""), ("i4", 1.0, False, REASON)]
    frame = pd.DataFrame(rows, columns=["item_id", "value", "passed", "reason"])
    return frame.assign(
        contrast="red - blue", check="numbers", threshold="= 0", repaired=False, item_set="set"
    )


@pytest.fixture(scope="session")
def verdicts(checks: pd.DataFrame) -> pd.DataFrame:
    frame = checks[["item_id", "contrast", "reason", "item_set"]]
    return frame.assign(valid=checks["passed"])


@pytest.fixture(scope="session")
def results(plan: AnalysisPlan, checks: pd.DataFrame, verdicts: pd.DataFrame) -> Results:
    """Two models, the first with a hostile name."""
    rows = [
        vars(row)
        for model in (HOSTILE, "m2")
        for part in (
            *(ratings(model, condition, gaps) for condition, gaps in GAPS.items()),
            decisions(model),
        )
        for row in part
    ]
    frame = pd.DataFrame(rows).astype({"interview": "Int64"})
    tables = {
        **analysis_tables(frame, checks, verdicts, plan),
        **mixed_tables(frame, plan, MIXED),
    }
    return Results("colours", plan, _read_back(tables))


@pytest.fixture(scope="session")
def nothing(plan: AnalysisPlan, checks: pd.DataFrame, verdicts: pd.DataFrame) -> Results:
    """A study without any response or item."""
    columns = list(Response.__dataclass_fields__)
    empty = pd.DataFrame(columns=columns).astype({"interview": "Int64", "expected": "float64"})
    tables = {
        **analysis_tables(empty, checks.iloc[:0], verdicts.iloc[:0], plan),
        **mixed_tables(empty, plan, MIXED),
    }
    return Results("colours", plan, _read_back(tables))


@pytest.fixture(scope="session")
def candidates(checks: pd.DataFrame, verdicts: pd.DataFrame) -> Results:
    """A study with personas, and two models, the first with a hostile name."""
    return persona_results(everything((HOSTILE, "m2")), checks, verdicts)


@pytest.fixture(scope="session")
def one_model(checks: pd.DataFrame, verdicts: pd.DataFrame) -> Results:
    """The study with personas and one model."""
    return persona_results(everything(("m2",)), checks, verdicts)


@pytest.fixture(scope="session")
def one_refused(checks: pd.DataFrame, verdicts: pd.DataFrame) -> Results:
    """The study with one model, which says nothing of one persona."""
    return persona_results(refused(everything(("m2",)), "tall"), checks, verdicts)


@pytest.fixture(scope="session")
def nobody(checks: pd.DataFrame, verdicts: pd.DataFrame) -> Results:
    """A study with personas, and without any response or item."""
    return persona_results([], checks.iloc[:0], verdicts.iloc[:0])


def _read_back(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Text as the files give it: what is absent is the empty text."""
    return {
        name: table.assign(
            **{c: table[c].fillna("") for c in table if table[c].dtype.kind not in "if"}
        )
        for name, table in tables.items()
    }


@pytest.fixture(scope="session")
def untested() -> WeatResults:
    """Association tests of which none was made."""
    return WeatResults({name: table(kind, []) for name, kind in WEAT_TABLES.items()})


@pytest.fixture(scope="session")
def stimuli(project: Path) -> StimuliResults:
    """A validated set of two pairs, one of them valid, a set out of reach, and a calibration."""
    title = f"Colours {HOSTILE}"
    return StimuliResults(
        tables={
            "sets": table(
                SetRow,
                [
                    SetRow("colours/own", title, "authored", "validated", "", 2, 1, 2, 1, ""),
                    SetRow(
                        "colours/lent",
                        title,
                        "lent",
                        "out_of_reach",
                        "it is nowhere",
                        0,
                        1,
                        0,
                        0,
                        "Loud.",
                    ),
                ],
            ),
            "validation_summary": table(
                ValidationRow,
                [
                    ValidationRow("colours/own", "a - b", "verdict", "", 2, 1, 0, 0, 0, 0, nan),
                    ValidationRow("colours/own", "a - b", "numbers", "= 0", 2, 1, 0, 0, 1, 0, 0.5),
                ],
            ),
            "exclusions": table(
                ExclusionRow, [ExclusionRow("colours/own", "item-x", "a - b", "numbers", REASON)]
            ),
            "generated": table(
                GeneratedRow,
                [
                    GeneratedRow(
                        "by-rules",
                        "colours/own",
                        "hedged",
                        "rule:hedges@1",
                        2,
                        2,
                        2,
                        0,
                        0,
                        0,
                        1,
                        1,
                        0.5,
                        0.09,
                        0.91,
                        0,
                    ),
                    GeneratedRow(
                        "by-m",
                        "colours/own",
                        "hedged",
                        HOSTILE,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        nan,
                        nan,
                        nan,
                        1,
                    ),
                ],
            ),
            "reviews": table(Outcome, [Outcome("colours/own", "a - b", 2, 1, 0, 0, 0, 1, 0, 0, 1)]),
        },
        performance=_shares(
            CHECK_MEASURES,
            [
                {
                    "check": "numbers",
                    "split": split,
                    "pairs": 8,
                    "failed_meant": 3,
                    "failed_related": 0,
                    "failed_other": 0,
                    "failed_good": 0,
                    "missed": 1,
                    "passed": 4,
                    "not_judged": 0,
                    "recall": 0.75,
                    "precision": 1.0,
                }
                for split in ("all", "held_out")
            ],
        ),
        verdicts=_shares(
            VERDICT_MEASURES,
            [
                {
                    "part": "all",
                    "level": "all",
                    "good": 5,
                    "bad": 4,
                    "failed_good": 0,
                    "failed_bad": 3,
                    "failed_as_meant": 3,
                    "recall": 0.75,
                }
            ],
        ),
        misses=pd.DataFrame(
            [["p1", "hedged", "held_out", "bad", "claim_lost", "missed", "", REASON]],
            columns=ERROR_COLUMNS,
        ),
        guises=load_guises(project / "data" / "guises"),
    )


def _shares(columns: list[str], rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows of shares; a share that is not given has no value, and a reason."""
    full = []
    for row in rows:
        empty = {name: "nothing to count" if name.endswith("_reason") else nan for name in columns}
        full.append({**empty, **row})
    return pd.DataFrame(full, columns=columns)
