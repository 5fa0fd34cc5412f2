"""The study's item sets say what a guise is compared with and what holds for it."""

from pathlib import Path

import pytest
from tests.stimuli.draft.conftest import HEDGING

from isogloss.errors import ConfigurationError
from isogloss.stimuli.draft.declared import comparison_for, reference_of
from isogloss.stimuli.draft.records import Task
from isogloss.stimuli.sets import Compared, DeclaredSet, StimulusSet

GUISES = {"hedged": HEDGING}
STRICT = Compared(
    guise="h", reference="plain", definition="hedged", thresholds={"min_similarity": 0.9}
)


def _set(*compared: Compared) -> DeclaredSet:
    content = StimulusSet(title="Test", file="items.csv", compare=compared)
    return DeclaredSet("toy/own", Path("data/stimuli/toy/own.yaml"), content)


def test_the_reference_is_the_one_that_sets_agree_on() -> None:
    other = Compared(guise="x", reference="y", definition="accent")
    assert reference_of("hedged", [_set(other, STRICT), _set(STRICT)]) == "plain"


@pytest.mark.parametrize(
    ("references", "said"),
    [([], "with no other"), (["plain", "terse"], "with plain and terse")],
)
def test_else_it_must_be_named(references: list[str], said: str) -> None:
    compared = [Compared(guise=f"h-{r}", reference=r, definition="hedged") for r in references]
    sets = [_set(*compared)] if compared else []
    with pytest.raises(ConfigurationError, match=f"{said}; name the column .* --reference"):
        reference_of("hedged", sets)


def test_candidates_are_held_to_what_the_set_declares() -> None:
    held = comparison_for(Task(HEDGING, "plain"), [_set(STRICT)], GUISES, {"max_characters": 500})
    assert (held.guise, held.reference) == ("h", "plain")
    assert (held.thresholds.min_similarity, held.thresholds.max_characters) == (0.9, 500)


def test_without_a_set_the_definition_and_the_general_thresholds_hold() -> None:
    for sets in ([], [_set(STRICT)]):
        held = comparison_for(Task(HEDGING, "terse"), sets, GUISES, {"min_similarity": 0.8})
        assert (held.name, held.definition, held.counter) == ("hedged - terse", HEDGING, None)
        assert held.thresholds.min_similarity == 0.8
