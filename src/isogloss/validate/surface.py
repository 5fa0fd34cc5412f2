"""Faults of a text's surface that show a cell was not meant to be read as it is."""

import re
import unicodedata

_PLACEHOLDER = re.compile(
    r"""
    (?<!\w)\[[A-Za-z][^\[\]\n]{2,60}\](?!\()     # [relevant area], not a link or an index
    | \{\{?\s*[A-Za-z_][\w .-]{0,40}\s*\}?\}     # {name}, {{ name }}
    | <(?:your|insert|company|name|role|position|job|skill|field|date|number)\b[\w -]{0,40}>
    | _{3,}
    | \b(?:TODO|TBD|FIXME|XXX+)\b
    | \b(?i:lorem\ ipsum)\b
    """,
    re.VERBOSE,
)
_REPLY_PROSE = re.compile(
    r"""
    \A(?:(?:sure|certainly|of\ course|okay|ok|absolutely|great)\b[,!.]?\s*)?
        (?:here(?:'s|\u2019s|\ is|\ are)|below\ is)\ [^.\n]{0,60}
        \b(?:version|rewrit\w*|rewording|rephras\w*|revis\w*|paraphrase\w*|text|answer|response)\b
        [^.\n]{0,40}:
    | \A(?!my\ )(?:[\w-]+\ ){0,3}(?:version|answer|response|rewrite|text|output|candidate)\s*:
    | \b(?:let\ me\ know\ if|i\ hope\ this\ helps|i\ have\ (?:kept|changed|added|rewritten))\b
        [^.\n]{0,80}
    | \A(?:as\ an\ ai|as\ a\ language\ model)\b[^.\n]{0,40}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SAME = "\"'"
_PAIRS = {"\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "\u201e": "\u201c"}
_HIDDEN = frozenset("\u00ad\u200b\u2060\ufeff\u202a\u202b\u202d\u202e\ufff9\ufffa\ufffb")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Co", "Cs", "Cn"})


def _windows(byte: int) -> str:
    """Return the character that Windows-1252 shows for a byte; Latin-1 where it shows none."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_TRAIL = "[" + re.escape("".join(map(_windows, range(0x80, 0xC0)))) + "]"
_MOJIBAKE = re.compile(f"[ÂÃÄÅÐÑ]{_TRAIL}|[âï]{_TRAIL}{{2}}|ð{_TRAIL}{{3}}|\ufffd")


def unwrap(text: str) -> tuple[str, bool]:
    """Return a text without quotation marks around the whole of it, and whether it had any.

    Marks that close before the end (`"Yes" and "no"`) do not wrap the text and stay. Marks around
    marks are removed too, to a depth of three. Blanks around the marks go with them; a text
    without wrapping marks is returned unchanged.
    """
    inner = text
    for _ in range(3):
        if _is_wrapped(inner.strip()):
            inner = inner.strip()[1:-1].strip()
    return inner, inner != text


def placeholders(text: str) -> tuple[str, ...]:
    """Return the parts of a template that nobody filled in: `[relevant area]`, `{name}`, `TBD`."""
    return tuple(match.group() for match in _PLACEHOLDER.finditer(text))


def reply_prose(text: str) -> tuple[str, ...]:
    """Return openings and endings in which a writer speaks about the text, not in it.

    `Sure! Here is the rewritten answer:`, `Here's a version that ...:`, `Hedged version:`,
    `Let me know if ...` and `I hope this helps` are such; an answer that begins with `Sure,` is
    not.
    """
    return tuple(match.group().strip() for match in _REPLY_PROSE.finditer(text.strip()))


def control_characters(text: str) -> tuple[str, ...]:
    """Return the code points that a reader does not see and a model does, as `U+200B`.

    These are control characters other than tab and line feed, invisible format characters that
    serve no script (zero-width space, byte-order mark, soft hyphen, direction overrides), and
    private or unassigned code points. Joiners and direction marks, which scripts and emoji need,
    are not among them.
    """
    return tuple(f"U+{ord(char):04X}" for char in text if _is_hidden(char))


def mojibake(text: str) -> tuple[str, ...]:
    """Return the parts that are UTF-8 read as Windows-1252, and replacement characters.

    Such a part is what Windows-1252 shows for the UTF-8 bytes of a Latin or Cyrillic letter, of
    punctuation or of an emoji. Other lead bytes show as letters (`é`, `ß`) that stand before a
    closing quotation mark in correct text, so what they begin is not looked for.
    """
    return tuple(match.group() for match in _MOJIBAKE.finditer(text))


def _is_hidden(char: str) -> bool:
    if char in "\t\n":
        return False
    return char in _HIDDEN or unicodedata.category(char) in _HIDDEN_CATEGORIES


def _is_wrapped(text: str) -> bool:
    if len(text) < 2:
        return False
    opening, closing, inner = text[0], text[-1], text[1:-1]
    if opening in _SAME:
        return closing == opening and not _closes_first(inner, opening)
    return _PAIRS.get(opening) == closing and not _closes_before_end(inner, opening, closing)


def _closes_first(inner: str, mark: str) -> bool:
    """Tell whether the first inner mark closes a quotation: it stands behind a word, not before."""
    marks = [
        match.start()
        for match in re.finditer(re.escape(mark), inner)
        if mark == '"' or not _is_apostrophe(inner, match.start())
    ]
    return bool(marks) and marks[0] > 0 and not inner[marks[0] - 1].isspace()


def _is_apostrophe(text: str, i: int) -> bool:
    return text[i - 1 : i].isalnum() and text[i + 1 : i + 2].isalnum()


def _closes_before_end(inner: str, opening: str, closing: str) -> bool:
    depth = 1
    for i, char in enumerate(inner):
        if char == closing and not (closing == "\u2019" and _is_apostrophe(inner, i)):
            depth -= 1
        depth += char == opening
        if depth == 0:
            return True
    return False
