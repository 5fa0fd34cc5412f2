"""Read a candidate out of a reply: the form that is asked for, and what can be wrong with it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from isogloss.guises.definition import GuiseDefinition
from isogloss.score.refusals import refusal
from isogloss.score.requests import Text
from isogloss.score.structured import canonical_schema, read_object
from isogloss.stimuli.draft.records import Change, DraftOutcome, Item, Task
from isogloss.validate.tokens import tokenise

MOST_TIMES = 2.0
"""A candidate with more characters than this times its reference's, and a few, is malformed."""
_A_FEW = 60
_LEAST_KEPT = 0.3
"""Share of the reference's words below which a text that sounds like a refusal is one."""
_TAG = re.compile(r"</?(?:text|context)(?:-\d+)?>")
_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems")
_FINISHES = ("content_filter", "refusal")

_Part = Annotated[str, Field(max_length=400)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SpanChanged(_Form):
    """A change that the model says it made."""

    before: _Part
    after: _Part


class Candidate(_Form):
    """The object that a model is asked for."""

    text: Annotated[str, Field(min_length=1, max_length=10_000)]
    devices: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=40)]
    spans_changed: Annotated[list[SpanChanged], Field(max_length=60)]


@dataclass(frozen=True)
class Read:
    """What a reply gives."""

    outcome: DraftOutcome
    reason: str
    text: str = ""
    devices: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    changes_hold: bool | None = None


def schema_for(guise: GuiseDefinition, *, bounded: bool) -> str:
    """Return the JSON schema of `Candidate` for a guise, whose devices are the only ones.

    Bounds on lengths help a model that writes token by token under the schema to come to an end.
    OpenAI's server takes no schema that has them; a reply is held to them in any case.
    """
    schema = Candidate.model_json_schema()
    names = [device.name for device in guise.devices]
    devices = {"type": "array", "items": {"type": "string", "enum": names}, "maxItems": len(names)}
    schema["properties"]["devices"] = devices
    return canonical_schema(schema if bounded else _without_bounds(schema))


def read_candidate(text: Text, item: Item, task: Task) -> Read:
    """Read the candidate in a reply, or say why there is none.

    Malformed are a reply without a whole JSON object of the form, a text that is empty, only names
    the guise, is the reference itself or is far longer. A refusal is what the server or the words
    say, also inside the object. Of claims that do not hold, `reason` says so.
    """
    if text.reply is None:
        return Read("error", text.reason or "no reply")
    if text.reply.finish in _FINISHES:
        return Read("refusal", text.reason or text.reply.finish)
    said = text.reply.text
    found = read_object(said)
    if found.value is None:
        if text.outcome == "refusal":
            return Read("refusal", text.reason or "")
        return Read("malformed", _why_no_object(said, found.reason, task))
    try:
        candidate = Candidate.model_validate(found.value)
    except ValidationError as error:
        if text.outcome == "refusal":
            return Read("refusal", text.reason or "")
        return Read("malformed", _first(error))
    return _checked(candidate, item, task)


def _checked(candidate: Candidate, item: Item, task: Task) -> Read:
    text = _plain(candidate.text)
    fault = _fault(text, item, task)
    if fault:
        return Read("malformed", fault)
    declined = refusal(text)
    if declined is not None and _kept(text, item.text) < _LEAST_KEPT:
        return Read("refusal", declined)
    changes = tuple(Change(_plain(s.before), _plain(s.after)) for s in candidate.spans_changed)
    wrong = sum(not _holds(change, item.text, text) for change in changes)
    devices = tuple(dict.fromkeys(candidate.devices))
    unknown = sorted(set(devices) - {device.name for device in task.guise.devices})
    notes = [f"{wrong} of {len(changes)} changes named are not in the texts"] if wrong else []
    notes += [f"no device of the guise: {', '.join(unknown)}"] if unknown else []
    holds = not wrong if changes else None
    return Read("ok", "; ".join(notes), text, devices, changes, holds)


def _fault(text: str, item: Item, task: Task) -> str:
    words = _words(text)
    most = MOST_TIMES * len(item.text) + _A_FEW
    if not words:
        return "the text is empty" if not text else "the text has no words"
    if _only_names(text, task):
        return "the text only names the guise"
    if " ".join(text.split()) == " ".join(item.text.split()):
        return "the text is the reference itself"
    if _TAG.search(text) and not _TAG.search(item.text):
        return "the text holds tags of the prompt"
    if len(text) > most:
        return f"the text has {len(text)} characters, more than {most:.0f} for this reference"
    return ""


def _why_no_object(said: str, reason: str | None, task: Task) -> str:
    if not said.strip():
        return "the reply is empty"
    if _only_names(said, task):
        return "the reply only names the guise"
    return reason or "no JSON object"


def _only_names(text: str, task: Task) -> bool:
    """Whether a text is no more than a name of the guise or of its reference."""
    names = (task.guise.name, task.guise.title, task.reference, *task.guise.labels)
    return _words(text) in [_words(name.replace("_", " ")) for name in names]


def _words(text: str) -> list[str]:
    return [token.word for token in tokenise(text)]


def _kept(text: str, reference: str) -> float:
    """Share of the different words of a reference that a text has too."""
    words = set(_words(reference))
    return len(words & set(_words(text))) / len(words) if words else 0.0


def _plain(text: str) -> str:
    """A text without blanks around it, its lines ending as they do in a table."""
    return re.sub(r"\r\n?", "\n", text).strip()


def _holds(change: Change, reference: str, text: str) -> bool:
    """Whether a change is one, and its words stand in the two texts."""
    before, after = _joined(change.before), _joined(change.after)
    return before != after and before in _joined(reference) and after in _joined(text)


def _joined(text: str) -> str:
    return " ".join(text.split())


def _without_bounds(schema: Any) -> Any:
    """A schema without bounds on lengths, and so are the schemas in it."""
    if isinstance(schema, Mapping):
        return {k: _without_bounds(v) for k, v in schema.items() if k not in _BOUNDS}
    return [_without_bounds(part) for part in schema] if isinstance(schema, list) else schema


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the object"
    return f"{place}: {first['msg'].lower()}"
