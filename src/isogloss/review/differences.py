"""Where two wordings differ, word by word, and how a text is shown so that nothing in it hides."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]
LONGEST_SHOWN = 30_000
"""Most characters of a text that are shown; a cell of a spreadsheet holds at most 32,767."""
MOST_COMPARED = 3_000
"""Most words of a text that are compared one by one."""

_WORD = re.compile(r"\s*(?:\w+(?:['\u2019\u02bc-]\w+)*|[^\w\s])|\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_UNSEEN = re.compile(r"[\u0080-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Piece:
    """A run of text that both wordings have, or only one of them."""

    kind: Kind
    text: str


def differences(reference: str, guise: str) -> tuple[Piece, ...]:
    """Return what turns the reference into the guise, in reading order.

    The pieces that are not `added` make up the reference, and those that are not `removed` the
    guise, to the character. A blank belongs to the word behind it. In texts of more than
    `MOST_COMPARED` words, everything between the first and the last difference counts as replaced.
    """
    old, new = _WORD.findall(reference), _WORD.findall(guise)
    pieces: list[Piece] = []
    for operation, i, j, k, m in _operations(old, new):
        if operation == "equal":
            pieces.append(Piece("same", "".join(old[i:j])))
            continue
        pieces += [Piece("removed", "".join(old[i:j]))] if j > i else []
        pieces += [Piece("added", "".join(new[k:m]))] if m > k else []
    return tuple(pieces)


def shown(text: str) -> str:
    """Return a text as a reviewer sees it, which every reader and spreadsheet can hold.

    Line ends are `\\n`; control characters are replaced by their pictures (U+2400 and up), marks
    that turn the direction of writing and half characters by U+FFFD; what is longer than
    `LONGEST_SHOWN` is cut, and says so.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = _CONTROL.sub(_picture, plain)
    plain = _UNSEEN.sub("\ufffd", plain)
    if len(plain) <= LONGEST_SHOWN:
        return plain
    return f"{plain[:LONGEST_SHOWN]}… [cut: {len(plain) - LONGEST_SHOWN} more characters]"


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    return "\u2421" if code == 0x7F else chr(0x2400 + code)


def _operations(old: list[str], new: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(old), len(new)) <= MOST_COMPARED:
        return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    shortest = min(len(old), len(new))
    head = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    rest = shortest - head
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    ends = len(old) - tail, len(new) - tail
    parts = [
        ("equal", 0, head, 0, head),
        ("replace", head, ends[0], head, ends[1]),
        ("equal", ends[0], len(old), ends[1], len(new)),
    ]
    return [part for part in parts if part[2] > part[1] or part[4] > part[3]]
