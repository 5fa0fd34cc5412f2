"""Put questions to a local model: stored answers are reused, new ones stored batch by batch."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from isogloss.errors import ModelError
from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet, spell
from isogloss.score.engine import (
    Prefix,
    Question,
    Tokens,
    batches,
    common_prefix,
    continue_batch,
    run_prefix,
    score_batch,
    sibling_batches,
)
from isogloss.score.progress import Progress
from isogloss.score.prompts import Message, Prompt, encode, render
from isogloss.score.responses import Outcome, Response
from isogloss.score.store import ResponseStore, continuation_key, score_key


@dataclass(frozen=True)
class Request:
    """A question for a distribution over an answer set."""

    messages: tuple[Message, ...]
    answers: AnswerSet
    reply: str = ""
    """Part of the reply that stands before the answer set's own reply prefix."""
    group: str = ""
    """Requests of one group share their beginning."""
    min_answer_mass: float = 0.0
    """Answer mass below which the reading is `low_mass`."""


@dataclass(frozen=True)
class Reading:
    """A model's distribution over an answer set."""

    outcome: Outcome
    reason: str | None
    prompt_sha256: str
    answer_mass: float | None
    probabilities: tuple[float, ...] | None
    """Renormalised over the answer set, in the order of its labels."""
    expected: float | None
    modal: str | None

    def onto(self, row: Response, answers: AnswerSet) -> Response:
        """Return the row with this reading in it."""
        return replace(
            row,
            outcome=self.outcome,
            reason=self.reason,
            prompt_sha256=self.prompt_sha256,
            answer_mass=self.answer_mass,
            answers=answers.labels,
            probabilities=self.probabilities,
            expected=self.expected,
            modal=self.modal,
        )


@dataclass(frozen=True)
class TextRequest:
    """A request for a greedy continuation of a reply."""

    messages: tuple[Message, ...]
    reply: str
    max_new_tokens: int
    stop: tuple[str, ...]
    """The text ends before the first of these strings."""
    group: str = ""


class Asker:
    """Asks one local model, with a store of answers already given."""

    def __init__(
        self,
        local: LocalModel,
        store: ResponseStore,
        *,
        batch_tokens: int,
        progress: Callable[[str, int, int], Progress],
    ) -> None:
        self._local = local
        self._store = store
        self._batch_tokens = batch_tokens
        self._progress = progress

    def score(self, requests: Sequence[Request], what: str) -> list[Reading]:
        """Return a reading for each request, in order."""
        prompts = [
            self._render(request.messages, request.reply + request.answers.reply_prefix)
            for request in requests
        ]
        digest = self._local.identity.digest
        keys = [
            score_key(digest, prompt.tokens, request.answers)
            for prompt, request in zip(prompts, requests, strict=True)
        ]
        questions = {
            key: self._question(prompt, request.answers)
            for key, prompt, request in zip(keys, prompts, requests, strict=True)
        }
        groups = {key: request.group for key, request in zip(keys, requests, strict=True)}

        def run(prefix: Prefix, chosen: Sequence[str]) -> list[Any]:
            return score_batch(self._local.model, prefix, [questions[key] for key in chosen])

        tokens = {key: question.tokens for key, question in questions.items()}
        for question in questions.values():
            longest = max(len(spelling.tokens) for spelling in question.spellings)
            self._check_length(len(question.tokens) + longest)
        values = self._answered(tokens, groups, run, sibling_batches, what)
        return [
            reading_of(values[key], request.answers, prompt.sha256, request.min_answer_mass)
            for key, prompt, request in zip(keys, prompts, requests, strict=True)
        ]

    def continue_(self, requests: Sequence[TextRequest], what: str) -> list[str]:
        """Return the greedy continuation of each request's reply, cut at its stop strings."""
        local = self._local
        prompts = [self._render(request.messages, request.reply) for request in requests]
        keys = [
            continuation_key(
                local.identity.digest, prompt.tokens, request.max_new_tokens, request.stop
            )
            for prompt, request in zip(prompts, requests, strict=True)
        ]
        by_key = dict(zip(keys, requests, strict=True))
        tokens = {key: prompt.tokens for key, prompt in zip(keys, prompts, strict=True)}
        for key, request in by_key.items():
            self._check_length(len(tokens[key]) + request.max_new_tokens)
        ends = _end_tokens(local)

        def run(prefix: Prefix, chosen: Sequence[str]) -> list[Any]:
            limit = max(by_key[key].max_new_tokens for key in chosen)
            written = continue_batch(
                local.model,
                prefix,
                [tokens[key] for key in chosen],
                max_new_tokens=limit,
                stop=ends,
            )
            return [
                local.tokenizer.decode(new[: by_key[key].max_new_tokens])
                for key, new in zip(chosen, written, strict=True)
            ]

        groups = {key: f"{r.group} {r.max_new_tokens}" for key, r in by_key.items()}
        values = self._answered(tokens, groups, run, batches, what)
        return [_cut(values[key], by_key[key].stop) for key in keys]

    def _answered(
        self,
        tokens: dict[str, Tokens],
        groups: dict[str, str],
        run: Callable[[Prefix, Sequence[str]], list[Any]],
        split: Callable[[Sequence[Tokens], int], Iterable[list[int]]],
        what: str,
    ) -> dict[str, Any]:
        """Values by key: from the store, else computed group by group and stored."""
        stored = {key: self._store.get(key) for key in tokens}
        values = {key: value for key, value in stored.items() if value is not None}
        open_keys = [key for key in tokens if key not in values]
        with self._progress(what, len(tokens), len(values)) as progress:
            for group in dict.fromkeys(groups[key] for key in open_keys):
                chosen = [key for key in open_keys if groups[key] == group]
                length = common_prefix([tokens[key] for key in chosen])
                prefix = run_prefix(self._local.model, tokens[chosen[0]][:length])
                tails = [tokens[key][length:] for key in chosen]
                for batch in split(tails, self._batch_tokens):
                    batch_keys = [chosen[i] for i in batch]
                    found = dict(zip(batch_keys, run(prefix, batch_keys), strict=True))
                    self._store.put((k, value) for k, value in found.items() if _is_answer(value))
                    values.update(found)
                    progress.advance(len(batch))
        return values

    def _check_length(self, length: int) -> None:
        if length > self._local.max_tokens:
            raise ModelError(
                f"model {self._local.identity.name} reads at most {self._local.max_tokens} tokens "
                f"at once, a prompt with its answer has {length}; shorten the items or use a "
                "model with a longer context"
            )

    def _render(self, messages: Sequence[Message], reply: str) -> Prompt:
        return render(messages, reply, self._local.tokenizer)

    def _question(self, prompt: Prompt, answers: AnswerSet) -> Question:
        spellings = spell(answers, prompt.text, lambda text: encode(text, self._local.tokenizer))
        return Question(prompt.tokens, answers, spellings)


def reading_of(
    raw: Sequence[float], answers: AnswerSet, prompt_sha256: str, min_answer_mass: float
) -> Reading:
    """Turn probabilities over the answer set into a reading.

    `answer_mass` is their sum m; the renormalised distribution is p/m, the expected value of a
    numeric set sum(label * p/m), the modal answer the first label of largest p. A mass below
    `min_answer_mass`, or of 0, is `low_mass` without value; a mass that is not finite is `error`.
    """
    mass = math.fsum(raw)
    if not math.isfinite(mass):
        return Reading("error", "the model gave no finite probability", prompt_sha256, *_NOTHING)
    if mass <= 0.0 or mass < min_answer_mass:
        reason = f"answer mass {mass:.3g} is below {min_answer_mass:g}"
        return Reading("low_mass", reason, prompt_sha256, mass, None, None, None)
    shares = tuple(value / mass for value in raw)
    expected = None
    if answers.numeric:
        pairs = zip(answers.labels, shares, strict=True)
        expected = math.fsum(float(label) * share for label, share in pairs)
    modal = answers.labels[max(range(len(shares)), key=lambda i: shares[i])]
    return Reading("ok", None, prompt_sha256, mass, shares, expected, modal)


_NOTHING = (None, None, None, None)


def _is_answer(value: Any) -> bool:
    """Whether a value may be replayed: a text, or probabilities that are all numbers."""
    return isinstance(value, str) or all(map(math.isfinite, value))


def _end_tokens(local: LocalModel) -> set[int]:
    """Tokens that end a reply: the tokenizer's own, and those the model was published with."""
    given = local.model.generation_config.eos_token_id
    listed = given if isinstance(given, list) else [given]
    return {int(token) for token in (*listed, local.tokenizer.eos_token_id) if token is not None}


def _cut(text: str, stop: Sequence[str]) -> str:
    ends = [text.find(mark) for mark in stop if mark in text]
    return text[: min(ends)].strip() if ends else text.strip()
