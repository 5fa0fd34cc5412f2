"""The three workloads: prompts that share long beginnings, as chat messages and answer sets."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import texts
from isogloss.errors import IsoglossError
from isogloss.score.answers import AnswerSet, Encode, rating_scale, spell
from isogloss.score.backend import ScoreTask
from isogloss.score.prompts import Message, Prompt

RATING = rating_scale(1, 5, "Rating: ")
YES_NO = AnswerSet(("yes", "no"), ((" Yes",), (" No",)), "Answer:")
ITEMS = Path("data") / "stimuli" / "hedging"
"""Where the interview answers are, relative to the project."""
GUISES = ("confident", "hedged")


class BenchmarkError(IsoglossError):
    """The benchmark cannot be run as asked, or what it measured must not be shown."""


@dataclass(frozen=True)
class Question:
    """A rendered prompt with its answers, each of which is a single token."""

    task: ScoreTask
    answers: tuple[int, ...]
    """The token of each label."""

    @property
    def tokens(self) -> tuple[int, ...]:
        """Token ids of the prompt."""
        return self.task.prompt.tokens


@dataclass(frozen=True)
class Size:
    """How much of the workloads is built."""

    answers: int = 200
    texts: int = 300
    conversations: int = 3
    questions: int = 100


Render = Callable[[Sequence[Message], str], Prompt]
"""Messages and the beginning of the reply to the prompt that a model reads."""
Ask = Callable[[Sequence[Message], AnswerSet], Question]
Builder = Callable[[Ask, Path, Size], Iterator[Question]]


def answers_with_rubric(ask: Ask, project: Path, size: Size) -> Iterator[Question]:
    """W1: interview answers, two guises to a question, after one rubric, rated from 1 to 5."""
    for item in _items(project, size.answers):
        yield ask([Message("user", f"{texts.RUBRIC}\n\n{item}")], RATING)


def texts_by_traits(ask: Ask, project: Path, size: Size) -> Iterator[Question]:  # noqa: ARG001
    """W2: short texts after a shared task, each followed by each of the traits."""
    for text in texts.short_texts(size.texts):
        for trait in texts.TRAITS:
            asked = f"{texts.TRAIT_TASK}{text}\nTrait: {trait}"
            yield ask([Message("user", asked)], RATING)


def conversations_by_questions(ask: Ask, project: Path, size: Size) -> Iterator[Question]:  # noqa: ARG001
    """W3: conversations, each followed by many questions to be answered with yes or no."""
    for index in range(size.conversations):
        yield from about_conversation(ask, index, size.questions)


def about_conversation(ask: Ask, index: int, count: int) -> Iterator[Question]:
    """Yield the first `count` questions about one conversation."""
    turns = texts.conversation(index)
    for question in texts.yes_no_questions()[:count]:
        yield ask([*turns, Message("user", question)], YES_NO)


WORKLOADS: Mapping[str, Builder] = {
    "W1": answers_with_rubric,
    "W2": texts_by_traits,
    "W3": conversations_by_questions,
}


def asker(render: Render, encode: Encode) -> Ask:
    """Return what renders messages once, with the beginning of the reply.

    Raises `BenchmarkError` where an answer has more than one token: the peers compare one.
    """

    def ask(messages: Sequence[Message], answers: AnswerSet) -> Question:
        prompt = render(messages, answers.reply_prefix)
        return Question(ScoreTask(prompt, answers), _single_tokens(answers, prompt, encode))

    return ask


def _single_tokens(answers: AnswerSet, prompt: Prompt, encode: Encode) -> tuple[int, ...]:
    spellings = spell(answers, prompt.text, encode)
    if any(len(spelling.tokens) != 1 for spelling in spellings):
        raise BenchmarkError(f"the answers {answers.labels} must be single tokens of this model")
    return tuple(spelling.tokens[0] for spelling in spellings)


def _items(project: Path, count: int) -> Iterator[str]:
    """Questions with their answers, written as the study of hedging writes them."""
    rows = _rows(project / ITEMS / "items.csv")
    found = [(row["question"], row[guise]) for guise in GUISES for row in rows]
    if len(found) < count:
        raise BenchmarkError(f"{ITEMS / 'items.csv'}: {count} answers wanted, {len(found)} found")
    for question, answer in found[:count]:
        yield f"Question: {question}\nAnswer: {answer}"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
