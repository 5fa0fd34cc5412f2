"""The page on statistics names every statistic, what exists, and the source of each citation."""

import importlib
import inspect
import pkgutil
import re
from types import ModuleType

import pytest
from tests.documents import ROOT, text_of

import isogloss.stats
from isogloss.analysis.designs import tables_of
from isogloss.analysis.records import columns_of
from isogloss.mixed.records import MIXED_TABLES
from isogloss.weat.records import WEAT_TABLES

BODY, SOURCES = text_of("docs/statistics.md").split("\n## Sources\n")
NO_STATISTICS = {"arrays", "results"}
"""Modules of `isogloss.stats` that check arguments and hold results."""
COUNTING = {"counts", "group_counts", "highest_rate"}
"""Functions that read arguments for statistics."""
NAMED = sorted(set(re.findall(r"`(isogloss(?:\.\w+)+)`", BODY)) - {"isogloss.stats"})


def resolved(name: str) -> object:
    """Import a module, or a name in one."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return getattr(importlib.import_module(module), last)


def public(module: ModuleType) -> list[str]:
    """Return the functions that a module defines for others."""
    return [
        f"{module.__name__}.{name}"
        for name, one in inspect.getmembers(module, inspect.isfunction)
        if one.__module__ == module.__name__ and not name.startswith("_") and name not in COUNTING
    ]


def cited(text: str) -> set[tuple[str, str]]:
    """Return the last name before each year, with the year and its letter."""
    flat = " ".join(text.split())
    plain = re.findall(r"([A-Z][\w'-]+) \(?(1[89]\d\d[ab]?|20\d\d[ab]?)\b", flat)
    spoken = re.findall(r"([A-Z][\w-]+)'s [\w -]{0,25}\((1[89]\d\d[ab]?|20\d\d[ab]?)\)", flat)
    others = re.findall(r"([A-Z][\w-]+) and others (\d{4})", flat)
    return {(name.removesuffix("'s"), year) for name, year in (*plain, *spoken, *others)}


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_exists(name: str) -> None:
    assert resolved(name) is not None


def test_every_statistic_is_named() -> None:
    modules = [
        importlib.import_module(f"isogloss.stats.{found.name}")
        for found in pkgutil.iter_modules(isogloss.stats.__path__)
        if not found.ispkg and found.name not in NO_STATISTICS
    ]
    missing = {name for module in modules for name in public(module)} - set(NAMED)
    assert missing == set()


def test_every_file_of_tests_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w./]+)`", BODY)
    assert len(named) > 3
    assert [name for name in named if "NAME" not in name and not (ROOT / name).exists()] == []


def test_every_family_of_tests_has_its_table() -> None:
    known = {
        f"{name}.csv"
        for tables in (tables_of("paired"), tables_of("personas"), MIXED_TABLES, WEAT_TABLES)
        for name, record in tables.items()
        if "family" in columns_of(record)
    }
    families = BODY.split("\n## Several questions at once\n")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+\.csv)`", families, re.M)) == known


def test_every_citation_has_a_source() -> None:
    sources = " ".join(SOURCES.split()).split(" - ")
    missing = {
        (name, year)
        for name, year in cited(BODY)
        if not any(name in source and year in source for source in sources)
    }
    assert len(cited(BODY)) > 30
    assert missing == set()


def test_every_source_is_cited() -> None:
    flat = " ".join(BODY.split())
    entries = re.findall(r"^- (.*?)(?=^- |\Z)", SOURCES, re.M | re.S)
    unused = [entry[:60] for entry in entries if not re.search(_mention(entry), flat)]
    assert unused == []


def _mention(entry: str) -> str:
    """Return a pattern for a mention of a source: its first name and, near to it, its year."""
    name = re.split(r"[ ,(]", entry, maxsplit=1)[0]
    year = re.search(r"\((\d{4}[ab]?)\)", entry)
    assert year is not None, entry
    return rf"{re.escape(name)}\b.{{0,80}}{year[1]}"
