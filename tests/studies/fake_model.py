"""A stand-in for a model, under a real asker."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from isogloss.score.answers import AnswerSet
from isogloss.score.ask import Asker
from isogloss.score.backend import (
    Answer,
    Batch,
    Distribution,
    Estimate,
    Reply,
    ScoreTask,
    WriteTask,
)
from isogloss.score.progress import Progress
from isogloss.score.prompts import Message, Prompt
from isogloss.score.store import Key

REFUSAL = "I'm sorry, but I can't help with judging this person."


def shares(text: str, count: int) -> tuple[float, ...]:
    """Return `count` probabilities, not summing to 1, decided by the text alone."""
    digest = hashlib.sha256(text.encode()).digest()
    return tuple((1 + digest[i]) / 2000 for i in range(count))


def likeliest(prompt: str, answers: AnswerSet) -> str:
    """Return the label to which `shares` gives most."""
    found = shares(prompt, len(answers.labels))
    return answers.labels[found.index(max(found))]


def written_number(prompt: str) -> int:
    """Return the whole number that the model writes where a schema asks for one."""
    return 1 + hashlib.sha256(prompt.encode()).digest()[-1] % 12


@dataclass
class FakeModel:
    """Answers at once, and keeps what it was asked, by what the study said it asks for."""

    serves: bool = False
    """Whether it is like a server without log-probabilities: every reply is a whole text."""
    silent: str = "\0"
    """A prompt with this text in it gets no answer mass."""
    offended: str = "\0"
    """A prompt with this text in it gets a refusal, where a text is written."""
    scored: dict[str, list[ScoreTask]] = field(default_factory=dict)
    written: dict[str, list[WriteTask]] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)
    digest: str = "fake"

    @property
    def asker(self) -> Asker:
        """An asker of this model whose store is empty."""
        return Asker(self, Memory(), progress=self._announce)

    @property
    def begins_replies(self) -> bool:
        return not self.serves

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:
        text = "\n".join(message.content for message in messages)
        return Prompt(f"{text}\n{reply}", messages=(*messages, Message("assistant", reply)))

    def fit(self, answers: AnswerSet, reply: str) -> AnswerSet:  # noqa: ARG002
        return answers

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        self.scored.setdefault(self.announced[-1], []).extend(tasks)
        yield [(i, self._answer(task)) for i, task in enumerate(tasks)]

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        self.written.setdefault(self.announced[-1], []).extend(tasks)
        yield [(i, Reply(self._text(task))) for i, task in enumerate(tasks)]

    def _text(self, task: WriteTask) -> str:
        if self.offended in task.prompt.text:
            return REFUSAL
        if task.decoding.json_schema is None:
            return f" because {shares(task.prompt.text, 1)[0]}"
        (name,) = json.loads(task.decoding.json_schema)["properties"]
        return f'{{"{name}": {written_number(task.prompt.text)}}}'

    def estimate(self, tasks: Sequence[ScoreTask | WriteTask]) -> Estimate:
        raise NotImplementedError

    def _answer(self, task: ScoreTask) -> Answer:
        text, answers = task.prompt.text, task.answers
        if not self.serves:
            found = shares(text, len(answers.labels))
            return Distribution(tuple(0.0 for _ in found) if self.silent in text else found)
        if self.offended in text:
            return Reply(REFUSAL)
        reasons = "Reasoning: It is to the point.\n" if task.reasons_tokens else ""
        end = "" if answers.json_field is None else "}"
        return Reply(f"{reasons}{answers.reply_prefix.strip()} {likeliest(text, answers)}{end}")

    def _announce(self, what: str, total: int) -> Progress:
        self.announced.append(what)
        return Quiet(what, total)


class Quiet(Progress):
    """Says nothing."""

    def __init__(self, what: str, total: int) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def reuse(self, count: int) -> None: ...

    def advance(self, count: int) -> None: ...


class Memory:
    """Keeps answers as long as it lives."""

    def __init__(self) -> None:
        self._kept: dict[Key, dict[str, Any]] = {}

    def get(self, keys: Iterable[Key]) -> dict[Key, dict[str, Any]]:
        return {key: self._kept[key] for key in keys if key in self._kept}

    def put(self, entries: Iterable[tuple[Key, dict[str, Any]]]) -> None:
        self._kept.update(entries)
