"""Every table that a run writes is described in `docs/tables.md`, column by column."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from tests import test_docs as docs
from tests.workflow.conftest import Run

from isogloss.studies.registry import STUDIES

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

ITEMS = "Items: `data/items/<study>/<item set>/`"
RESPONSES = "Responses: `data/responses/<study>/<item set>/<model>.parquet`"
PERSONAS = {"paired": "without personas", "personas": "with personas"}


def test_every_column_of_every_table_is_described(finished: tuple[Run, str]) -> None:
    folder = finished[0].folder
    different = {
        str(path): set(columns_of(folder / path)) ^ described(path)
        for path in tables_of_run(folder)
        if set(columns_of(folder / path)) != described(path)
    }
    assert different == {}


def tables_of_run(folder: Path) -> list[PurePosixPath]:
    """Return the tables that the record names and that are no fetched source."""
    lock = yaml.safe_load((folder / "dvc.lock").read_text(encoding="utf-8"))
    recorded = {out["path"] for stage in lock["stages"].values() for out in stage["outs"]}
    paths = [PurePosixPath(path) for path in sorted(recorded)]
    found = [
        path
        for path in paths
        if path.suffix in (".csv", ".parquet") and path.parts[:2] != ("data", "raw")
    ]
    assert len(found) > 50
    return found


def columns_of(path: Path) -> list[str]:
    if path.suffix == ".parquet":
        return list(pq.read_schema(path).names)
    return list(pd.read_csv(path, nrows=0).columns)


def described(path: PurePosixPath) -> set[str]:
    """Return the columns that the page gives a table, found by where the table lies."""
    kind = path.parts[1]
    if kind == "results":
        return _of_results(path)
    finders: dict[str, Callable[[PurePosixPath], set[str]]] = {
        "responses": lambda _: _names(docs.tables(docs.section("tables.md", RESPONSES))[0]),
        "items": _of_items,
        "generated": _of_generated,
    }
    return finders[kind](path)


def _of_items(path: PurePosixPath) -> set[str]:
    items, sets, repairs, checks, verdicts, _ = docs.tables(docs.section("tables.md", ITEMS))
    if path.stem != "items":
        return _names({"repairs": repairs, "checks": checks, "verdicts": verdicts}[path.stem])
    name = "/".join(path.parts[2:4])
    (row,) = (row for row in sets if docs.names(row["item set"]) == [name])
    return {*_names(items), *docs.names(row["columns beside `item_id`"])}


def _of_generated(path: PurePosixPath) -> set[str]:
    text = docs.section("generate.md", "The tables")
    candidates, chosen = text.split("`chosen.csv`, a row")
    if path.stem == "candidates":
        (rows,) = docs.tables(candidates)
        return {name for row in rows for name in docs.names(row["column"])}
    return set(docs.names(chosen.split("Neither table")[0]))


def _of_results(path: PurePosixPath) -> set[str]:
    place = path.parts[2]
    if place == "calibration":
        if path.stem == "checks":
            return _of_items(PurePosixPath("data/items/x/y/checks.csv"))
        text = docs.section("tables.md", "Calibration: `data/results/calibration/`")
        order = ("performance", "verdicts", "misses")
        return _names(docs.tables(text)[order.index(path.stem)])
    chapter = {
        "stimuli": "Stimuli: `data/results/stimuli/`",
        "weat": "Association tests: `data/results/weat/`",
    }.get(place)
    chapter = chapter or f"Results of a study {PERSONAS[STUDIES[place].design]}"
    sections = {**docs.table_sections(docs.EVERY_STUDY), **docs.table_sections(chapter)}
    return set(docs.described_columns(sections[path.stem]))


def _names(rows: list[docs.Row]) -> set[str]:
    return {name for row in rows for name in docs.names(row["column"])}
