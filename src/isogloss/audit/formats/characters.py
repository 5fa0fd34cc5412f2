"""Characters and blanks of a text in one form, so that a word that looks the same is the same."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_BLANKS = re.compile("[^\\S\n]+")
_PARAGRAPH_ENDS = re.compile("\n{2,}")
_PRIVATE_LETTER = re.compile(r"(?<=[^\W\d_])[\ue000-\uf8ff]|[\ue000-\uf8ff](?=[^\W\d_])")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_JOINERS = re.compile("(?<=[\x00-\u024f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\u024f]|$)")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b"
    "\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_SOFT_HYPHEN = "\u00ad"
_LIGATURES = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
     "\ufb05": "st", "\ufb06": "st", "\uf001": "fi", "\uf002": "fl"}
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_MOST_QUOTED = 5


@dataclass(frozen=True)
class Cleaned:
    """A text in one form."""

    text: str
    warnings: tuple[str, ...]
    """What was taken out or looks like a disguise, one sentence each."""


def clean(text: str) -> Cleaned:
    """Return a text composed (NFC), with plain blanks and without characters that nobody sees.

    Lines are parted by one line feed and paragraphs by two; blanks are single; ligatures are
    letters, also those that fonts keep among their private characters. Characters of zero width,
    marks of writing direction and control characters are taken out, also where they part a word; a
    joiner stays between characters beyond Latin, as in an emoji. Another private character becomes
    a bullet, and beside a letter a sign that it cannot be read.
    """
    text = unicodedata.normalize("NFC", _LINE_ENDS.sub("\n", text).translate(_LIGATURES))
    text = _PRIVATE_LETTER.sub("\ufffd", text.replace(_SOFT_HYPHEN, ""))
    text = _PRIVATE.sub("•", text)
    text, unseen = _UNSEEN.subn("", text)
    text, joiners = _JOINERS.subn("", text)
    text = unicodedata.normalize("NFC", text)
    return Cleaned(_blanks(text), tuple(_warnings(text, unseen + joiners)))


def clean_line(text: str) -> str:
    """Return a text in one form and on one line."""
    return " ".join(clean(text).text.split())


def _blanks(text: str) -> str:
    lines = _BLANKS.sub(" ", text).split("\n")
    return _PARAGRAPH_ENDS.sub("\n\n", "\n".join(line.strip() for line in lines)).strip()


def _warnings(text: str, removed: int) -> list[str]:
    said = []
    if removed:
        said.append(f"Invisible characters were taken out: {removed}.")
    if "\ufffd" in text:
        said.append(
            f"Some characters cannot be read and show as \ufffd: {text.count(chr(0xFFFD))}."
        )
    mixed = _mixed_words(text)
    if mixed:
        quoted = ", ".join(repr(word) for word in mixed[:_MOST_QUOTED])
        said.append(f"Words mix letters of two alphabets, so no word list finds them: {quoted}.")
    return said


def _mixed_words(text: str) -> Sequence[str]:
    words = {word: None for word in _WORD.findall(text) if not word.isascii()}
    return [word for word in words if len({_alphabet(char) for char in word} - {""}) > 1]


def _alphabet(char: str) -> str:
    first = unicodedata.name(char, "").partition(" ")[0]
    return first if first in _ALPHABETS else ""
