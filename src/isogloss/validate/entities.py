"""Names of things in a text (people, places, products, technologies), found by their spelling."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.validate.spelling import in_word_list
from isogloss.validate.tokens import APOSTROPHES

_CHUNK = re.compile(r"\S+")
_EDGES = "\"'()[]{}<>,;:!?…*\u2018\u2019\u201c\u201d«»"
_POSSESSIVE = re.compile(rf"[{APOSTROPHES}]s?$")
_PRONOUN = re.compile(rf"I(?:[{APOSTROPHES}]\w+)?")
_ENDS_SENTENCE = re.compile(r"[.!?…:][\"'\u2019\u201d)\]]*$")
_WHOLE = re.compile(
    r"""
    \.?[A-Za-z]\w*(?:\+\+|\#)          # C++, C#, F#
    | \.[A-Z]{2,}                      # .NET
    | [A-Za-z]+\.(?:js|ts|py|io|ai|net|com|org)   # Node.js
    | [A-Z](?:[/&][A-Z])+              # A/B, R&D
    | [A-Z]{2,}(?:[/&][A-Z]{2,})+      # CI/CD, TCP/IP
    | [A-Z][A-Za-z]*-\d[\w.]*          # GPT-4, UTF-8
    | [A-Z][a-z]+-[A-Z]                # Big-O
    """,
    re.VERBOSE,
)
_MARKED = re.compile(
    r"""
    [A-Z]{2,}s?                        # SQL, APIs
    | [A-Za-z]+\d\w*                   # S3, EC2
    | \w*[a-z][A-Z]\w*                 # JavaScript, iOS
    | [A-Z]{2,}[a-z]\w*                # JSONPath
    """,
    re.VERBOSE,
)
_FIGURE_NAME = re.compile(
    r"\d+(?!(?:k|m|bn|x|s|h|hrs?|ms|[kmgt]b|st|nd|rd|th|am|pm)$)[a-z]\w*", re.IGNORECASE
)
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"
_CALENDAR = tuple(
    frozenset(name + ending for name in names.split() for ending in ("", "s"))
    for names in (_DAYS, _MONTHS)
)
_ABBREVIATIONS = frozenset({"e.g.", "i.e.", "vs.", "dr.", "mr.", "mrs.", "ms.", "prof.", "st."})


@dataclass(frozen=True)
class _Mention:
    name: str
    certain: bool
    """Whether the spelling shows a name; a capital at a sentence start does for unknown words."""


def compare_names(text: str, reference: str) -> tuple[Counter[str], Counter[str]]:
    """Count the names of two texts over the names that either of them shows beyond doubt.

    A name is a word with a capital inside a sentence, an acronym, or a word with a digit, a symbol
    or a capital in its middle (`EC2`, `C++`, `CI/CD`, `Node.js`, `GitHub`). A word with a capital
    at the start of a sentence counts when no word list has it, or the other text or another
    sentence shows it to be a name; so a name that is a word, too, and stands only at the start of a
    sentence of one text is not seen. Days of the week and months count where each text has
    another one.
    """
    mentions = [tuple(_mentions(text)), tuple(_mentions(reference))]
    known = {mention.name for side in mentions for mention in side if mention.certain}
    first, second = (Counter(m.name for m in side if m.name in known) for side in mentions)
    for names in _CALENDAR:
        _drop_dates(first, second, names)
    return first, second


def _drop_dates(first: Counter[str], second: Counter[str], names: frozenset[str]) -> None:
    """Leave out days or months, unless each text has one that the other has not."""
    mine, theirs = (Counter(n for n in side if n in names) for side in (first, second))
    if not (mine - theirs and theirs - mine):
        for name in names:
            del first[name], second[name]


def marked_names(text: str) -> tuple[str, ...]:
    """Return the names that a text shows by more than one capital at their start, in order.

    These are acronyms, and words with a figure, a symbol or a capital inside (`EC2`, `CI/CD`).
    """
    return tuple(m.name for m in _mentions(text) if m.certain and not _is_capitalised(m.name))


def _mentions(text: str) -> Iterator[_Mention]:
    for line in text.splitlines():
        opens = True
        for match in _CHUNK.finditer(line):
            yield from _in_chunk(match.group(), opens)
            opens = _ends_sentence(match.group())


def _ends_sentence(chunk: str) -> bool:
    abbreviation = chunk.lstrip("([").lower() in _ABBREVIATIONS
    return _ENDS_SENTENCE.search(chunk) is not None and not abbreviation


def _in_chunk(chunk: str, opens: bool) -> Iterator[_Mention]:
    word = _trim(chunk)
    if not word or _PRONOUN.fullmatch(word):
        return
    word = _POSSESSIVE.sub("", word)
    if _WHOLE.fullmatch(word):
        yield _Mention(word, certain=True)
        return
    for position, part in enumerate(re.split(r"[-/\u2013\u2014]", word)):
        yield from _in_part(_trim(part), opens and position == 0)


def _in_part(part: str, opens: bool) -> Iterator[_Mention]:
    if _MARKED.fullmatch(part) or _FIGURE_NAME.fullmatch(part):
        yield _Mention(_singular(part), certain=True)
    elif _is_capitalised(part):
        yield _Mention(part, certain=not opens or not in_word_list(part.lower()))


def _is_capitalised(part: str) -> bool:
    """Tell whether a word is written as a name: `Berlin`, `Éva`, the language `R`; not `A`, `I`."""
    if len(part) == 1:
        return part.isupper() and part not in "AI"
    return part.isalpha() and part[0].isupper() and part[1:].islower()


def _trim(chunk: str) -> str:
    """Strip the punctuation around a word but not the marks that belong to a name."""
    word = chunk.strip(_EDGES).rstrip(".").strip(_EDGES)
    return word if re.match(r"\.[A-Z]{2}", word) else word.lstrip(".")


def _singular(name: str) -> str:
    """Return an acronym without its plural `s`: `APIs` is `API`."""
    return name[:-1] if re.fullmatch(r"[A-Z]{2,}s", name) else name
