"""Tables of the page on association tests: classic tests, contrasts of texts, words, vectors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from isogloss.analysis.tables import read_tables
from isogloss.report.cells import (
    Cell,
    count,
    estimate,
    plain_words,
    probability,
    signed_or_blank,
    words,
)
from isogloss.report.layout import Layout, one_table
from isogloss.report.markdown import Column, escape, slug
from isogloss.report.numbers import percent
from isogloss.report.provenance import Record, with_origins
from isogloss.weat.records import WEAT_TABLES

FOLDER = "data/results/weat"
"""Folder of the tables, relative to the project's folder."""

NOTHING = "No association was tested."


@dataclass(frozen=True)
class WeatResults:
    """What the page on association tests is made from."""

    tables: Mapping[str, pd.DataFrame]
    """By the names of `WEAT_TABLES`."""


def read_weat_results(folder: Path) -> WeatResults:
    """Read the tables of the stage; raise `ReportError` naming the file at fault."""
    tables = read_tables(folder, WEAT_TABLES)
    return WeatResults(
        {name: with_origins(t, f"{FOLDER}/{name}.csv") for name, t in tables.items()}
    )


def classic_table(results: WeatResults) -> str:
    """The classic tests of each embedding, beside what their authors found."""
    columns = (
        Column("Test", words("test")),
        Column("Targets", words("title")),
        Column("Words", _words, "right"),
        *_tested(),
        Column("Authors' *d*", signed_or_blank("published", 2), "right"),
        Column("Out of vocabulary", words("missing")),
    )
    layout = Layout("classic", "Classic association tests", _MADE, columns, _INTERVAL)
    return _by(results.tables["classic"], "embedding", layout)


def contrasts_table(results: WeatResults) -> str:
    """Differences between the texts of two guises, by contrast."""
    columns = (
        Column("Texts", _texts, "right"),
        *_tested(),
        Column("Words with a vector", _coverage, "right"),
    )
    keys = (
        (Column("Item set", words("item_set")), "item_set"),
        (Column("Guise", plain_words("guise")), "guise"),
        (Column("Reference", plain_words("reference")), "reference"),
        (Column("Attributes A", plain_words("a")), "a"),
        (Column("Attributes B", plain_words("b")), "b"),
        (Column("Part", words("part")), "part"),
        (Column("Embedding", words("embedding")), "embedding"),
        (Column("Exchanged", _design), "design"),
        *_MADE,
    )
    note = f"*d* is positive where the guise is closer to A than the reference is. {_INTERVAL}"
    layout = Layout("contrasts", "Association of whole texts", keys, columns, note)
    return _by(results.tables["contrasts"], "contrast", layout)


def missing_words_table(results: WeatResults) -> str:
    """Words out of vocabulary, by embedding and list."""
    frame = results.tables["vocabulary"]
    lost = frame.loc[frame["status"] == "missing"]
    columns = (
        Column("Where", words("list")),
        Column("Word", words("word")),
        Column("Looked up as", words("looked_up")),
        Column("Occurrences", count("occurrences"), "right"),
    )
    layout = Layout(
        "missing", "Words without a vector", (), columns, empty="Every word has a vector."
    )
    return _by(lost, "embedding", layout)


def embeddings_table(results: WeatResults) -> str:
    """Where the vectors come from."""
    columns = (
        Column("Embedding", words("embedding")),
        Column("Origin", words("origin")),
        Column("Dimensions", count("dimension"), "right"),
        Column("Looked up", plain_words("case")),
        Column("SHA-256", words("sha256")),
    )
    frame = results.tables["embeddings"]
    layout = Layout("embeddings", "Sources of vectors", (), columns, empty=NOTHING)
    if frame.empty:
        return f"*{layout.empty}*\n"
    return one_table(frame, layout, "", "tbl-weat-embeddings")


WEAT_TEXTS: dict[str, Callable[[WeatResults], str]] = {
    "classic": classic_table,
    "contrasts": contrasts_table,
    "missing-words": missing_words_table,
    "embeddings": embeddings_table,
}
"""Markdown parts of the page, each written as `<name>.md`."""

_MADE = (
    (Column("*p* is", plain_words("alternative")), "alternative"),
    (Column("ddof", count("ddof")), "ddof"),
    (Column("Seed", count("seed")), "seed"),
)
"""How tests were made; the same in all rows of a run, and so in the caption."""

_INTERVAL = (
    "Intervals are studentised bootstrap intervals; a star stands where there can be none, and "
    "the table of results says why."
)


def _by(frame: pd.DataFrame, column: str, layout: Layout) -> str:
    if frame.empty:
        return f"*{NOTHING if layout.name != 'missing' else layout.empty}*\n"
    parts = [
        one_table(
            part,
            layout,
            f"{column} {escape(str(name))}",
            f"tbl-{slug(f'weat {layout.name} {name}')}",
        )
        for name, part in frame.groupby(column, sort=False)
    ]
    return "\n".join(parts)


def _tested() -> tuple[Column, ...]:
    return (
        Column("*d*", _effect(), "right"),
        Column("*p*", probability("p_value"), "right"),
        Column("*p* (Holm)", probability("p_adjusted"), "right"),
        Column("Exchanges", _exchanges, "right"),
    )


def _effect() -> Cell:
    shown = estimate("effect_size", "low", "high", decimals=2)

    def cell(row: Record) -> str:
        alone = row["status"] == "ok" and row["interval_reason"]
        return shown(row) + (r" \*" if alone else "")

    return cell


def _words(row: Record) -> str:
    return f"{int(row['n_x'])}, {int(row['n_y'])}"


def _texts(row: Record) -> str:
    left_out = int(row["n_without_vector"])
    return _words(row) + (f" ({left_out} without vector)" if left_out else "")


def _design(row: Record) -> str:
    return "within pairs" if row["design"] == "paired" else "freely"


def _exchanges(row: Record) -> str:
    if row["status"] != "ok":
        return ""
    drawn = f"{int(row['n_draws']):,}"
    return f"all {drawn}" if row["exact"] in (True, "True") else f"{drawn} drawn"


def _coverage(row: Record) -> str:
    return percent(row["coverage"], 1)
