"""Candidates by rule: one for each item, in the form that a model's have."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from isogloss import __version__
from isogloss.errors import ConfigurationError
from isogloss.guises.definition import GuiseDefinition
from isogloss.stimuli.draft.records import Attempt, Change, Item, Provenance

if TYPE_CHECKING:
    from isogloss.stimuli.rules import Rewriting, Rule

NO_PLACE = "the rule found no place for a device"


def rule_for(guise: GuiseDefinition, rules: Mapping[str, "Rule"]) -> "Rule":
    """Return the rule that brings a guise about; raise `ConfigurationError` where there is none."""
    if guise.rule is None:
        raise ConfigurationError(
            f"guise {guise.name} has no rule; name a model with --model to draft it"
        )
    if guise.rule not in rules:
        raise ConfigurationError(
            f"guise {guise.name} names the rule {guise.rule!r}; there are {', '.join(rules)}"
        )
    return rules[guise.rule]


def rewrite_items(items: Sequence[Item], rule: "Rule", *, seed: int) -> list[Attempt]:
    """Return one candidate for each item without fault; a text left as it is gives none."""
    by = Provenance(by=f"rule:{rule.name}@{__version__}", seed=seed)
    return [_attempt(item, rule(item.text, seed), by) for item in items if not item.fault]


def _attempt(item: Item, rewriting: "Rewriting", by: Provenance) -> Attempt:
    changes = tuple(
        Change(span.before, span.after, span.device, span.start, span.end)
        for span in rewriting.spans
    )
    if not changes:
        return Attempt(item, 1, "malformed", NO_PLACE, by)
    hold = all(rewriting.text[s.start : s.end] == s.after for s in rewriting.spans)
    devices = tuple(dict.fromkeys(span.device for span in rewriting.spans))
    return Attempt(item, 1, "ok", "", by, rewriting.text, devices, changes, hold)
