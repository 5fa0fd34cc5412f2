"""Candidates by rule have the form of a model's."""

from dataclasses import dataclass, replace

import pytest
from tests.stimuli.draft.conftest import PLAIN, item, long_texts

from isogloss import __version__
from isogloss.errors import ConfigurationError
from isogloss.guises.definition import GuiseDefinition
from isogloss.stimuli.draft.by_rule import NO_PLACE, rewrite_items, rule_for
from isogloss.stimuli.draft.records import Change, Task
from isogloss.stimuli.draft.run import draft_by_rule
from isogloss.stimuli.rules import RULES, Rewriting, Span


@dataclass(frozen=True)
class Opener:
    """Puts `I think` before a text that begins with `I`."""

    name: str = "opener"
    sources: tuple[str, ...] = ("made up",)

    def __call__(self, text: str, seed: int = 0) -> Rewriting:
        if not text.startswith("I "):
            return Rewriting(text, ())
        return Rewriting(f"I think {text}", (Span(0, 8, "", "I think ", f"lexical{seed}"),))


def test_one_candidate_with_what_was_changed() -> None:
    (attempt,) = rewrite_items([item()], Opener(), seed=3)
    assert (attempt.outcome, attempt.text) == ("ok", f"I think {PLAIN}")
    assert attempt.changes == (Change("", "I think ", "lexical3", 0, 8),)
    assert (attempt.devices, attempt.changes_hold) == (("lexical3",), True)
    assert (attempt.provenance.by, attempt.provenance.seed) == (f"rule:opener@{__version__}", 3)
    assert attempt.provenance.model is None


def test_a_text_without_a_place_keeps_its_row(task: Task) -> None:
    items = [item(), item("So it was.", "b"), replace(item("", "c"), fault="the text is empty")]
    drafts = draft_by_rule(items, task, Opener(), long_texts, seed=0)
    assert [choice.status for choice in drafts.choices] == ["chosen", "none_valid", "not_asked"]
    assert drafts.choices[1].reason == f"malformed: {NO_PLACE}"
    assert [attempt.outcome for attempt in drafts.attempts] == ["ok", "malformed"]


def test_the_rule_is_the_one_that_the_guise_names(guise: GuiseDefinition) -> None:
    rule = Opener()
    assert rule_for(guise, {"hedges": rule}) is rule


@pytest.mark.parametrize(
    ("rule", "said"),
    [(None, "guise hedged has no rule"), ("irony", "rule 'irony'; there are opener")],
)
def test_a_guise_without_rule_says_so(guise: GuiseDefinition, rule: str | None, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        rule_for(guise.model_copy(update={"rule": rule}), {"opener": Opener()})


def test_the_projects_own_rule_does_the_same_twice(guise: GuiseDefinition) -> None:
    rule = rule_for(guise, RULES)
    one, two = (rewrite_items([item()], rule, seed=7) for _ in range(2))
    assert one == two
    assert one[0].changes_hold is not False
