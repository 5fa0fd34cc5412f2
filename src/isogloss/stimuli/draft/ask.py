"""Ask a model for candidates, several for each item."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from isogloss.config.schema import Prices
from isogloss.errors import ItemError, ModelError
from isogloss.score.api.tally import cost_of
from isogloss.score.ask import Asker
from isogloss.score.backend import Backend, Decoding, Reply
from isogloss.score.requests import Text, TextRequest
from isogloss.stimuli.draft.prompt import messages_for
from isogloss.stimuli.draft.records import Attempt, Item, Provenance, Task
from isogloss.stimuli.draft.reply import read_candidate, schema_for

WHAT = "candidates"
_ROOM = 256
"""Tokens for the object around a text, and for the names of devices."""
_TOKENS_PER_BYTE = 0.75
"""A text takes about 0.25 tokens a byte; as often again what it was changed from and to."""
_DIGITS = 12


@dataclass(frozen=True)
class Drawing:
    """How candidates are drawn."""

    seed: int
    candidates: int = 3
    """Candidates for each item."""
    temperature: float | None = 0.8
    """None leaves it to a model that thinks before it replies."""
    top_p: float = 1.0
    max_new_tokens: int | None = None
    """Most tokens of a reply; None goes by the length of the text."""


@dataclass(frozen=True)
class Writer:
    """A model that is asked for candidates."""

    name: str
    """Name in the configuration."""
    backend: Backend
    asker: Asker
    prices: Prices | None = None


def ask_candidates(
    items: Sequence[Item], task: Task, writer: Writer, drawing: Drawing
) -> list[Attempt]:
    """Return every candidate of every item without fault, in the order of items and candidates.

    What a reply brings about is the outcome of its candidate, and the others go on. Raises
    `ModelError` when the model cannot be asked at all.
    """
    schema = schema_for(task.guise, bounded=writer.backend.begins_replies)
    asked = [
        (item, _request(item, task, drawing, number, schema))
        for item in items
        if not item.fault
        for number in range(drawing.candidates)
    ]
    texts = _write([request for _, request in asked], writer)
    return [
        _attempt(item, task, text, _provenance(writer, drawing, request, text), request.repeat + 1)
        for (item, request), text in zip(asked, texts, strict=True)
    ]


def fitted(item: Item, task: Task, backend: Backend) -> Item:
    """Return the item, at fault where the model would read a part of it as a control token."""
    if item.fault:
        return item
    try:
        backend.render(messages_for(item, task.guise), "")
    except ItemError as error:
        return replace(item, fault=str(error))
    return item


def _request(item: Item, task: Task, drawing: Drawing, number: int, schema: str) -> TextRequest:
    decoding = Decoding(
        max_new_tokens=drawing.max_new_tokens or _room_for(item.text),
        temperature=drawing.temperature or 0.0,
        top_p=drawing.top_p,
        seed=drawing.seed,
        json_schema=schema,
    )
    return TextRequest(messages_for(item, task.guise), decoding, repeat=number)


def _room_for(text: str) -> int:
    return _ROOM + ceil(_TOKENS_PER_BYTE * len(text.encode()))


def _write(requests: Sequence[TextRequest], writer: Writer) -> list[Text]:
    """Write all together; where a model that runs here refuses some, each by itself.

    Such a model refuses a prompt that is longer than it reads, and with it all that were put
    beside it. A server that cannot be asked fails for every prompt alike.
    """
    try:
        return writer.asker.write(requests, WHAT)
    except ModelError:
        if not writer.backend.begins_replies:
            raise
    return [_alone(request, writer) for request in requests]


def _alone(request: TextRequest, writer: Writer) -> Text:
    try:
        return writer.asker.write([request], WHAT)[0]
    except ModelError as error:
        prompt = writer.backend.render(request.messages, request.reply)
        return Text("error", str(error), prompt.sha256, None)


def _attempt(item: Item, task: Task, text: Text, origin: Provenance, candidate: int) -> Attempt:
    read = read_candidate(text, item, task)
    return Attempt(
        item,
        candidate,
        read.outcome,
        read.reason,
        origin,
        read.text,
        read.devices,
        read.changes,
        read.changes_hold,
    )


def _provenance(writer: Writer, drawing: Drawing, request: TextRequest, text: Text) -> Provenance:
    reply = text.reply or Reply("")
    digest = writer.backend.digest
    drawn = drawing.temperature is not None
    cost = _cost(writer.prices, reply)
    return Provenance(
        by=f"model:{writer.name}@{digest[:_DIGITS]}",
        model=writer.name,
        model_digest=digest,
        prompt_sha256=text.prompt_sha256,
        answered_by=reply.model,
        request_id=reply.request_id,
        answered_at=reply.answered_at,
        temperature=drawing.temperature,
        top_p=drawing.top_p if drawn else None,
        seed=drawing.seed,
        max_new_tokens=request.decoding.max_new_tokens,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        cost=cost,
        currency=None if cost is None or writer.prices is None else writer.prices.currency,
    )


def _cost(prices: Prices | None, reply: Reply) -> float | None:
    """What a reply cost; None without prices, or where the server did not count tokens."""
    if prices is None or reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    return cost_of(prices, reply.prompt_tokens, reply.completion_tokens)
