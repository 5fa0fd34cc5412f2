"""Recognise replies in English that decline to answer, by documented patterns."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from isogloss.score.objects import objects
from isogloss.score.refusal_patterns import ANSWERED, CLASSES, LIMIT, PATTERNS

__all__ = ["CLASSES", "refusal"]

_HEAD, _TAIL = 2_000, 500
"""Characters read at the beginning and at the end of a longer reply."""

_OPENING = 4
"""Sentences at the beginning in which a reply declines, if it does; its last one counts too."""

_NEAR = 40
"""Characters after the words that decline in which a limit (`higher than`) makes them none."""

_QUOTED = re.compile(
    r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|`[^`\n]{0,400}`|^>[^\n]*"
    r"|(?<![\w'])'(?:[^'\n]|\b'\b){2,400}'(?!\w)|‘(?:[^’\n]|\b’\b){0,400}’"
    r"|(?:says?|said|writes?|wrote|states?|stated|reads|repl(?:ies|ied)): [^.\n]*"
    r"|\b(?:says|said|writes|wrote|states|mentions|claims|argues|thinks|believes)\b [^.\n]*",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def refusal(text: str, *, even_if_answered: bool = False) -> str | None:
    """Return the class of `CLASSES` that makes a reply a refusal, or None.

    Read are the beginning and the end of a long reply, quotations left out; of a JSON object, its
    texts. A reply that also gives an answer (`Rating: 2`, a number in a JSON field) is no refusal
    unless `even_if_answered`. Sentences about what others cannot do, and those that say how far an
    answer goes (`I cannot rate this higher than 3`), are none either. The patterns know English
    only.
    """
    leaves = _leaves(text)
    said = _plain(text, [leaf for leaf in leaves if isinstance(leaf, str)])
    answered = ANSWERED.search(said) is not None or any(map(_is_number, leaves))
    if answered and not even_if_answered:
        return None
    sentences = [sentence for part in _SENTENCE.split(said) if (sentence := part.strip())]
    sentences = [*sentences[:_OPENING], *sentences[_OPENING:][-1:]]
    for kind, patterns in PATTERNS.items():
        if any(_refuses(sentence, pattern) for pattern in patterns for sentence in sentences):
            return kind
    return None


def _refuses(sentence: str, pattern: re.Pattern[str]) -> bool:
    found = pattern.search(sentence)
    return found is not None and not LIMIT.search(sentence, found.end(), found.end() + _NEAR)


def _plain(text: str, leaves: Sequence[str]) -> str:
    """What the author of a reply says, in small letters; `leaves` are the texts in its JSON."""
    shown = text.strip()
    if len(shown) > _HEAD + _TAIL:
        shown = shown[:_HEAD] + "\n" + shown[-_TAIL:]
    if len(shown) > 1 and shown[0] in "\"“‘'" and shown[-1] in "\"”’'":
        shown = shown[1:-1]
    own = "\n".join([_QUOTED.sub(" ... ", shown), *(leaf[:_HEAD] for leaf in leaves)])
    return re.sub(r"[^\S\n]+", " ", re.sub(r"[*_#]", "", own)).replace("’", "'").lower()


def _leaves(text: str) -> list[Any]:
    """Texts, numbers and the like in the last JSON object of a reply."""
    found = objects(text)
    return list(_parts(found[-1].value)) if found else []


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _parts(part)
    else:
        yield value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
