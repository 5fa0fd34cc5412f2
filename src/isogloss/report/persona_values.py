"""Single values that the page of a persona design cites."""

from isogloss.analysis.personas.records import ALL_MODELS
from isogloss.report.persona_results import main_rows
from isogloss.report.results import Results
from isogloss.report.values import (
    Values,
    item_set_values,
    plan_values,
    response_values,
    validation_values,
    verdict_values,
)


def persona_values(results: Results) -> Values:
    """Return the values of a persona design; every key exists whatever was run.

    Verdicts are those of what `main_rows` keeps: all models together, under the baseline condition.
    """
    tables, plan = results.tables, results.plan
    models = set(tables["means"]["model"]) - {ALL_MODELS}
    missing = tables["missing"]
    increments = main_rows(tables["increments"], results)
    kinds = ("unspecified", "reference")
    return {
        "plan": {**plan_values(results), "low": str(plan.scale[0]), "high": str(plan.scale[-1])},
        "models": str(len(models)),
        "contrasts": str(len(plan.contrasts)),
        "responses": response_values(missing.loc[missing["model"] != ALL_MODELS]),
        "validation": validation_values(tables["validation_summary"]),
        "verdicts": verdict_values(main_rows(tables["language_effects"], results)),
        "gaps": verdict_values(main_rows(tables["persona_gaps"], results)),
        "increments": {
            kind: verdict_values(increments.loc[increments["baseline_kind"] == kind])
            for kind in kinds
        },
        "item_sets": item_set_values(results),
    }
