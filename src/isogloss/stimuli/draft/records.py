"""What drafting takes and gives: items, attempts, judgements and the chosen candidates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from isogloss.guises.definition import GuiseDefinition

DraftOutcome = Literal["ok", "refusal", "malformed", "error"]
"""What became of one candidate; only `ok` has a text."""

DRAFT_OUTCOMES: tuple[DraftOutcome, ...] = get_args(DraftOutcome)

Status = Literal["chosen", "none_valid", "not_asked"]
"""What became of one item."""


@dataclass(frozen=True)
class Item:
    """A baseline text that is to be put into a guise."""

    item_id: str
    context: str
    """What the text refers to, such as the question that it answers; may be empty."""
    text: str
    fault: str = ""
    """Why no candidate is asked for; empty where the text can be used."""


@dataclass(frozen=True)
class Task:
    """What is asked for each item."""

    guise: GuiseDefinition
    reference: str
    """Name of the guise that the baseline texts are in."""


@dataclass(frozen=True)
class Change:
    """A place at which a candidate differs from its reference."""

    before: str
    """Words of the reference; empty where words were only added."""
    after: str
    """Words of the candidate; empty where words were only removed."""
    device: str | None = None
    """Device of the guise; None where nobody said which."""
    start: int | None = None
    """Offset of `after` in the candidate, where it is known."""
    end: int | None = None


@dataclass(frozen=True)
class Provenance:
    """Where a candidate comes from; None is what does not apply or is not known."""

    by: str
    """`model:<name>@<digest>`, or `rule:<name>@<version>`."""
    model: str | None = None
    """Name of the model in the configuration."""
    model_digest: str | None = None
    prompt_sha256: str | None = None
    answered_by: str | None = None
    """Model that the server says has answered."""
    request_id: str | None = None
    answered_at: str | None = None
    """Date and time in UTC that the server gives."""
    temperature: float | None = None
    """None for a rule, and for a model that draws as it sees fit."""
    top_p: float | None = None
    seed: int | None = None
    """Decides the draw together with the prompt and the candidate's number."""
    max_new_tokens: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    """By the configured prices and the tokens that the server counted."""
    currency: str | None = None


@dataclass(frozen=True)
class Attempt:
    """One candidate for one item, or what came instead of one."""

    item: Item
    candidate: int
    """Number of the candidate within its item, from 1."""
    outcome: DraftOutcome
    reason: str
    """Why there is no candidate; beside a candidate, what was noted about it."""
    provenance: Provenance
    text: str = ""
    devices: tuple[str, ...] = ()
    """Names of the devices that are said to be in it."""
    changes: tuple[Change, ...] = ()
    """Changes that are said to have been made."""
    changes_hold: bool | None = None
    """Whether each of them is in the two texts; None where none is named."""


@dataclass(frozen=True)
class Drafted:
    """A pair to be judged: a reference and a candidate for the guise."""

    item_id: str
    context: str
    reference_text: str
    guise_text: str
    candidate: int


@dataclass(frozen=True)
class Judged:
    """What validation says of a pair."""

    valid: bool
    reason: str
    """Why it is not valid; empty for a valid pair."""
    similarity: float | None
    """Closeness in meaning, in [-1, 1]; None where it could not be measured."""


Judge = Callable[[Sequence[Drafted]], Sequence[Judged]]
"""Validation as drafting needs it: a judgement for each pair, in the order given."""


@dataclass(frozen=True)
class Choice:
    """What became of an item: its best valid candidate, or why there is none."""

    item: Item
    status: Status
    reason: str
    """Why no candidate was chosen; empty for a chosen one."""
    attempt: Attempt | None = None
    """The chosen candidate."""


@dataclass(frozen=True)
class Drafts:
    """All candidates of a run with their judgements, and a choice for each item."""

    task: Task
    attempts: tuple[Attempt, ...]
    judged: tuple[Judged | None, ...]
    """A judgement for each attempt; None for one without candidate."""
    choices: tuple[Choice, ...]
