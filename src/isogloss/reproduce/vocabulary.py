"""Every table and column that a rule of the tolerances may be about."""

from collections.abc import Iterable, Iterator
from dataclasses import fields

from isogloss.analysis.designs import tables_of
from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import columns_of
from isogloss.inventory.records import INVENTORY_TABLES
from isogloss.mixed.records import MIXED_TABLES
from isogloss.models.identity import ModelIdentity
from isogloss.models.served import ServedIdentity
from isogloss.score.responses import SCHEMA
from isogloss.studies.registry import STUDIES
from isogloss.validate.calibration import CHECK_MEASURES, ERROR_COLUMNS, VERDICT_MEASURES
from isogloss.validate.table import CHECK_COLUMNS, VERDICT_COLUMNS
from isogloss.weat.records import WEAT_TABLES

_ANY = "*"
"""Stands for a name that the user gives."""

Column = tuple[str, str]


def known_columns() -> Iterator[Column]:
    """Yield table and column of everything that the stages write, for every study there is."""
    for name, study in STUDIES.items():
        yield from _columns(f"data/responses/{name}/{_ANY}/{_ANY}.parquet", SCHEMA.names)
        folder = f"data/results/{name}"
        for table, record in {**tables_of(study.design), **MIXED_TABLES}.items():
            yield from _columns(f"{folder}/{table}.csv", columns_of(record))
        yield from _columns(f"{folder}/{PLAN}", [field.name for field in fields(AnalysisPlan)])
    for folder, tables in (("stimuli", INVENTORY_TABLES), ("weat", WEAT_TABLES)):
        for table, record in tables.items():
            yield from _columns(f"data/results/{folder}/{table}.csv", columns_of(record))
    for identity in (ModelIdentity, ServedIdentity):
        names = [field.name for field in fields(identity)]
        yield from _columns(f"data/models/{_ANY}.json", [*names, "digest"])
    yield from _validation()


def _validation() -> Iterator[Column]:
    items = f"data/items/{_ANY}/{_ANY}"
    calibration = "data/results/calibration"
    yield from _columns(f"{items}/items.csv", ["item_id"])
    yield from _columns(f"{items}/repairs.csv", ["item_id", "column", "repair"])
    for folder in (items, calibration):
        yield from _columns(f"{folder}/checks.csv", CHECK_COLUMNS)
    yield from _columns(f"{items}/verdicts.csv", VERDICT_COLUMNS)
    yield from _columns(f"{calibration}/performance.csv", CHECK_MEASURES)
    yield from _columns(f"{calibration}/verdicts.csv", VERDICT_MEASURES)
    yield from _columns(f"{calibration}/misses.csv", ERROR_COLUMNS)


def _columns(table: str, names: Iterable[str]) -> Iterator[Column]:
    return ((table, name) for name in names)
