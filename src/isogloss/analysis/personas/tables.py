"""All result tables of a persona design."""

from typing import Any

import pandas as pd

from isogloss.analysis.exclusions import (
    ExclusionRow,
    ValidationRow,
    exclusions,
    validation_summary,
)
from isogloss.analysis.personas.blocks import blocks, check_persona_rows
from isogloss.analysis.personas.gaps import GapRow, persona_gaps
from isogloss.analysis.personas.increments import IncrementRow, increments
from isogloss.analysis.personas.interaction import (
    InteractionMeanRow,
    InteractionRow,
    interaction,
    interaction_means,
)
from isogloss.analysis.personas.language import LanguageRow, language_effects
from isogloss.analysis.personas.missing import PersonaMissingTestRow, persona_missing_tests
from isogloss.analysis.personas.paper import PersonaPaperRow, paper_tests
from isogloss.analysis.personas.summaries import (
    PersonaDistributionRow,
    PersonaMeanRow,
    PersonaMissingRow,
    persona_distributions,
    persona_means,
    persona_missing,
)
from isogloss.analysis.plan import AnalysisPlan

PERSONA_TABLES: dict[str, type[Any]] = {
    "means": PersonaMeanRow,
    "distributions": PersonaDistributionRow,
    "language_effects": LanguageRow,
    "persona_gaps": GapRow,
    "increments": IncrementRow,
    "paper_tests": PersonaPaperRow,
    "interaction": InteractionRow,
    "interaction_means": InteractionMeanRow,
    "missing": PersonaMissingRow,
    "missing_tests": PersonaMissingTestRow,
    "exclusions": ExclusionRow,
    "validation_summary": ValidationRow,
}
"""The tables, each written as `<name>.csv`, and the record that describes its columns."""


def persona_tables(
    responses: pd.DataFrame, checks: pd.DataFrame, verdicts: pd.DataFrame, plan: AnalysisPlan
) -> dict[str, pd.DataFrame]:
    """Compute every table in `PERSONA_TABLES` from responses and from what validation found.

    `checks` and `verdicts` have a column `item_set`. Raises `ConfigurationError` when the plan has
    no persona design, and `ResponseError` when a response has a task or persona that the design
    does not have, or says `ok` without a score.
    """
    check_persona_rows(responses, plan)
    split = blocks(responses)
    return {
        "means": persona_means(responses, plan),
        "distributions": persona_distributions(responses, plan),
        "language_effects": language_effects(split, plan),
        "persona_gaps": persona_gaps(split, plan),
        "increments": increments(split, plan),
        "paper_tests": paper_tests(split, plan),
        "interaction": interaction(split, plan),
        "interaction_means": interaction_means(split, plan),
        "missing": persona_missing(responses, plan),
        "missing_tests": persona_missing_tests(split, plan),
        "exclusions": exclusions(checks, verdicts),
        "validation_summary": validation_summary(checks, verdicts),
    }
