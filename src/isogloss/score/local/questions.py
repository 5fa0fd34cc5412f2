"""Distributions over answer sets: which next-token probabilities they need, and what comes out."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from isogloss.score.answers import CLOSE, AnswerSet, Spelling, answer_probabilities
from isogloss.score.local.trie import Tokens


@dataclass(frozen=True)
class Question:
    """A prompt's tokens and the spellings of the answers that may follow."""

    tokens: Tokens
    answers: AnswerSet
    spellings: tuple[Spelling, ...]


class Distributions:
    """Collects next-token probabilities until each question has all it needs.

    A question needs the probabilities after its prompt, after its prompt with each proper beginning
    of an answer of several tokens, and after each whole answer of a closed set. Each such point is
    a sequence of its own.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = questions
        self._wanted = [_next_tokens(question) for question in questions]
        self._found: list[dict[Tokens, dict[int, float]]] = [{} for _ in questions]
        points: dict[Tokens, list[tuple[int, Tokens]]] = defaultdict(list)
        for number, question in enumerate(questions):
            for path in self._wanted[number]:
                points[question.tokens + path].append((number, path))
        self._points = list(points.values())
        self.sequences: list[Tokens] = list(points)
        """Distinct sequences after which probabilities are needed."""

    def wanted(self, sequence: int) -> list[int]:
        """Tokens whose probability is needed after a sequence, and `CLOSE` where an answer ends."""
        points = self._points[sequence]
        return sorted({token for number, path in points for token in self._wanted[number][path]})

    def add(
        self, sequence: int, probabilities: Sequence[float]
    ) -> Iterator[tuple[int, tuple[float, ...]]]:
        """Yield the questions that have now all they need, with their answers' probabilities.

        `probabilities` are those of the tokens that are wanted after the sequence.
        """
        found = dict(zip(self.wanted(sequence), probabilities, strict=True))
        for number, path in self._points[sequence]:
            self._found[number][path] = found
            if len(self._found[number]) == len(self._wanted[number]):
                yield number, self._answer(number)

    def _answer(self, number: int) -> tuple[float, ...]:
        after = self._found[number]
        question = self._questions[number]
        result = answer_probabilities(
            question.answers, question.spellings, lambda path, token: after[path][token]
        )
        self._found[number] = {}
        return result


def _next_tokens(question: Question) -> dict[Tokens, set[int]]:
    """Tokens whose probability is needed, after each beginning of an answer that needs one."""
    wanted: dict[Tokens, set[int]] = defaultdict(set)
    for spelling in question.spellings:
        path = (*spelling.tokens, CLOSE) if question.answers.closed else spelling.tokens
        for i, token in enumerate(path):
            wanted[path[:i]].add(token)
    return wanted
