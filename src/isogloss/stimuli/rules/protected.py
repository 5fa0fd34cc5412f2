"""Stretches of a text that no rule changes: quotations, code, addresses, figures, names."""

import re

from isogloss.stimuli.rules.rewriting import Region
from isogloss.validate.tokens import Token, tokenise

_QUOTED = re.compile(
    r"""
    ```.*?(?:```|\Z)                              # fenced code, to the end if it is left open
    | `[^`\n]+`
    | "(?:[^"\n]|\n(?!\n)){0,2000}"
    | \u201c[^\u201c\u201d]{0,2000}\u201d
    | \u00ab[^\u00ab\u00bb]{0,2000}\u00bb
    | (?<!\w)\u2018[^\u2018\u2019\n]{1,300}\u2019(?!\w)
    | (?<![\w.,;!?])'[^'\n]{1,300}'(?!\w)
    """,
    re.VERBOSE | re.DOTALL,
)
_CHUNK = re.compile(r"\S+")
_MARKED = re.compile(r"[\d_={}<>|\\@#]|://|^www\.|\w/\w|\.(?:com|org|net|io|ai|dev|edu|gov|uk)\b")
_EDGES = ".,;:!?)]\"'\u2019\u201d"
_LINK = re.compile(r"[ \t]+(?:(?:of|and|the|for|de|&)[ \t]+){0,2}")


def protected_regions(text: str) -> tuple[Region, ...]:
    """Return the stretches that stay as they are, sorted and apart.

    They are quotations, code, whatever is written with a figure or a sign of addresses, paths and
    identifiers, and names: words with a capital inside a sentence or inside the word, with what
    links them (`Bank of America`).
    """
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    marked = [_trimmed(m) for m in _CHUNK.finditer(text) if _MARKED.search(m.group())]
    return _merged([*quoted, *marked, *_names(text)])


def _trimmed(chunk: re.Match[str]) -> Region:
    return chunk.start(), chunk.start() + len(chunk.group().rstrip(_EDGES))


def is_name(token: Token) -> bool:
    """Tell whether a word is written as a name."""
    if token.word == "i" or token.word.startswith("i'"):
        return False
    capital = token.raw[0].isupper() and not token.opens_sentence
    return capital or any(c.isupper() for c in token.raw[1:])


def _names(text: str) -> list[Region]:
    regions: list[Region] = []
    for token in tokenise(text):
        if not is_name(token):
            continue
        linked = regions and _LINK.fullmatch(text, regions[-1][1], token.start)
        start = regions.pop()[0] if linked else token.start
        regions.append((start, token.end))
    return regions


def _merged(regions: list[Region]) -> tuple[Region, ...]:
    merged: list[Region] = []
    for start, end in sorted(regions):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
