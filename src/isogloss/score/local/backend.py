"""A model that runs here through transformers, as a backend."""

import json
import logging
from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import torch

from isogloss.errors import ModelError
from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet, Spelling, fit_prefix, spell
from isogloss.score.backend import Answer, Batch, Distribution, Estimate, ScoreTask, WriteTask
from isogloss.score.local.closing import closing_tokens
from isogloss.score.local.constrain import JsonConstraint
from isogloss.score.local.memory import budget_of, state_bytes
from isogloss.score.local.questions import Distributions, Question
from isogloss.score.local.read import Logits, next_probabilities, read_shared, read_whole
from isogloss.score.local.replies import Writing, end_tokens
from isogloss.score.local.trie import Tokens, build_trie
from isogloss.score.local.write import batches_of, write_alone, write_together
from isogloss.score.prompts import Message, Prompt, encode, render

_SEEN = 32
"""Characters at the end of a begun reply that may share a token with what follows."""

_logger = logging.getLogger("isogloss")


class LocalBackend:
    """Answers from one loaded model, within a bound on working memory."""

    begins_replies = True

    def __init__(self, local: LocalModel, *, memory_mb: int = 1024, share: bool = True) -> None:
        """Prepare to answer; without `share` every prompt is read as a whole.

        `memory_mb` bounds what scoring holds beside the weights, in MiB.
        """
        self._local = local
        self._memory_mb = memory_mb
        self._memory = memory_mb * 2**20
        self._budget = budget_of(local.model, memory_mb)
        self._shareable = local.running.sharing.length if share else 0
        self._controls = tuple(local.tokenizer.all_special_tokens)
        self._ends = end_tokens(local.model, local.tokenizer)
        self._spelled: dict[tuple[str, AnswerSet], tuple[Spelling, ...]] = {}
        self._fitted: dict[tuple[AnswerSet, str], AnswerSet] = {}
        self._constraints: dict[str, JsonConstraint] = {}
        self._told = not share

    @property
    def digest(self) -> str:
        """Digest of the model's identity."""
        return self._local.identity.digest

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:
        """Return the prompt as the model reads it, its reply begun with `reply`."""
        return render(messages, reply, self._local.tokenizer, self._local.render_options)

    def fit(self, answers: AnswerSet, reply: str) -> AnswerSet:
        """Return the answers with their white space where the tokenizer has a token boundary.

        What stands before them, the template's own words and the end of `reply`, decides; it is
        worked out once. Raises `AnswerError` when no arrangement of the space fits.
        """
        key = (answers, reply[-_SEEN:])
        if key not in self._fitted:
            before = self.render([Message("user", "?")], reply[-_SEEN:]).text
            self._fitted[key] = fit_prefix(answers, before, self._encode)
        return self._fitted[key]

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        """Yield each task's distribution; raises `ModelError` for a prompt that is too long."""
        collected = Distributions([self._question(task) for task in tasks])
        for sequence in collected.sequences:
            self._check_length(len(sequence) + 1)
        closing = self._closing if any(task.answers.closed for task in tasks) else None
        for logits in self._logits(collected.sequences):
            wanted = [collected.wanted(sequence) for sequence in logits.sequences]
            found = next_probabilities(logits.rows, wanted, closing)
            yield [
                (number, Distribution(answers))
                for sequence, probabilities in zip(logits.sequences, found, strict=True)
                for number, answers in collected.add(sequence, probabilities)
            ]

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        """Yield each task's reply; raises `ModelError` for a prompt that is too long."""
        writings = [self._writing(task) for task in tasks]
        number = {id(writing): i for i, writing in enumerate(writings)}
        together = [w for w in writings if self._most_tokens(w) <= self._shareable]
        # Twice: as it was read, and as the row that the reply goes on from.
        size = 2 * state_bytes(self._local.model)
        for batch in batches_of(together, bytes_each_token=size, memory=self._memory):
            write_together(self._local.model, batch, self._budget)
            yield [(number[id(writing)], _answer(writing)) for writing in batch]
        keeps_state = self._local.running.fallback.keeps_state
        for writing in writings:
            if self._most_tokens(writing) > self._shareable:
                self._tell()
                write_alone(self._local.model, writing, keeps_state=keeps_state)
                yield [(number[id(writing)], _answer(writing))]

    def estimate(self, tasks: Sequence[ScoreTask | WriteTask]) -> Estimate:
        """Count tasks, tokens to be read (shared beginnings once) and tokens to be written."""
        written = [task for task in tasks if isinstance(task, WriteTask)]
        prompts = [task.prompt.tokens for task in tasks]
        return Estimate(
            requests=len(tasks),
            prompt_tokens=build_trie(prompts, self._budget.tokens).size,
            completion_tokens=sum(task.decoding.max_new_tokens for task in written),
        )

    def _logits(self, sequences: Sequence[Tokens]) -> Iterator[Logits]:
        """Logits after each sequence, shared as far as the model allows."""
        shared = [i for i, tokens in enumerate(sequences) if len(tokens) <= self._shareable]
        whole = [i for i, tokens in enumerate(sequences) if len(tokens) > self._shareable]
        model = self._local.model
        single = self._local.running.fallback.rows == "single"
        if whole:
            self._tell()
        ways = (
            (shared, read_shared),
            (whole, partial(read_whole, single=single)),
        )
        for numbers, read in ways:
            chosen = [sequences[i] for i in numbers]
            longest = max(map(len, chosen), default=0)
            budget = budget_of(model, self._memory_mb, kept_tokens=longest)
            for found in read(model, chosen, budget):
                yield Logits(tuple(numbers[i] for i in found.sequences), found.rows)

    @cached_property
    def _closing(self) -> torch.Tensor:
        size = self._local.model.get_output_embeddings().weight.shape[0]
        return closing_tokens(self._local.tokenizer, size)

    def _tell(self) -> None:
        """Say once that prompts are read as a whole, which takes longer, and why."""
        if not self._told:
            self._told = True
            running = self._local.running
            reasons = [r for r in (running.sharing.reason, running.fallback.reason) if r]
            name = self._local.identity.name
            _logger.info("%s: prompts are read whole: %s", name, "; ".join(reasons))

    def _question(self, task: ScoreTask) -> Question:
        return Question(task.prompt.tokens, task.answers, self._spellings(task))

    def _spellings(self, task: ScoreTask) -> tuple[Spelling, ...]:
        """Spellings of the answers after a prompt, worked out once for prompts that end alike."""
        ending = self._ending(task.prompt)
        key = (ending, task.answers)
        if key not in self._spelled:
            self._spelled[key] = spell(task.answers, ending, self._encode)
        return self._spelled[key]

    def _ending(self, prompt: Prompt) -> str:
        """What follows the prompt's last control token, that token included.

        Control tokens are cut out of a text before the rest is made into tokens, so what comes
        before one does not change how the text after it is spelled. Where the ending's own tokens
        are not the prompt's last tokens, which a tokenizer may bring about, it is the whole prompt.
        """
        marks = (prompt.text.rfind(token) for token in self._controls)
        ending = prompt.text[max(0, *marks) :]
        tokens = self._encode(ending)
        return ending if prompt.tokens[-len(tokens) :] == tokens else prompt.text

    def _encode(self, text: str) -> Tokens:
        return encode(text, self._local.tokenizer)

    def _writing(self, task: WriteTask) -> Writing:
        self._check_length(len(task.prompt.tokens) + task.decoding.max_new_tokens)
        schema = task.decoding.json_schema
        started = None if schema is None else self._constraint(schema).start()
        return Writing(task, self._ends, self._local.tokenizer.decode, started)

    def _constraint(self, schema: str) -> JsonConstraint:
        if schema not in self._constraints:
            size = self._local.model.get_output_embeddings().weight.shape[0]
            self._constraints[schema] = JsonConstraint(
                json.loads(schema), self._local.tokenizer, size, end_tokens=self._ends
            )
        return self._constraints[schema]

    @staticmethod
    def _most_tokens(writing: Writing) -> int:
        return len(writing.task.prompt.tokens) + writing.task.decoding.max_new_tokens

    def _check_length(self, length: int) -> None:
        longest = self._local.running.max_tokens
        if length > longest:
            raise ModelError(
                f"model {self._local.identity.name} reads at most {longest} tokens "
                f"at once, a prompt with its answer has {length}; shorten the items or use a "
                "model with a longer context"
            )


def _answer(writing: Writing) -> Answer:
    assert writing.answer is not None
    return writing.answer
