"""Put questions to a model: stored answers are reused, new ones stored batch by batch."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Protocol, TypeGuard, TypeVar

from isogloss.score.backend import (
    Answer,
    Backend,
    Batch,
    Decoding,
    Distribution,
    Reply,
    ScoreTask,
    WriteTask,
    from_stored,
    to_stored,
)
from isogloss.score.progress import Progress
from isogloss.score.requests import (
    Reading,
    ReasonedRequest,
    Request,
    Text,
    TextRequest,
    reading_of,
    text_of,
)
from isogloss.score.store import Key, canonical

WINDOW = 4096
"""Requests whose prompts are held at once."""

T = TypeVar("T", ScoreTask, WriteTask)


class Store(Protocol):
    """Where answers are kept; see `isogloss.score.store.ResponseStore`."""

    def get(self, keys: Iterable[Key]) -> dict[Key, dict[str, Any]]:
        """Return the stored values of those keys that have one."""

    def put(self, entries: Iterable[tuple[Key, dict[str, Any]]]) -> None:
        """Store values in one transaction."""


class Asker:
    """Asks one model, with a store of answers already given."""

    def __init__(
        self,
        backend: Backend,
        store: Store,
        *,
        progress: Callable[[str, int], Progress],
    ) -> None:
        self._backend = backend
        self._store = store
        self._progress = progress

    def score(self, requests: Sequence[Request], what: str) -> list[Reading]:
        """Return a reading for each request, in order."""
        return list(self.stream(requests, len(requests), what))

    def stream(self, requests: Iterable[Request], total: int, what: str) -> Iterator[Reading]:
        """Yield a reading for each of `total` requests, in order.

        Requests are taken a window at a time, so that neither they nor their prompts need to be
        held at once; what prompts of different windows begin with is read again.
        """
        with self._progress(what, total) as progress:
            remaining = iter(requests)
            while window := list(islice(remaining, WINDOW)):
                tasks = [self._score_task(request) for request in window]
                keys = [self._score_key(task) for task in tasks]
                answers = self._answers(tasks, keys, self._backend.read, progress)
                for request, task, answer in zip(window, tasks, answers, strict=True):
                    yield reading_of(
                        answer, request.answers, task.prompt.sha256, request.min_answer_mass
                    )

    def reason(self, requests: Sequence[ReasonedRequest], what: str) -> list[Reading]:
        """Return a reading with its reasons for each request, in order.

        A model whose reply can be begun writes its reasons up to `stop` and is then read where the
        answer follows; any other writes reasons and answer at one go. In the first case the
        reading's text is the reasons, with their opening, in the second the whole reply. Reasons
        that refuse are a refusal in the first case, and no answer is read after them; a reply at
        one go that gives an answer is none, whatever its reasons say.
        """
        if not self._backend.begins_replies:
            return self.score([_at_one_go(request) for request in requests], what)
        texts = self.write([_reasons(request) for request in requests], f"{what}: reasons")
        replies = [_begun(r, text) for r, text in zip(requests, texts, strict=True)]
        going_on = [text.outcome == "ok" for text in texts]
        after = [
            _after_reasons(request, reply)
            for request, reply, goes_on in zip(requests, replies, going_on, strict=True)
            if goes_on and reply is not None
        ]
        readings = iter(self.score(after, what))
        return [
            replace(next(readings), text=reply)
            if goes_on
            else Reading(text.outcome, text.reason, text.prompt_sha256, text=reply)
            for text, reply, goes_on in zip(texts, replies, going_on, strict=True)
        ]

    def write(self, requests: Sequence[TextRequest], what: str) -> list[Text]:
        """Return a text for each request, in order."""
        tasks = [
            WriteTask(self._backend.render(r.messages, r.reply), r.decoding, r.repeat)
            for r in requests
        ]
        keys = [self._write_key(task) for task in tasks]
        with self._progress(what, len(tasks)) as progress:
            answers = self._answers(tasks, keys, self._backend.write, progress)
        return [
            text_of(answer, task.prompt.sha256) for answer, task in zip(answers, tasks, strict=True)
        ]

    def _answers(
        self,
        tasks: Sequence[T],
        keys: Sequence[Key],
        run: Callable[[Sequence[T]], Iterator[Batch]],
        progress: Progress,
    ) -> list[Answer]:
        """Answers in the order of the tasks: from the store, else asked for and stored."""
        by_key = dict(zip(keys, tasks, strict=True))
        found: dict[Key, Answer] = {
            key: from_stored(value) for key, value in self._store.get(by_key).items()
        }
        progress.reuse(sum(key in found for key in keys))
        waiting = [key for key in by_key if key not in found]
        alike = Counter(keys)
        for batch in run([by_key[key] for key in waiting]) if waiting else ():
            answered = {waiting[i]: answer for i, answer in batch}
            kept = {key: to_stored(a) for key, a in answered.items() if _may_be_kept(a)}
            self._store.put(kept.items())
            # Where another run was first, its answer stays in the store, and counts here too.
            stored = {key: from_stored(value) for key, value in self._store.get(kept).items()}
            found |= answered | stored
            progress.advance(sum(alike[key] for key in answered))
        return [found[key] for key in keys]

    def _score_task(self, request: Request) -> ScoreTask:
        if not self._backend.begins_replies:
            prompt = self._backend.render(request.messages, request.reply)
            # A server lists what goes on from the number that it wrote, not from the others.
            answers = replace(request.answers, closed=False)
            return ScoreTask(prompt, answers, request.reasons_tokens)
        answers = self._backend.fit(request.answers, request.reply)
        prompt = self._backend.render(request.messages, request.reply + answers.reply_prefix)
        return ScoreTask(prompt, answers)

    def _score_key(self, task: ScoreTask) -> Key:
        answers = asdict(task.answers)
        if not task.answers.closed:
            # Answers that were stored before sets could be closed keep their keys.
            del answers["closed"]
        spec = canonical({"score": answers, "reasons_tokens": task.reasons_tokens})
        return Key(self._backend.digest, task.prompt.sha256, spec)

    def _write_key(self, task: WriteTask) -> Key:
        spec = canonical({"write": asdict(task.decoding)})
        return Key(self._backend.digest, task.prompt.sha256, spec, task.repeat)


def _at_one_go(request: ReasonedRequest) -> Request:
    return Request(
        request.messages,
        request.answers,
        min_answer_mass=request.min_answer_mass,
        reasons_tokens=request.max_new_tokens,
    )


def _reasons(request: ReasonedRequest) -> TextRequest:
    decoding = Decoding(request.max_new_tokens, stop=(request.stop,))
    return TextRequest(request.messages, decoding, request.opening)


def _begun(request: ReasonedRequest, text: Text) -> str | None:
    """The reply with its opening, as far as the reasons go."""
    return None if text.reply is None else f"{request.opening} {text.reply.text.strip()}"


def _after_reasons(request: ReasonedRequest, reply: str) -> Request:
    return Request(request.messages, request.answers, f"{reply}\n", request.min_answer_mass)


def _may_be_kept(answer: Answer) -> TypeGuard[Distribution | Reply]:
    """Whether an answer may be replayed: a text, or probabilities that are all numbers."""
    if isinstance(answer, Distribution):
        return all(map(math.isfinite, answer.probabilities))
    return isinstance(answer, Reply)
