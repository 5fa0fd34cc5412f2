"""Removal of the English articles, and the test that nothing but articles was removed."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from isogloss.validate.facts import bounded

_ARTICLE = re.compile(r"(?<![\w'\u2019/&.-])(a|an|the)(?![\w'\u2019/&-]|\.\w)[ \t]*", re.IGNORECASE)
_SENTENCE_ENDS = ".!?…\n"
_BEFORE_FIRST_WORD = " \t\"'\u201c\u2018(["
_BOUND = re.compile(r"\b(a (?:few|little))\b(?! bit)", re.IGNORECASE)
_PIECE = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class _Removed:
    text: str
    raised: frozenset[int]
    """Offsets of letters made capital because an article before them opened a sentence."""


def remove_articles(text: str) -> str:
    """Return a text without its articles, each sentence still opening with a capital.

    `a`, `an` and `the` are removed with the blank behind them wherever they are words of their
    own, in lower case or at the start of a sentence. A capital `A` or `The` inside a sentence is a
    label or part of a name (`plan A`, `The Hague`) and stays, as does one joined to another word
    (`A/B`).
    """
    return _remove(text).text


def find_articles(text: str) -> tuple[tuple[int, int], ...]:
    """Return the offsets of each article that `remove_articles` removes, half open."""
    return tuple(match.span(1) for match in _articles(text))


def count_articles(text: str) -> int:
    """Return how many articles `remove_articles` would remove."""
    return len(_articles(text))


def is_without_articles(text: str, reference: str) -> bool:
    """Tell whether a text is its reference without articles and not changed otherwise.

    Where a sentence of the reference opened with an article, the next word may have a capital or
    not; nothing else may differ, blanks included.
    """
    removed = _remove(reference)
    if len(text) != len(removed.text):
        return False
    return all(
        mine == theirs or (i in removed.raised and mine.upper() == theirs)
        for i, (mine, theirs) in enumerate(zip(text, removed.text, strict=True))
    )


def describe_other_changes(text: str, reference: str) -> str:
    """Say in words how a text differs from its reference without articles; empty if it does not."""
    if is_without_articles(text, reference):
        return ""
    parts = []
    if count_articles(text):
        parts.append(f"articles left: {count_articles(text)}")
    lost, added = _changes(remove_articles(text), remove_articles(reference))
    parts += [f"lost: {bounded(lost)}"] if lost else []
    parts += [f"added: {bounded(added)}"] if added else []
    return "; ".join(parts) or "spacing differs"


def bound_articles(text: str) -> tuple[str, ...]:
    """Return the phrases that mean something else without their article: `a few`, `a little`."""
    return tuple(match.group().lower() for match in _BOUND.finditer(text))


def _articles(text: str) -> list[re.Match[str]]:
    return [
        match
        for match in _ARTICLE.finditer(text)
        if match[1].islower() or _opens_sentence(text, match.start())
    ]


def _opens_sentence(text: str, i: int) -> bool:
    before = text[max(i - 80, 0) : i].rstrip(_BEFORE_FIRST_WORD)
    return not before or before[-1] in _SENTENCE_ENDS


def _remove(text: str) -> _Removed:
    kept, raised, position = "", set(), 0
    for match in _articles(text):
        if match.start() < position:  # an article behind an article, whose capital was just made
            continue
        kept += text[position : match.start()]
        position = match.end()
        if _opens_sentence(text, match.start()) and text[position : position + 1].islower():
            raised.add(len(kept))
            kept += text[position].upper()
            position += 1
    return _Removed(kept + text[position:], frozenset(raised))


def _changes(text: str, reference: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words and marks that only the reference, and only the text, has in their place."""
    old, new = _PIECE.findall(reference), _PIECE.findall(text)
    lost: list[str] = []
    added: list[str] = []
    for operation, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation != "equal":
            lost += old[i:j]
            added += new[k:m]
    return tuple(lost), tuple(added)
