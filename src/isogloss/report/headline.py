"""The main effects in sentences."""

import pandas as pd

from isogloss.report.cells import DIFFERENCE, count, probability, verdict
from isogloss.report.markdown import escape
from isogloss.report.numbers import p_value, signed
from isogloss.report.provenance import Record, cite, cite_count, cited, rows_source
from isogloss.report.results import Results, baseline_effects, place_names
from isogloss.report.values import NEGLIGIBLE
from isogloss.validate.table import rows_of

NOTHING = "*No contrast was rated under the baseline condition.*\n"


def headline(results: Results) -> str:
    """One list entry for each contrast, item set, mode and subset under the baseline condition."""
    frame = baseline_effects(results)
    if frame.empty:
        return NOTHING
    file = results.file("effects.csv")
    entries = [
        f"- **{escape(str(contrast))}**, {escape(str(place))}: {_found(part, file)}."
        for (contrast, place), part in frame.groupby(
            [frame["contrast"], place_names(frame)], sort=False
        )
    ]
    return "\n".join(entries) + "\n"


def _found(part: pd.DataFrame, file: str) -> str:
    return _one(part) if len(part) == 1 else _several(part, file)


def _one(part: pd.DataFrame) -> str:
    row = rows_of(part)[0]
    difference, pairs = cited(DIFFERENCE)(row), cited(count("n_pairs"))(row)
    return f"{escape(row['model'])} {difference} over {pairs} pairs, {_test(row)}"


def _test(row: Record) -> str:
    sign = "" if p_value(row["p_adjusted"]).startswith("\\") else "= "
    return f"*p* {sign}{cited(probability('p_adjusted'))(row)} (Holm), {verdict(row)}"


def _several(part: pd.DataFrame, file: str) -> str:
    known = part.dropna(subset=["estimate"]).sort_values("estimate", kind="stable")
    models = cite_count(part, file, "model")
    pairs = cite(_range(part["n_pairs"]), rows_source(part, file, ("n_pairs",), "range"))
    text = f"{models} models with {pairs} pairs each; verdicts: {_verdicts(part, file)}"
    if known.empty:
        return text
    low, high = rows_of(known.iloc[[0, -1]])
    return f"{text}; differences from {_end(low)} to {_end(high)}"


def _verdicts(part: pd.DataFrame, file: str) -> str:
    found = part["verdict"].replace(NEGLIGIBLE)
    counts = {name: part.loc[found == name] for name in sorted(set(found))}
    cited_counts = {name: cite_count(rows, file, "verdict") for name, rows in counts.items()}
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in cited_counts.items())


def _range(counts: "pd.Series[int]") -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low} to {high}"


def _end(row: Record) -> str:
    estimate = cited(lambda row: signed(row["estimate"]))(row)
    return f"{estimate} ({escape(str(row['model']))})"
