"""Single values that the page of a persona design cites."""

from isogloss.analysis.personas.records import ALL_MODELS
from isogloss.report.persona_results import main_rows
from isogloss.report.results import Results
from isogloss.report.values import (
    Values,
    contrast_value,
    item_set_values,
    model_value,
    plan_values,
    response_values,
    validation_values,
    verdict_values,
)


def persona_values(results: Results) -> Values:
    """Return the values of a persona design; every key exists whatever was run.

    Verdicts are those of what `main_rows` keeps: all models together, under the baseline condition.
    """
    tables = results.tables
    means, missing = tables["means"], tables["missing"]
    increments = main_rows(tables["increments"], results)
    kinds = ("unspecified", "reference")
    return {
        "plan": plan_values(results),
        "models": model_value(means.loc[means["model"] != ALL_MODELS], results),
        "contrasts": contrast_value(results),
        "responses": response_values(missing.loc[missing["model"] != ALL_MODELS], results),
        "validation": validation_values(tables["validation_summary"], results),
        "verdicts": _verdicts("language_effects", results),
        "gaps": _verdicts("persona_gaps", results),
        "increments": {
            kind: verdict_values(
                increments.loc[increments["baseline_kind"] == kind],
                results.file("increments.csv"),
            )
            for kind in kinds
        },
        "item_sets": item_set_values(results),
    }


def _verdicts(name: str, results: Results) -> Values:
    rows = main_rows(results.tables[name], results)
    return verdict_values(rows, results.file(f"{name}.csv"))
