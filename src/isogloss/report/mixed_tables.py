"""Tables of mixed models, beside the paired tests."""

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from isogloss.report.cells import (
    DIFFERENCE,
    count,
    number_or_blank,
    plain_words,
    words,
)
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column, escape
from isogloss.report.mixed_beside import INCREMENTS, LANGUAGE, PAIRED, Beside
from isogloss.report.numbers import fixed
from isogloss.report.provenance import Record, joined
from isogloss.report.results import Results
from isogloss.report.tables import ADJUSTED, CONTRAST, MODE, MODEL, SUBSET
from isogloss.score.responses import MISSING

FIT = (Column("Fit", words("fit")), "fit")
ROLE = (Column("Role", plain_words("task")), "task")
FAMILY = (Column("Personas", words("persona_family")), "persona_family")
PERSONA = (Column("Persona", words("persona")), "persona")
BLOCK = ["item_set", "condition", "mode", "task", "persona_family", "subset", "fit"]
GUISE = "@guise"
"""Column of the guise whose mean is looked up."""

NOTHING = "No mixed model was fitted."


def mixed_table(results: Results) -> str:
    """Differences between guises by mixed models, with those of the tests without one.

    In a study with personas these are two tables for each item set and role: the differences for
    each persona, and how they differ between personas.
    """
    if results.plan.personas is None:
        layout = _differences(results, (CONTRAST, MODE, SUBSET, MODEL, FIT), PAIRED)
        return tables_by_item_set(_rows(results, PAIRED), layout, results.study)
    parts = [
        tables_by_item_set(part, layout, results.study)
        for role in results.plan.personas.roles
        for frame, layout in _of_role(results, role)
        for part in [frame.loc[frame["task"] == role]]
        if len(part)
    ]
    return "\n".join(parts) or f"*{NOTHING}*\n"


def mixed_fits_table(results: Results) -> str:
    """How each mixed model was fitted and how that ended."""
    personas = () if results.plan.personas is None else (ROLE, FAMILY)
    layout = Layout(
        "mixed fits",
        "Mixed models",
        (MODE, SUBSET, *personas, FIT),
        (
            Column("Formula", words("formula")),
            Column("Rating", _rating),
            Column("Reference levels", words("references")),
            Column("Ratings", _used, "right"),
            Column("Levels", words("groups"), "right"),
            Column("Variance", _variances, "right"),
            Column("Log-likelihood", number_or_blank("loglik", 2), "right"),
            Column("Status", _ending),
            Column("Method", plain_words("method")),
        ),
        empty=NOTHING,
    )
    return tables_by_item_set(results.tables["mixed_fits"], layout, results.study)


def _of_role(results: Results, role: str) -> Iterator[tuple[pd.DataFrame, Layout]]:
    keys = (ROLE, CONTRAST, MODE, SUBSET, MODEL, FAMILY, PERSONA)
    layout = _differences(results, (*keys, FIT), LANGUAGE)
    yield _rows(results, LANGUAGE), replace(layout, name=f"mixed {role}")
    layout = _interactions(results, (*keys, FIT))
    yield _rows(results, INCREMENTS), replace(layout, name=f"mixed interactions {role}")


def _differences(results: Results, keys: tuple[tuple[Column, str], ...], beside: Beside) -> Layout:
    return Layout(
        "mixed",
        f"Difference in rating by mixed models with {results.confidence} interval",
        keys,
        (
            Column("Guise and reference", _levels, "right"),
            *_tested("Difference", results, beside),
        ),
        note=_note(results, beside),
        empty=NOTHING,
    )


def _interactions(results: Results, keys: tuple[tuple[Column, str], ...]) -> Layout:
    return Layout(
        "mixed interactions",
        "How far the difference between guises differs between two personas, by mixed models "
        f"with {results.confidence} interval",
        keys,
        (
            Column("Compared with", words("reference_persona")),
            *_tested("Interaction", results, INCREMENTS),
        ),
        note=_note(results, INCREMENTS),
        empty=NOTHING,
    )


def _tested(title: str, results: Results, beside: Beside) -> tuple[Column, ...]:
    return (
        Column(title, DIFFERENCE, "right"),
        ADJUSTED,
        Column("Status", _status),
        Column("Ratings", count("n"), "right"),
        *_columns_beside(results, beside),
    )


def _columns_beside(results: Results, beside: Beside) -> tuple[Column, ...]:
    if not beside.offered(results):
        return ()
    what = "difference" if beside.quantity == "contrast" else "interaction"
    return (
        Column(f"{beside.title} {what}", beside.difference, "right"),
        Column(f"{beside.title} *p* (Holm)", beside.probability, "right"),
    )


def _note(results: Results, beside: Beside) -> str:
    return beside.note if beside.offered(results) else ""


def _rows(results: Results, beside: Beside) -> pd.DataFrame:
    margins = results.tables["mixed_margins"]
    rows = margins.loc[margins["quantity"] == beside.quantity].copy()
    means = margins.loc[margins["quantity"] == "mean"].rename(columns={"guise": GUISE})
    references = {contrast.name: contrast.reference for contrast in results.plan.contrasts}
    guises = {"mean_guise": rows["guise"], "mean_reference": rows["contrast"].map(references)}
    for column, guise in guises.items():
        keys = [*BLOCK, "model", "persona", GUISE]
        rows = joined(rows.assign(**{GUISE: guise.to_numpy()}), means, keys, {"estimate": column})
    named = {"status": "fit_status", "reason": "fit_reason"}
    return beside.onto(joined(rows, results.tables["mixed_fits"], BLOCK, named), results)


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
    left_out = ("n_dropped", *(f"n_missing_{name}" for name in MISSING))
    dropped = sum(int(row[name]) for name in left_out)
    return f"{int(row['n'])}, {dropped} left out" if dropped else str(int(row["n"]))


def _variances(row: Record) -> str:
    parts = [part.partition(": ") for part in str(row["variances"]).split("; ") if part]
    shown = [f"{name}: {float(value):.4g}" for name, _, value in parts]
    if row["dispersion"] == row["dispersion"]:
        shown.append(f"residual: {row['dispersion'] ** 2:.4g}")
    return escape("; ".join(shown))
