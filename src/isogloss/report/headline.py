"""The main effects in sentences."""

from collections import Counter

import pandas as pd

from isogloss.report.cells import DIFFERENCE, verdict
from isogloss.report.markdown import Record, escape
from isogloss.report.numbers import p_value, signed
from isogloss.report.results import Results, baseline_effects, place_names
from isogloss.report.values import NEGLIGIBLE
from isogloss.validate.table import rows_of

NOTHING = "*No contrast was rated under the baseline condition.*\n"


def headline(results: Results) -> str:
    """One list entry for each contrast, item set, mode and subset under the baseline condition."""
    frame = baseline_effects(results)
    if frame.empty:
        return NOTHING
    entries = [
        f"- **{escape(str(contrast))}**, {escape(str(place))}: {_found(part)}."
        for (contrast, place), part in frame.groupby(
            [frame["contrast"], place_names(frame)], sort=False
        )
    ]
    return "\n".join(entries) + "\n"


def _found(part: pd.DataFrame) -> str:
    return _one(part) if len(part) == 1 else _several(part)


def _one(part: pd.DataFrame) -> str:
    row = rows_of(part)[0]
    pairs = int(row["n_pairs"])
    return f"{escape(row['model'])} {DIFFERENCE(row)} over {pairs} pairs, {_test(row)}"


def _test(row: Record) -> str:
    p = p_value(row["p_adjusted"])
    sign = "" if p.startswith("\\") else "= "
    return f"*p* {sign}{p} (Holm), {verdict(row)}"


def _several(part: pd.DataFrame) -> str:
    known = part.dropna(subset=["estimate"]).sort_values("estimate", kind="stable")
    counts = Counter(part["verdict"].replace(NEGLIGIBLE))
    found = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in sorted(counts.items()))
    text = f"{len(part)} models with {_range(part['n_pairs'])} pairs each; verdicts: {found}"
    if known.empty:
        return text
    return f"{text}; differences from {_end(known.iloc[0])} to {_end(known.iloc[-1])}"


def _range(counts: "pd.Series[int]") -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low} to {high}"


def _end(row: "pd.Series[float]") -> str:
    return f"{signed(row['estimate'])} ({escape(str(row['model']))})"
