"""The main effects of a persona design: in sentences, and as the overview shows them."""

from collections.abc import Sequence
from math import isnan

import pandas as pd

from isogloss.report.cells import DIFFERENCE, verdict
from isogloss.report.headline import NOTHING
from isogloss.report.headlines import headline_table
from isogloss.report.markdown import escape
from isogloss.report.persona_results import main_rows, place_title, without_crossed
from isogloss.report.persona_tables import compared
from isogloss.report.provenance import Record, cited
from isogloss.report.results import Results
from isogloss.validate.table import rows_of

ENTRY = ["item_set", "role", "mode", "contrast"]
"""Columns whose values an entry is about."""


def persona_headline(results: Results) -> str:
    """One list entry for each contrast, item set, role and mode under the baseline condition.

    It gives the effect for each persona, and the largest increment over the unspecified one.
    """
    over_nobody = [
        row
        for row in rows_of(_shown("increments", results))
        if row["baseline_kind"] == "unspecified" and not isnan(row["estimate"])
    ]
    entries = [
        _entry(rows_of(part), [row for row in over_nobody if _entry_of(row) == key])
        for key, part in _shown("language_effects", results).groupby(ENTRY, sort=False)
    ]
    return "\n".join(entries) + "\n" if entries else NOTHING


def persona_headlines(results: Results) -> pd.DataFrame:
    """Return the effects of every contrast by item set, role and persona, of all models together.

    Columns are those of `Headline`. Personas with two attributes are left to the study's page.
    """
    rows = rows_of(_shown("language_effects", results))
    several = len({row["model"] for row in rows}) > 1
    return headline_table(results, [_headline(row, several=several) for row in rows], compared)


def _shown(name: str, results: Results) -> pd.DataFrame:
    return without_crossed(main_rows(results.tables[name], results), results)


def _entry_of(row: Record) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ENTRY)


def _entry(rows: Sequence[Record], increments: Sequence[Record]) -> str:
    first = rows[0]
    found = "; ".join(f"{escape(str(row['persona']))} {_result(row)}" for row in rows)
    text = (
        f"- **{escape(str(first['contrast']))}**, {escape(place_title(first))}, "
        f"{escape(str(first['model']))}: {found}."
    )
    if not increments:
        return text
    row = max(increments, key=lambda row: abs(row["estimate"]))
    return (
        f"{text} Furthest from {escape(str(row['baseline']))}: "
        f"{escape(str(row['persona']))}, by {_result(row)}."
    )


def _result(row: Record) -> str:
    difference = cited(DIFFERENCE)(row)
    return difference if isnan(row["estimate"]) else f"{difference}, {verdict(row)}"


def _headline(row: Record, *, several: bool) -> Record:
    persona = str(row["persona"])
    return {
        **row,
        "about": f"{str(row['role']).replace('_', ' ')}, {persona}",
        "place": place_title(row),
        "line": f"{persona}, {row['model']}" if several else persona,
    }
