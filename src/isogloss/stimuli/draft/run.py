"""Draft a set of items: by a model or by rule, then judged, then chosen from."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from isogloss.score.ask import Asker
from isogloss.score.backend import Backend, Estimate
from isogloss.score.dry_run import DryRun, UnchangedStore
from isogloss.score.progress import Progress
from isogloss.score.store import ResponseStore
from isogloss.stimuli.draft.ask import Drawing, Writer, ask_candidates, fitted
from isogloss.stimuli.draft.by_rule import rewrite_items
from isogloss.stimuli.draft.choose import choose
from isogloss.stimuli.draft.records import DRAFT_OUTCOMES, Drafts, Item, Judge, Task

if TYPE_CHECKING:
    from isogloss.stimuli.rules import Rule


def draft(
    items: Sequence[Item], task: Task, writer: Writer, drawing: Drawing, judge: Judge
) -> Drafts:
    """Ask a model for candidates for every item and choose among those that `judge` lets pass.

    Answers that the writer's store holds are taken from there, so that a run with a recorded store
    asks nothing and gives the same drafts. Raises `ModelError` when the model cannot be asked.
    """
    fit = [fitted(item, task, writer.backend) for item in items]
    return choose(fit, ask_candidates(fit, task, writer, drawing), task, judge)


def estimate_draft(
    items: Sequence[Item], task: Task, backend: Backend, store: ResponseStore, drawing: Drawing
) -> Estimate:
    """Estimate what `draft` would still have to ask; nothing is asked or stored."""
    dry = DryRun(backend)
    writer = Writer("", dry, Asker(dry, UnchangedStore(store), progress=Progress))
    fit = [fitted(item, task, backend) for item in items]
    ask_candidates(fit, task, writer, drawing)
    return dry.total


def draft_by_rule(
    items: Sequence[Item], task: Task, rule: "Rule", judge: Judge, *, seed: int
) -> Drafts:
    """Rewrite every item by rule; what the rule gives is judged as a model's candidates are."""
    return choose(items, rewrite_items(items, rule, seed=seed), task, judge)


def summary(drafts: Drafts) -> str:
    """Say what became of candidates and items, in one line."""
    outcomes = Counter(attempt.outcome for attempt in drafts.attempts)
    counted = [f"{outcomes[name]} {name}" for name in DRAFT_OUTCOMES if outcomes[name]]
    valid = sum(judged is not None and judged.valid for judged in drafts.judged)
    status = Counter(choice.status for choice in drafts.choices)
    return (
        f"{len(drafts.attempts)} candidates ({', '.join(counted) or 'none'}; {valid} valid), "
        f"{len(drafts.choices)} items: {status['chosen']} with a valid candidate, "
        f"{status['none_valid']} without, {status['not_asked']} not asked for"
    )
