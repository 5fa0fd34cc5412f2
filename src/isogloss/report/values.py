"""Single values that pages cite in their sentences."""

from collections import Counter
from pathlib import Path

import pandas as pd
import yaml

from isogloss.analysis.exclusions import VERDICT
from isogloss.report.markdown import escape, slug
from isogloss.report.results import Results, baseline_effects, main_subset
from isogloss.report.stimuli_tables import StimuliResults

Values = dict[str, "str | Values"]
"""Texts under nested names, as `_variables.yml` holds them."""

NEGLIGIBLE = {"different_but_negligible": "different"}
"""Verdicts that count under another name."""


def paired_values(results: Results) -> Values:
    """Return the values of a study of paired guises; every key exists whatever was run."""
    effects = main_subset(baseline_effects(results))
    missing = results.tables["missing"]
    asked = missing.loc[missing["task"] != results.plan.interview_task]
    return {
        "plan": plan_values(results),
        "models": str(results.tables["means"]["model"].nunique()),
        "contrasts": str(len(results.plan.contrasts)),
        "responses": response_values(asked),
        "validation": validation_values(results.tables["validation_summary"]),
        "verdicts": verdict_values(effects),
        "item_sets": item_set_values(results),
    }


def stimuli_values(results: StimuliResults) -> Values:
    """Return the values of the page on data and validation."""
    sets, reviews, labelled = results.tables["sets"], results.tables["reviews"], results.verdicts
    here = sets[sets["status"] == "validated"]
    authored = here[here["origin"] == "authored"]
    whole = labelled[labelled["part"] == "all"].iloc[0]
    return {
        "sets": str(len(here)),
        "authored": str(len(authored)),
        "published": str(len(here) - len(authored)),
        "out_of_reach": str(len(sets) - len(here)),
        "pairs": f"{int(here['pairs'].sum()):,}",
        "valid": f"{int(here['valid'].sum()):,}",
        "labelled_good": str(int(whole["good"])),
        "labelled_bad": str(int(whole["bad"])),
        "labelled_missed": str(int(whole["bad"] - whole["failed_bad"])),
        "labelled_false_alarms": str(int(whole["failed_good"])),
        "reviewed": str(int((reviews["pairs"] - reviews["not_reviewed"]).sum())),
        "passed_both": str(int(reviews["both"].sum())),
        "passed_machine_only": str(int(reviews["machine_only"].sum())),
        "passed_human_only": str(int(reviews["human_only"].sum())),
        "passed_none": str(int(reviews["none"].sum())),
    }


def write_variables(values: Values, path: Path) -> None:
    """Write values as YAML, every leaf as text, in the order given."""
    text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=1000)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def plan_values(results: Results) -> Values:
    """Return the settings that a page states."""
    plan = results.plan
    return {
        "baseline": escape(plan.baseline),
        "alpha": f"{plan.alpha:g}",
        "confidence": results.confidence,
        "power": f"{100 * plan.power:g} %",
        "smallest_effect": f"{plan.smallest_effect:g}",
        "threshold": f"{plan.threshold:g}",
        "mass_gate": f"{plan.mass_gate:g}",
        "draws": f"{plan.draws:,}",
        "seed": str(plan.seed),
    }


def response_values(missing: pd.DataFrame) -> Values:
    """Count the responses asked for, and those without a value, in rows of a missing table."""
    asked, answered = int(missing["n"].sum()), int(missing["n_ok"].sum())
    return {"total": f"{asked:,}", "missing": f"{asked - answered:,}"}


def validation_values(summary: pd.DataFrame) -> Values:
    """Count the pairs that were checked, and those that failed."""
    verdicts = summary.loc[summary["check"] == VERDICT]
    pairs, failed = int(verdicts["pairs"].sum()), int(verdicts["failed"].sum())
    return {"pairs": str(pairs), "valid": str(pairs - failed), "excluded": str(failed)}


def verdict_values(effects: pd.DataFrame) -> Values:
    """Count the verdicts of comparisons."""
    counts = Counter(effects["verdict"].replace(NEGLIGIBLE))
    named = ("different", "equivalent", "inconclusive", "not_estimable")
    return {
        "tests": str(len(effects)),
        **{name: str(counts[name]) for name in named},
        "negligible": str(int(effects["verdict"].isin(NEGLIGIBLE).sum())),
    }


def item_set_values(results: Results) -> Values:
    """Count the pairs of each item set that were checked, and those that failed."""
    summary = results.tables["validation_summary"]
    return {
        slug(name): validation_values(summary.loc[summary["item_set"] == name])
        for name in results.item_sets
    }
