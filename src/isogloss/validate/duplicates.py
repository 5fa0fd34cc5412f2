"""Questions that ask again what an earlier question of the set asked."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from isogloss.validate.similarity import Vector, cosine
from isogloss.validate.tokens import APOSTROPHES

_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")
_NOT_WORD = re.compile(r"[^\w]+|_+")


@dataclass(frozen=True)
class Nearest:
    """The earlier question that is closest in meaning to a question."""

    item_id: str
    """Item of the earlier question."""
    similarity: float
    """Cosine between the two questions."""


def comparison_form(question: str) -> str:
    """Return a question without case, punctuation and surplus blanks.

    A question without any letter or digit is returned as it is.
    """
    plain = _APOSTROPHE.sub("", unicodedata.normalize("NFKC", question)).casefold()
    return _NOT_WORD.sub(" ", plain).strip() or question


def find_repeats(questions: Mapping[str, str]) -> dict[str, str]:
    """Map each item whose question was asked before to the first item that asked it.

    `questions` maps item to question, in the order of the set. Two questions are the same when
    their comparison forms are.
    """
    first: dict[str, str] = {}
    repeats = {}
    for item_id, question in questions.items():
        earlier = first.setdefault(comparison_form(question), item_id)
        if earlier != item_id:
            repeats[item_id] = earlier
    return repeats


def find_nearest(
    questions: Mapping[str, str], vectors: Mapping[str, Vector], threshold: float
) -> dict[str, Nearest]:
    """Map each item to the closest earlier question that is not itself a repetition.

    Repetitions are exact repeats and questions at or above `threshold` of an earlier one; they are
    never named as the earlier question, so each is traced to the first that asked. A question is
    not compared with its own exact repeats. Items without an earlier question are left out.
    """
    repeats = find_repeats(questions)
    kept: list[str] = []
    nearest = {}
    for item_id, question in questions.items():
        others = [other for other in kept if other != repeats.get(item_id)]
        if others:
            nearest[item_id] = max(
                (Nearest(other, cosine(vectors, question, questions[other])) for other in others),
                key=lambda candidate: candidate.similarity,
            )
        is_near = item_id in nearest and nearest[item_id].similarity >= threshold
        if item_id not in repeats and not is_near:
            kept.append(item_id)
    return nearest
