"""Lines that were broken to fit a page, joined again into paragraphs."""

import re
from collections.abc import Sequence
from itertools import pairwise

from isogloss.validate.spelling import in_word_list

WIDEST_PAGE = 120
"""Characters of the widest line that counts as broken to fit; longer ones were not broken."""

_BULLET = re.compile(r"(?:[-*+•‣▪◦●○■–—·]|\(?\d{1,2}[.)]|\(?[a-z][.)])(?:\s|$)")
_FULL = 0.85
_HALF = 0.5
_HYPHENATED = re.compile(r"([^\W\d_]+)-$")
_WORD = re.compile(r"[^\W\d_]+")


def join_wrapped(text: str) -> str:
    """Join the lines of each paragraph where a line end only made the line fit.

    A line that is at least half as long as the longest line of the text runs on when the next one
    is no list item and either goes on in lower case, where no stop parts them, or begins with a
    word that would not have fitted. The latter counts only in paragraphs in which some line goes on
    in lower case, since the lines of a list are as long as they are by chance, and only where no
    line is longer than `WIDEST_PAGE`. What a hyphen parts at a line end is joined, without the
    hyphen if the word list has it as one word (`cul-ture`, but `part-time`).
    """
    width = max(map(len, text.split("\n")))
    return "\n\n".join(_join(part.split("\n"), width) for part in text.split("\n\n"))


def _join(lines: Sequence[str], width: int) -> str:
    is_prose = width <= WIDEST_PAGE and any(line[:1].islower() for line in lines[1:])
    joined = [lines[0]]
    for last, line in pairwise(lines):
        if len(last) < _HALF * width or not line or _BULLET.match(line):
            joined += ["\n", line]
        elif _goes_on(last, line) or (is_prose and _is_full(last, line, width)):
            joined[-1], between = _seam(joined[-1], line)
            joined += [between, line]
        else:
            joined += ["\n", line]
    return "".join(joined)


def _goes_on(line: str, following: str) -> bool:
    return following[0].islower() and line[-1] not in ".!?:;"


def _is_full(line: str, following: str, width: int) -> bool:
    return len(line) + 1 + len(following.split()[0]) > _FULL * width


def _seam(line: str, following: str) -> tuple[str, str]:
    """Return the line, without a hyphen that only divides a word, and what joins the next to it."""
    before, behind = _HYPHENATED.search(line), _WORD.match(following)
    if before is None or behind is None or behind.group() in ("and", "or"):
        return line, " "
    is_one = in_word_list((before.group(1) + behind.group()).lower())
    return (line[:-1] if is_one else line), ""
