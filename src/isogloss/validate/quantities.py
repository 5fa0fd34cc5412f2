"""Quantities named in a text, in figures or in words, in one written form."""

import re
from collections.abc import Sequence
from decimal import Decimal

from isogloss.validate.tokens import Token, tokenise

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: n for n, word in enumerate(_ONES.split())} | {
    word: 10 * n for n, word in enumerate(_TENS.split(), start=2)
}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_PLURALS = frozenset(f"{word}s" for word in _LARGE)
_FRACTIONS = {"third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5}
_NUMERATORS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}

NUMBER_WORDS = frozenset(_SMALL) | frozenset(_LARGE) | _PLURALS | {"half", "twice"}
"""Words that name a number by themselves."""

_UNIT_FORMS = {
    "year": "year years yr yrs",
    "month": "month months",
    "week": "week weeks",
    "day": "day days",
    "hour": "hour hours hr hrs h",
    "minute": "minute minutes min mins",
    "second": "second seconds sec secs s",
    "ms": "millisecond milliseconds ms",
    "%": "% percent",
    "pp": "percentage",
    "x": "x times fold",
    "kB": "kb",
    "MB": "mb",
    "GB": "gb",
    "TB": "tb",
    "am": "am",
    "pm": "pm",
    "$": "dollar dollars usd",
    "€": "euro euros eur",
    "£": "pound pounds gbp",
}
_UNITS = {form: unit for unit, forms in _UNIT_FORMS.items() for form in forms.split()}
_SCALES = {"k": 1000, "m": 10**6, "bn": 10**9}
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_FIGURE = re.compile(r"(\d+(?:[.,]\d+)*)([a-z]*)")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def find_quantities(text: str) -> tuple[str, ...]:
    """Return the quantities of a text in order, each in one written form.

    `40%`, `40 percent` and `forty per cent` are `40%`; `5 years`, `five-year` are `5 year`;
    `$1.5 million` is `$1500000`. `one` counts only with a unit or a scale behind it, because it is
    a pronoun more often than a number. Words for a vague amount (`several`, `a few`) and ordinal
    words (`first`) are not quantities. A figure inside a name (`S3`, `GPT-4`) belongs to the name.
    """
    tokens = tokenise(text)
    found: list[str] = []
    i = 0
    while i < len(tokens):
        quantity, i = _quantity_at(text, tokens, i)
        found += [quantity] if quantity else []
    return tuple(found)


def is_number(token: Token) -> bool:
    """Tell whether a word is a figure or names a number."""
    return token.word in NUMBER_WORDS or token.word[:1].isdigit()


def _quantity_at(text: str, tokens: Sequence[Token], i: int) -> tuple[str | None, int]:
    """Return the quantity that starts at token `i`, if one does, and where to read on."""
    fraction, behind = _fraction(tokens, i)
    if fraction:
        return fraction, behind
    word = tokens[i].word
    if word == "twice" or word in _PLURALS:
        return ("2x" if word == "twice" else word), i + 1
    amount, suffix, behind = _figure(text, tokens, i)
    if amount is None:
        amount, behind = _spelled(tokens, i)
    if amount is None:
        return None, i + 1
    amount, behind, scaled = _scaled(amount, tokens, behind)
    unit, behind = (suffix, behind) if suffix else _unit(text, tokens, behind)
    if word == "one" and not (scaled or unit or behind > i + 1):
        return None, behind
    return _written(amount, unit or _currency(text, tokens[i])), behind


def _fraction(tokens: Sequence[Token], i: int) -> tuple[str | None, int]:
    """Read `half`, `two thirds`, `a quarter of`; `a third option` is no fraction."""
    if tokens[i].word == "half":
        return "1/2", i + 1
    numerator = _NUMERATORS.get(tokens[i].word)
    if numerator is None or i + 1 >= len(tokens):
        return None, i
    denominator = _FRACTIONS.get(tokens[i + 1].word)
    of = i + 2 < len(tokens) and tokens[i + 2].word == "of"
    if denominator is None or not (numerator > 1 or of):
        return None, i
    return f"{numerator}/{denominator}", i + 2


def _figure(
    text: str, tokens: Sequence[Token], i: int
) -> tuple[Decimal | str | None, str | None, int]:
    """Read a figure with what is written onto it: `40`, `1,000`, `5k`, `200ms`, `3.11.2`."""
    match = _FIGURE.fullmatch(tokens[i].word)
    if match is None or _belongs_to_name(text, tokens[i]):
        return None, None, i
    figure, suffix = match.groups()
    amount = _amount(figure)
    if not suffix or suffix in _ORDINALS:
        return amount, suffix or None, i + 1
    if suffix in _SCALES and isinstance(amount, Decimal):
        return amount * _SCALES[suffix], None, i + 1
    return (amount, _UNITS[suffix], i + 1) if suffix in _UNITS else (None, None, i)


def _belongs_to_name(text: str, token: Token) -> bool:
    """Tell whether a figure is the tail of a name: `GPT-4`, `UTF-8`."""
    before = text[max(token.start - 2, 0) : token.start]
    return len(before) == 2 and before[1] == "-" and before[0].isupper()


def _amount(figure: str) -> Decimal | str:
    """Return the value of a figure, or the figure itself where it is no number (`3.11.2`)."""
    if _THOUSANDS.fullmatch(figure):
        return Decimal(figure.replace(",", ""))
    return Decimal(figure) if _DECIMAL.fullmatch(figure) else figure


def _spelled(tokens: Sequence[Token], i: int) -> tuple[Decimal | None, int]:
    """Read a number in words: `twenty-five`, `two hundred and fifty`, `a dozen`."""
    total, current, start = 0, 0, i
    while i < len(tokens) and (i == start or not tokens[i - 1].closes_clause):
        word = tokens[i].word
        if word in _SMALL and (i == start or _may_follow(_SMALL[word], current)):
            current += _SMALL[word]
        elif word in _LARGE and _LARGE[word] >= 1000:
            total, current = total + max(current, 1) * _LARGE[word], 0
        elif word in _LARGE:
            current = max(current, 1) * _LARGE[word]
        elif not _joins(tokens, i, current):
            break
        i += 1
    return (Decimal(total + current), i) if i > start else (None, i)


def _may_follow(small: int, current: int) -> bool:
    """Tell whether a word below a hundred extends the number read so far (`twenty` `five`)."""
    room = current % 100
    return room == 0 if small >= 10 else room == 0 or (room >= 20 and room % 10 == 0)


def _joins(tokens: Sequence[Token], i: int, current: int) -> bool:
    """Tell whether `and` stands between a hundred and what is added to it."""
    follows = i + 1 < len(tokens) and tokens[i + 1].word in _SMALL
    return tokens[i].word == "and" and current >= 100 and follows


def _scaled(
    amount: Decimal | str, tokens: Sequence[Token], i: int
) -> tuple[Decimal | str, int, bool]:
    """Apply a scale word behind a figure: `1.5 million`."""
    if isinstance(amount, str) or i >= len(tokens) or tokens[i - 1].closes_clause:
        return amount, i, False
    scale = _LARGE.get(tokens[i].word)
    return (amount * scale, i + 1, True) if scale else (amount, i, False)


def _unit(text: str, tokens: Sequence[Token], i: int) -> tuple[str | None, int]:
    """Read the unit behind a number: a percent sign, a unit word, or `per cent`."""
    end = tokens[i - 1].end
    if text[end : end + 2].lstrip(" \u00a0").startswith("%"):
        return "%", i
    if i >= len(tokens) or tokens[i - 1].closes_clause:
        return None, i
    if tokens[i].word == "per" and i + 1 < len(tokens) and tokens[i + 1].word == "cent":
        return "%", i + 2
    unit = _UNITS.get(tokens[i].word)
    return (unit, i + 1) if unit else (None, i)


def _currency(text: str, token: Token) -> str | None:
    before = text[max(token.start - 1, 0) : token.start]
    return before if before and before in "$€£" else None


def _written(amount: Decimal | str, unit: str | None) -> str:
    figure = amount if isinstance(amount, str) else f"{amount.normalize():f}"
    if unit is None:
        return figure
    if unit in "$€£":
        return f"{unit}{figure}"
    return f"{figure}{unit}" if unit in {"%", "x"} or unit in _ORDINALS else f"{figure} {unit}"
