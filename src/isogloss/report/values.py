"""Single values that pages cite in their sentences."""

import math
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import yaml

from isogloss.analysis.exclusions import VERDICT
from isogloss.analysis.files import PLAN
from isogloss.report.markdown import escape, slug
from isogloss.report.provenance import COUNT, Cited, Source, rows_source
from isogloss.report.results import Results, baseline_effects, main_subset
from isogloss.report.stimuli_tables import CALIBRATION, INVENTORY, StimuliResults

Values = dict[str, "str | Cited | Values"]
"""Texts under nested names: Markdown as `_variables.yml` holds it, or a text with its sources."""

NEGLIGIBLE = {"different_but_negligible": "different"}
"""Verdicts that count under another name."""


def paired_values(results: Results) -> Values:
    """Return the values of a study of paired guises; every key exists whatever was run."""
    effects = main_subset(baseline_effects(results))
    missing = results.tables["missing"]
    asked = missing.loc[missing["task"] != results.plan.interview_task]
    return {
        "plan": plan_values(results),
        "models": model_value(results.tables["means"], results),
        "contrasts": contrast_value(results),
        "responses": response_values(asked, results),
        "validation": validation_values(results.tables["validation_summary"], results),
        "verdicts": verdict_values(effects, results.file("effects.csv")),
        "item_sets": item_set_values(results),
    }


def stimuli_values(results: StimuliResults) -> Values:
    """Return the values of the page on data and validation."""
    sets, labelled = results.tables["sets"], results.verdicts
    here = sets[sets["status"] == "validated"]
    is_authored = here["origin"] == "authored"
    whole, of_sets = labelled[labelled["part"] == "all"], f"{INVENTORY}/sets.csv"

    def right(*columns: str) -> Cited:
        counts = [int(whole[name].iloc[0]) for name in columns]
        found = counts[0] - sum(counts[1:])
        return computed(found, whole, f"{CALIBRATION}/verdicts.csv", columns, _difference(columns))

    return {
        "sets": counted(here, of_sets, "status"),
        "authored": counted(here[is_authored], of_sets, "status", "origin"),
        "published": counted(here[~is_authored], of_sets, "status", "origin"),
        "out_of_reach": counted(sets.drop(here.index), of_sets, "status"),
        "pairs": summed(here, of_sets, "pairs"),
        "valid": summed(here, of_sets, "valid"),
        "labelled_good": right("good"),
        "labelled_bad": right("bad"),
        "labelled_missed": right("bad", "failed_bad"),
        "labelled_false_alarms": right("failed_good"),
        **_review_values(results.tables["reviews"]),
    }


def _review_values(reviews: pd.DataFrame) -> Values:
    file = f"{INVENTORY}/reviews.csv"
    named = {
        "passed_both": "both",
        "passed_machine_only": "machine_only",
        "passed_human_only": "human_only",
        "passed_none": "none",
    }
    return {
        "reviewed": summed(reviews, file, "pairs", "not_reviewed"),
        **{key: summed(reviews, file, column) for key, column in named.items()},
    }


def counted(rows: pd.DataFrame, file: str, *columns: str) -> Cited:
    """Return the number of some rows of a file, chosen by some of its columns."""
    return computed(len(rows), rows, file, columns, COUNT)


def summed(rows: pd.DataFrame, file: str, *columns: str) -> Cited:
    """Return the sum of the first column over some rows of a file, less that of the others."""
    first, *others = (int(rows[name].sum()) for name in columns)
    return computed(first - sum(others), rows, file, columns, f"sum of {' - '.join(columns)}")


def computed(
    number: int, rows: pd.DataFrame, file: str, columns: Sequence[str], rule: str
) -> Cited:
    """Return a number that a rule gives of some columns and rows of a file."""
    return Cited(f"{number:,}", rows_source(rows, file, columns, rule))


def _difference(columns: Sequence[str]) -> str:
    return " - ".join(columns) if len(columns) > 1 else ""


def variables_text(values: Values) -> str:
    """Return values as YAML, every leaf as Markdown, in the order given."""
    leaves = _as_markdown(values)
    return yaml.safe_dump(leaves, sort_keys=False, allow_unicode=True, width=math.inf)


def _as_markdown(values: "str | Cited | Values") -> object:
    if isinstance(values, dict):
        return {name: _as_markdown(value) for name, value in values.items()}
    return values.markdown if isinstance(values, Cited) else values


def write_variables(values: Values, path: Path) -> None:
    """Write values as `variables_text` gives them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(variables_text(values), encoding="utf-8")


def model_value(rows: pd.DataFrame, results: Results) -> Cited:
    """Count the models of some rows of the means."""
    file, number = results.file("means.csv"), int(rows["model"].nunique())
    return computed(number, rows, file, ("model",), "count of different values")


def contrast_value(results: Results) -> Cited:
    """Count the contrasts of the plan."""
    source = Source(results.file(PLAN), columns=("contrasts",), rule="count of entries")
    return Cited(str(len(results.plan.contrasts)), (source,))


def plan_values(results: Results) -> Values:
    """Return the settings that a page states."""
    plan = results.plan
    return {
        "baseline": escape(plan.baseline),
        "alpha": results.of_plan(f"{plan.alpha:g}", "alpha"),
        "confidence": results.confidence,
        "power": results.of_plan(f"{100 * plan.power:g} %", "power"),
        "smallest_effect": results.of_plan(f"{plan.smallest_effect:g}", "smallest_effect"),
        "threshold": results.of_plan(f"{plan.threshold:g}", "threshold"),
        "mass_gate": results.of_plan(f"{plan.mass_gate:g}", "mass_gate"),
        "draws": results.of_plan(f"{plan.draws:,}", "draws"),
        "seed": results.of_plan(str(plan.seed), "seed"),
        "low": results.of_plan(str(plan.scale[0]), "scale"),
        "high": results.of_plan(str(plan.scale[-1]), "scale"),
    }


def response_values(missing: pd.DataFrame, results: Results) -> Values:
    """Count the responses asked for, and those without a value, in rows of a missing table."""
    file = results.file("missing.csv")
    return {"total": summed(missing, file, "n"), "missing": summed(missing, file, "n", "n_ok")}


def validation_values(summary: pd.DataFrame, results: Results) -> Values:
    """Count the pairs that were checked, and those that failed."""
    verdicts = summary.loc[summary["check"] == VERDICT]
    file = results.file("validation_summary.csv")
    return {
        "pairs": summed(verdicts, file, "pairs"),
        "valid": summed(verdicts, file, "pairs", "failed"),
        "excluded": summed(verdicts, file, "failed"),
    }


def verdict_values(rows: pd.DataFrame, file: str) -> Values:
    """Count the verdicts of comparisons, which are rows of a file."""
    found = rows["verdict"].replace(NEGLIGIBLE)
    named = ("different", "equivalent", "inconclusive", "not_estimable")
    return {
        "tests": counted(rows, file, "verdict"),
        **{name: counted(rows.loc[found == name], file, "verdict") for name in named},
        "negligible": counted(rows.loc[rows["verdict"].isin(NEGLIGIBLE)], file, "verdict"),
    }


def item_set_values(results: Results) -> Values:
    """Count the pairs of each item set that were checked, and those that failed."""
    summary = results.tables["validation_summary"]
    return {
        slug(name): validation_values(summary.loc[summary["item_set"] == name], results)
        for name in results.item_sets
    }
