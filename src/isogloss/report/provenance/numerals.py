"""What counts as a number in a text: one rule for what is written, and for what is checked."""

import re
from collections.abc import Iterator

WORD = re.compile(r"[\u2212+-]?\w(?:[\w.,'\u2019-]*\w)?")
"""A word as far as numbers are concerned: `1,234`, `3.1-8b` and `10-point` are one each."""

_NUMBER = re.compile(r"[\u2212+-]?\d")
_HASH = re.compile(r"[0-9a-f]{32,}")
_DIGIT = re.compile(r"\d")
_ATTRIBUTES = re.compile(r"\]\{[^}]*\}")


def digit_words(text: str) -> Iterator[re.Match[str]]:
    """Yield the words that contain a digit, names such as `phi-4` among them."""
    return (match for match in WORD.finditer(text) if _DIGIT.search(match[0]))


def is_number(word: str) -> bool:
    """Say whether a word states a number: it begins with a digit, or a sign and a digit.

    A hash is no number, whatever it begins with.
    """
    return _NUMBER.match(word) is not None and _HASH.fullmatch(word) is None


def states_number(markdown: str) -> bool:
    """Say whether Markdown shows a number; attributes of spans and escapes are not shown."""
    shown = _ATTRIBUTES.sub("]", markdown).replace("\\", "")
    return any(is_number(match[0]) for match in digit_words(shown))
