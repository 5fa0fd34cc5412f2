"""How results become tables: one for each item set, with what is constant in the caption."""

from dataclasses import dataclass

import pandas as pd

from isogloss.report.markdown import Column, escape, pipe_table, slug
from isogloss.report.provenance import cited_once
from isogloss.validate.table import rows_of


@dataclass(frozen=True)
class Layout:
    """What a family of tables shows."""

    name: str
    """Part of the label, unique within a study's page."""
    caption: str
    """Caption as Markdown, without a full stop."""
    keys: tuple[tuple[Column, str], ...]
    """Columns that tell rows apart, with the name of the result column behind each.

    One that has a single value goes into the caption, unless that value is empty.
    """
    columns: tuple[Column, ...]
    note: str = ""
    """Sentences that end the caption."""
    empty: str = "Nothing of this kind was recorded."


def tables_by_item_set(frame: pd.DataFrame, layout: Layout, study: str) -> str:
    """Return one table for each item set, or a sentence when there is no row."""
    if frame.empty:
        return f"*{layout.empty}*\n"
    parts = [
        one_table(
            part,
            layout,
            f"item set {escape(str(name))}",
            f"tbl-{slug(f'{study} {layout.name} {name}')}",
        )
        for name, part in frame.groupby("item_set", sort=True)
    ]
    return "\n".join(parts)


def one_table(frame: pd.DataFrame, layout: Layout, about: str, label: str) -> str:
    """Return one table whose caption names what is the same in all rows."""
    constant = [(column, name) for column, name in layout.keys if frame[name].nunique() < 2]
    varying = [column for column, name in layout.keys if (column, name) not in constant]
    records = rows_of(frame)
    named = [(column.title.lower(), cited_once(column.cell, records)) for column, _ in constant]
    fixed = [f"{title} {value}" for title, value in named if value]
    scope = ", ".join(filter(None, [about, *fixed]))
    stated = f"{layout.caption}: {scope}." if scope else f"{layout.caption}."
    caption = " ".join(filter(None, [stated, layout.note]))
    return pipe_table(records, [*varying, *layout.columns], caption=caption, label=label)
