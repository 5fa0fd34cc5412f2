"""What declared item sets say about a guise: its reference, and what pairs are held to."""

from collections.abc import Iterable, Mapping
from typing import Any

from isogloss.config.thresholds import Thresholds
from isogloss.errors import ConfigurationError
from isogloss.guises.definition import GuiseDefinition
from isogloss.stimuli.draft.records import Task
from isogloss.stimuli.sets import DeclaredSet
from isogloss.validate.comparison import Comparison


def reference_of(guise: str, sets: Iterable[DeclaredSet]) -> str:
    """Return the column that the sets compare a guise with.

    Raises `ConfigurationError` where they compare it with none, or with several.
    """
    found = dict.fromkeys(
        compared.reference
        for declared in sets
        for compared in declared.content.compare
        if compared.definition == guise and compared.reference is not None
    )
    if len(found) == 1:
        return next(iter(found))
    known = f"with {' and '.join(found)}" if found else "with no other"
    raise ConfigurationError(
        f"the study's item sets compare guise {guise} {known}; name the column of the baseline "
        "texts with --reference"
    )


def comparison_for(
    task: Task,
    sets: Iterable[DeclaredSet],
    guises: Mapping[str, GuiseDefinition],
    general: Mapping[str, Any],
) -> Comparison:
    """Return what candidates are held to.

    Where a set compares the guise with the reference, it is what the set declares; else it is the
    guise's definition and the general thresholds.
    """
    for declared in sets:
        for comparison in declared.comparisons(guises, general):
            same = comparison.definition is not None and comparison.definition.name == (
                task.guise.name
            )
            if same and comparison.reference == task.reference:
                return comparison
    return Comparison(
        name=f"{task.guise.name} - {task.reference}",
        guise=task.guise.name,
        reference=task.reference,
        definition=task.guise,
        counter=None,
        thresholds=Thresholds.model_validate(general),
    )
