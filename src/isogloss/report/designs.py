"""What the page of a study shows, for each design."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from isogloss.analysis.files import Design
from isogloss.report.count_tables import (
    decision_tests_table,
    decisions_table,
    exclusions_table,
    means_table,
    missing_table,
    missing_tests_table,
    validation_table,
)
from isogloss.report.drawing import Drawing
from isogloss.report.figures import (
    decisions_figure,
    distributions_figure,
    effects_figure,
    subgroups_figure,
)
from isogloss.report.headline import headline
from isogloss.report.headlines import Headlines, paired_headlines
from isogloss.report.mixed_tables import mixed_fits_table, mixed_table
from isogloss.report.persona_count_tables import (
    persona_means_table,
    persona_missing_table,
    persona_missing_tests_table,
    persona_modes_table,
)
from isogloss.report.persona_figures import (
    increments_figure,
    language_figure,
    persona_distributions_figure,
    persona_gaps_figure,
)
from isogloss.report.persona_headline import persona_headline, persona_headlines
from isogloss.report.persona_paper_tables import (
    interaction_means_table,
    interaction_table,
    paper_language_table,
    paper_personas_table,
)
from isogloss.report.persona_tables import (
    conditions_table,
    increments_table,
    language_table,
    persona_gaps_table,
)
from isogloss.report.persona_values import persona_values
from isogloss.report.results import Results
from isogloss.report.tables import effects_table, mitigation_table, paper_table, subgroups_table
from isogloss.report.values import Values, paired_values


@dataclass(frozen=True)
class StudyParts:
    """Everything that is written for the page of a study."""

    texts: Mapping[str, Callable[[Results], str]]
    """Markdown parts, each written as `<name>.md`, whatever the results hold."""
    figures: Mapping[str, Drawing[Results]]
    """Figures, each written as `<name>.svg`."""
    headlines: Headlines
    """What the overview shows of the study."""
    headline_tables: tuple[str, ...]
    """Result tables behind the headlines."""
    values: Callable[[Results], Values]
    """Single values that the page cites."""


DESIGNS: dict[Design, StudyParts] = {
    "paired": StudyParts(
        texts={
            "headline": headline,
            "effects": effects_table,
            "subgroups": subgroups_table,
            "mixed": mixed_table,
            "mixed-fits": mixed_fits_table,
            "paper": paper_table,
            "mitigation": mitigation_table,
            "means": means_table,
            "decisions": decisions_table,
            "decision-tests": decision_tests_table,
            "missing": missing_table,
            "missing-tests": missing_tests_table,
            "exclusions": exclusions_table,
            "validation": validation_table,
        },
        figures={
            "distributions": Drawing(distributions_figure, ("distributions",)),
            "effects": Drawing(effects_figure, ("effects",)),
            "subgroups": Drawing(subgroups_figure, ("effects",)),
            "decisions": Drawing(decisions_figure, ("decisions",)),
        },
        headlines=paired_headlines,
        headline_tables=("effects",),
        values=paired_values,
    ),
    "personas": StudyParts(
        texts={
            "headline": persona_headline,
            "effects": language_table,
            "conditions": conditions_table,
            "gaps": persona_gaps_table,
            "increments": increments_table,
            "interaction": interaction_table,
            "interaction-means": interaction_means_table,
            "paper-language": paper_language_table,
            "paper-personas": paper_personas_table,
            "mixed": mixed_table,
            "mixed-fits": mixed_fits_table,
            "means": persona_means_table,
            "modes": persona_modes_table,
            "missing": persona_missing_table,
            "missing-tests": persona_missing_tests_table,
            "exclusions": exclusions_table,
            "validation": validation_table,
        },
        figures={
            "distributions": Drawing(persona_distributions_figure, ("distributions", "missing")),
            "effects": Drawing(language_figure, ("language_effects", "missing")),
            "gaps": Drawing(persona_gaps_figure, ("persona_gaps", "missing")),
            "increments": Drawing(increments_figure, ("increments", "missing")),
        },
        headlines=persona_headlines,
        headline_tables=("language_effects", "missing"),
        values=persona_values,
    ),
}


def design_of(results: Results) -> StudyParts:
    """Return what is written for a study, by the design of its plan."""
    return DESIGNS[results.plan.design]
