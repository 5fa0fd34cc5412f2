"""One prompt at a time, without cache, batch or shared beginning: what the backend must equal."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, TypeVar

import torch

from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet, integer_field, rating_scale
from isogloss.score.backend import Answer, Batch, Decoding, ScoreTask, WriteTask
from isogloss.score.local.backend import LocalBackend
from isogloss.score.prompts import Message

TOLERANCE = 1e-5
"""Absolute, in probability: the bound for batching, order, shared prefixes and resuming in fp32."""

RATING = rating_scale(1, 5, "Rating: ")
TO_TEN = rating_scale(1, 10, "Rating: ")
DECISION = AnswerSet(
    ("advance", "advance with reservations", "do not advance"),
    (
        (" advance", " Advance"),
        (" advance with reservations",),
        (" do not advance", " Do not advance"),
    ),
    "Decision:",
)
YES_NO = AnswerSet(("yes", "no"), (("YES", "Yes", "yes"), ("NO", "No", "no")), "")
SCORE = integer_field("score", 1, 10)
RUBRIC = "Rate this answer from 1 to 5, weighing how clear it is. "

T = TypeVar("T")


def user(text: str) -> tuple[Message, ...]:
    return (Message("user", text),)


def asked(
    backend: LocalBackend, messages: Sequence[Message], answers: AnswerSet, reply: str = ""
) -> ScoreTask:
    return ScoreTask(backend.render(messages, reply + answers.reply_prefix), answers)


def questions(backend: LocalBackend) -> list[ScoreTask]:
    """Prompts of many lengths, with and without a shared beginning, with every kind of answer."""
    rng = Random(3)
    texts = ["".join(rng.choices("abcdefgh ij.", k=k)) for k in (1, 2, 17, 60, 110)]
    kinds = [RATING, TO_TEN, DECISION, YES_NO, RATING]
    rated = [asked(backend, user(RUBRIC + t), a) for t, a in zip(texts, kinds, strict=True)]
    stem = RUBRIC + "x" * 20
    family = ["", "y", "z" * 18 + "a", "z" * 18]
    siblings = [asked(backend, user(stem + text), RATING) for text in family]
    system = (Message("system", "be brief."), *user("who is it?"))
    turns = (*user("hello"), Message("assistant", "hi"), Message("user", "so?"))
    alone = [
        asked(backend, system, TO_TEN),
        asked(backend, turns, YES_NO, "Reason: it is so.\n"),
        asked(backend, turns, YES_NO),  # the prompt before, up to where its reply begins
        asked(backend, user("a"), YES_NO),
        asked(backend, user("ab"), TO_TEN),
        asked(backend, user("a"), SCORE),
        asked(backend, user(RUBRIC + texts[2]), SCORE),
    ]
    twice = [rated[1], asked(backend, user(RUBRIC + texts[1]), RATING)]
    return rated + siblings + alone + twice


def continuations(backend: LocalBackend, decoding: Decoding) -> list[WriteTask]:
    """The prompts of `questions`, each to be continued."""
    return [WriteTask(task.prompt, decoding) for task in questions(backend)]


def collected(batches: Iterable[Batch], number: int) -> list[Answer]:
    """Answers in the order of their tasks, of which each must be answered once."""
    pairs = [pair for batch in batches for pair in batch]
    assert sorted(i for i, _ in pairs) == list(range(number))
    return [answer for _, answer in sorted(pairs, key=lambda pair: pair[0])]


def read(backend: LocalBackend, tasks: Sequence[ScoreTask]) -> list[Any]:
    return collected(backend.read(tasks), len(tasks))


def written(backend: LocalBackend, tasks: Sequence[WriteTask]) -> list[Any]:
    return collected(backend.write(tasks), len(tasks))


def texts(backend: LocalBackend, tasks: Sequence[WriteTask]) -> list[str]:
    return [answer.text for answer in written(backend, tasks)]


def shuffled(items: Sequence[T], seed: int = 0) -> tuple[list[T], list[int]]:
    """Items in another order, and for each of them where it was."""
    order = list(range(len(items)))
    Random(seed).shuffle(order)
    return [items[i] for i in order], order


def gap(answers: Sequence[Any], wanted: Sequence[Sequence[float]]) -> float:
    """Largest difference in a probability; infinite where one is no number."""
    differences = [
        abs(a - b)
        for answer, row in zip(answers, wanted, strict=True)
        for a, b in zip(answer.probabilities, row, strict=True)
    ]
    return max(differences) if all(map(math.isfinite, differences)) else math.inf


def ids_of(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


@torch.no_grad()
def next_logs(model: Any, ids: Sequence[int]) -> torch.Tensor:
    """Log-probabilities of the token after `ids`, from one plain run over them."""
    logits = model(input_ids=torch.tensor([list(ids)]), use_cache=False).logits[0, -1]
    return torch.log_softmax(logits.double(), dim=-1)


def reference(local: LocalModel, task: ScoreTask) -> list[float]:
    """Probability of each label: sums of log-probabilities along each string's tokens.

    Where a longer string goes on from a shorter one, its probability is taken off. A number in a
    JSON field is followed by white space, a comma or a brace.
    """
    tokenizer = local.tokenizer
    start = ids_of(tokenizer, task.prompt.text)
    after = cache(lambda rest: next_logs(local.model, (*start, *rest)))
    spelled = {
        tuple(ids_of(tokenizer, task.prompt.text + variant)[len(start) :]): label
        for label, variants in enumerate(task.answers.variants)
        for variant in variants
    }
    totals = [0.0] * len(task.answers.labels)
    own: dict[tuple[int, ...], float] = {}
    for tokens in sorted(spelled, key=len, reverse=True):
        logs = [float(after(tokens[:i])[token]) for i, token in enumerate(tokens)]
        if task.answers.closed:
            own[tokens] = math.exp(math.fsum(logs)) * _ending(tokenizer, after(tokens).exp())
        else:
            longer = [p for other, p in own.items() if other[: len(tokens)] == tokens]
            own[tokens] = math.exp(math.fsum(logs)) - math.fsum(longer)
        totals[spelled[tokens]] += own[tokens]
    return totals


def _ending(tokenizer: Any, following: torch.Tensor) -> float:
    """Probability that what follows a number in a JSON object is no part of it."""
    total = 0.0
    for token in set(range(len(tokenizer))) - set(tokenizer.all_special_ids):
        text = tokenizer.decode([token])
        if text.strip(" \t\r\n")[:1] in {"", ",", "}"}:
            total += float(following[token])
    return total


@torch.no_grad()
def plain_greedy(local: LocalModel, task: WriteTask) -> str:
    """Greedy text from whole runs only: some models' own caches are in question."""
    ids = list(task.prompt.tokens)
    new: list[int] = []
    for _ in range(task.decoding.max_new_tokens):
        logits = local.model(input_ids=torch.tensor([ids + new]), use_cache=False).logits
        token = int(logits[0, -1].argmax())
        if token == local.tokenizer.eos_token_id:
            break
        new.append(token)
    text: str = local.tokenizer.decode(new)
    return text


def generated(local: LocalModel, task: WriteTask, ends: Sequence[int] = ()) -> tuple[str, bool]:
    """Text that transformers' own greedy generation writes, and whether it ended by itself."""
    tokenizer = local.tokenizer
    ends = ends or (tokenizer.eos_token_id,)
    start = list(task.prompt.tokens)
    ids = local.model.generate(
        torch.tensor([start]),
        attention_mask=torch.ones(1, len(start), dtype=torch.long),
        do_sample=False,
        max_new_tokens=task.decoding.max_new_tokens,
        pad_token_id=0,
        eos_token_id=list(ends),
    )[0, len(start) :].tolist()
    stops = [i for i, token in enumerate(ids) if token in ends]
    text: str = tokenizer.decode(ids[: stops[0]] if stops else ids)
    for mark in task.decoding.stop:
        text = text.partition(mark)[0]
    return text, bool(stops)


def again(tasks: Sequence[WriteTask], repeats: int) -> list[WriteTask]:
    """Every task `repeats` times, as draws of their own."""
    return [replace(task, repeat=k) for task in tasks for k in range(repeats)]
