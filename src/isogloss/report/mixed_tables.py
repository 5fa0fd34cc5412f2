"""Tables of mixed models, beside the paired tests."""

from math import nan

import pandas as pd

from isogloss.report.cells import DIFFERENCE, count, estimate, plain_words, probability, words
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column, Record, escape
from isogloss.report.numbers import fixed
from isogloss.report.results import Results, whole_effects
from isogloss.report.tables import ADJUSTED, CONTRAST, MODE, MODEL, SUBSET

FIT = (Column("Fit", words("fit")), "fit")
BLOCK = ["item_set", "condition", "mode", "subset", "fit"]
PAIRED = ["item_set", "condition", "mode", "subset", "model", "contrast"]
NOTHING = "No mixed model was fitted."


def mixed_table(results: Results) -> str:
    """Differences between guises by mixed models, with the paired estimates."""
    layout = Layout(
        "mixed",
        f"Difference in rating by mixed models with {results.confidence} interval",
        (CONTRAST, MODE, SUBSET, MODEL, FIT),
        (
            Column("Guise and reference", _levels, "right"),
            Column("Difference", DIFFERENCE, "right"),
            ADJUSTED,
            Column("Status", _status),
            Column("Ratings", count("n"), "right"),
            Column(
                "Paired difference",
                estimate("paired", "paired_low", "paired_high", reason="paired_reason"),
                "right",
            ),
            Column("Paired *p* (Holm)", probability("paired_p"), "right"),
        ),
        note="The last two columns are those of the paired tests.",
        empty=NOTHING,
    )
    return tables_by_item_set(_contrasts(results), layout, results.study)


def mixed_fits_table(results: Results) -> str:
    """How each mixed model was fitted and how that ended."""
    layout = Layout(
        "mixed fits",
        "Mixed models",
        (MODE, SUBSET, FIT),
        (
            Column("Formula", words("formula")),
            Column("Rating", _rating),
            Column("Reference levels", words("references")),
            Column("Ratings", _used, "right"),
            Column("Levels", words("groups"), "right"),
            Column("Variance", _variances, "right"),
            Column("Log-likelihood", _loglik, "right"),
            Column("Status", _ending),
            Column("Method", plain_words("method")),
        ),
        empty=NOTHING,
    )
    return tables_by_item_set(results.tables["mixed_fits"], layout, results.study)


def _contrasts(results: Results) -> pd.DataFrame:
    margins = results.tables["mixed_margins"]
    means = margins.loc[margins["quantity"] == "mean"].set_index([*BLOCK, "model", "guise"])
    level = means["estimate"].to_dict()
    references = {contrast.name: contrast.reference for contrast in results.plan.contrasts}
    rows = margins.loc[margins["quantity"] == "contrast"].copy()
    for column, side in (("mean_guise", False), ("mean_reference", True)):
        rows[column] = [
            level.get(
                (
                    *(row[name] for name in BLOCK),
                    row["model"],
                    references[row["contrast"]] if side else row["guise"],
                ),
                nan,
            )
            for row in rows.to_dict("records")
        ]
    fits = results.tables["mixed_fits"][[*BLOCK, "status", "reason"]]
    rows = rows.merge(
        fits.rename(columns={"status": "fit_status", "reason": "fit_reason"}), on=BLOCK, how="left"
    )
    return rows.merge(_paired(results), on=PAIRED, how="left").fillna({"paired_reason": ""})


def _paired(results: Results) -> pd.DataFrame:
    named = {
        "estimate": "paired",
        "low": "paired_low",
        "high": "paired_high",
        "p_adjusted": "paired_p",
        "reason": "paired_reason",
    }
    return whole_effects(results)[[*PAIRED, *named]].rename(columns=named)


def _levels(row: Record) -> str:
    if row["mean_guise"] != row["mean_guise"]:
        return ""
    return f"{fixed(row['mean_guise'])}, {fixed(row['mean_reference'])}"


def _status(row: Record) -> str:
    status = escape(str(row["fit_status"]).replace("_", " "))
    return f"{status}, with a note" if row["fit_reason"] else status


def _ending(row: Record) -> str:
    status = escape(str(row["status"]).replace("_", " "))
    return f"{status}: {escape(str(row['reason']))}" if row["reason"] else status


def _rating(row: Record) -> str:
    return escape(f"{row['rating']}, {row['distribution']}")


def _used(row: Record) -> str:
    dropped = int(row["n_dropped"]) + sum(
        int(value) for name, value in row.items() if name.startswith("n_missing")
    )
    return f"{int(row['n'])}, {dropped} left out" if dropped else str(int(row["n"]))


def _variances(row: Record) -> str:
    parts = [part.partition(": ") for part in str(row["variances"]).split("; ") if part]
    shown = [f"{name}: {float(value):.4g}" for name, _, value in parts]
    if row["dispersion"] == row["dispersion"]:
        shown.append(f"residual: {row['dispersion'] ** 2:.4g}")
    return escape("; ".join(shown))


def _loglik(row: Record) -> str:
    return "" if row["loglik"] != row["loglik"] else fixed(row["loglik"], 2)
