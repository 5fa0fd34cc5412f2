"""The page on drafting names every column, option and outcome."""

import re
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from isogloss.generate_cli import generate
from isogloss.stimuli.draft.records import DRAFT_OUTCOMES
from isogloss.stimuli.draft.table import CANDIDATE_COLUMNS, CHOSEN_COLUMNS


@pytest.fixture
def page(project: Path) -> str:
    return (project / "docs" / "generate.md").read_text(encoding="utf-8")


def _section(page: str, start: str, end: str) -> str:
    return page[page.index(start) : page.index(end)]


def test_the_tables_columns(page: str) -> None:
    candidates = _section(page, "`candidates.csv`, a row", "`chosen.csv`, a row")
    cells = re.findall(r"^\| (`[^|]+) \|", candidates, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(CANDIDATE_COLUMNS)
    chosen = _section(page, "`chosen.csv`, a row", "Neither table")
    assert set(re.findall(r"`(\w+)`", chosen)) == set(CHOSEN_COLUMNS)


def test_the_options(page: str) -> None:
    app = typer.Typer()
    app.command()(generate)
    options = {name for p in get_command(app).params for name in p.opts if name.startswith("--")}
    left_out = {"--config", "--install-completion", "--show-completion"}
    table = _section(page, "| option |", "A mistake ends")
    assert set(re.findall(r"--[a-z][\w-]*", table)) == options - left_out


def test_outcomes(page: str) -> None:
    assert re.findall(r"^\| `(ok|refusal|malformed|error)` \|", page, re.MULTILINE) == list(
        DRAFT_OUTCOMES
    )
