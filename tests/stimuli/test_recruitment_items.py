"""The postings: how many, and that both wordings of a job state the same figures."""

import csv
import re
from pathlib import Path

import pytest

PAIRS = {"gender": ("agentic", "communal"), "exclusion": ("inclusive", "coded_exclusion")}
Rows = list[dict[str, str]]


@pytest.fixture(params=PAIRS)
def postings(request: pytest.FixtureRequest, project: Path) -> tuple[Rows, tuple[str, str]]:
    path = project / "data" / "stimuli" / "recruitment" / f"{request.param}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)), PAIRS[request.param]


def test_there_are_twenty_jobs_each_once(postings: tuple[Rows, tuple[str, str]]) -> None:
    rows, wordings = postings
    assert len({row["item_id"] for row in rows}) == len(rows) == 20
    texts = [row[wording] for row in rows for wording in wordings]
    assert len(set(texts)) == 40


def test_both_wordings_state_the_same_figures(postings: tuple[Rows, tuple[str, str]]) -> None:
    rows, (first, second) = postings
    for row in rows:
        figures = [sorted(re.findall(r"\d[\d.,:]*", row[name])) for name in (first, second)]
        assert figures[0] == figures[1], row["item_id"]
        assert figures[0], row["item_id"]
