"""Quantities named in a text, in figures or in words, in one written form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from isogloss.validate.measures import CURRENCIES, SYMBOLS, UNITS
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

_BEFORE_ORDINAL = frozenset(
    {"the", "this", "that", "first", "second", "every", "each", "last", "next"}
)
_MONTH_NAMES = (
    "january february march april may june july august september october november december"
)
_MONTHS = frozenset(_MONTH_NAMES.split())
_SCALES = {"k": 1000, "m": 10**6, "bn": 10**9}
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_GENERATION = re.compile(r"\dG")
_FIGURE = re.compile(r"(\d+(?:[.,]\d+)*)([a-z]*)")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@dataclass(frozen=True)
class Quantity:
    """A number and what it counts by."""

    amount: str
    """The number in figures, without marks for thousands."""
    unit: str | None
    """Its unit, in the form of `measures.UNITS`, or the ending of an ordinal; None without one."""

    @property
    def written(self) -> str:
        """The quantity in one written form, for instance `40%`, `$5`, `3 ms`."""
        if self.unit is None:
            return self.amount
        if self.unit in SYMBOLS:
            return f"{self.unit}{self.amount}"
        is_joined = self.unit in {"%", "x"} or self.unit in _ORDINALS
        return f"{self.amount}{self.unit}" if is_joined else f"{self.amount} {self.unit}"


def find_quantities(text: str) -> tuple[str, ...]:
    """Return the quantities of a text in order, each in one written form.

    `40%`, `40 percent` and `forty per cent` are `40%`; `5 years`, `five-year` are `5 year`;
    `$1.5 million` is `$1500000`. `one` counts only with a unit or a scale behind it, because it is
    a pronoun more often than a number. Words for a vague amount (`several`, `a few`) and ordinal
    words (`first`) are not quantities. A figure inside a name (`S3`, `GPT-4`) belongs to the name.
    """
    return tuple(quantity.written for quantity in read_quantities(text))


def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text in order; see `find_quantities`."""
    tokens = tokenise(text)
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        quantity, i = _quantity_at(text, tokens, i)
        found += [quantity] if quantity else []
    return tuple(found)


def is_number(token: Token) -> bool:
    """Tell whether a word is a figure or names a number."""
    return token.word in NUMBER_WORDS or token.word[:1].isdigit()


def _quantity_at(text: str, tokens: Sequence[Token], i: int) -> tuple[Quantity | None, int]:
    """Return the quantity that starts at token `i`, if one does, and where to read on."""
    fraction, behind = _fraction(tokens, i)
    if fraction:
        joins = behind < len(tokens) and tokens[behind].word in ("a", "an")
        unit, after = _unit(text, tokens, behind + joins)
        return Quantity(fraction, unit), after if unit else behind
    word = tokens[i].word
    if word == "twice" or word in _PLURALS:
        return (Quantity("2", "x") if word == "twice" else Quantity(word, None)), i + 1
    amount, suffix, behind = _figure(text, tokens, i)
    if amount is None:
        amount, behind = _spelled(tokens, i)
    if amount is None:
        return None, i + 1
    amount, behind, scaled = _scaled(amount, tokens, behind)
    unit, behind = (suffix, behind) if suffix else _unit(text, tokens, behind)
    if word == "one" and not (scaled or unit or behind > i + 1):
        return None, behind
    figure = amount if isinstance(amount, str) else f"{amount.normalize():f}"
    return Quantity(figure, unit or _currency(text, tokens, i)), behind


def _fraction(tokens: Sequence[Token], i: int) -> tuple[str | None, int]:
    """Read `half`, `two thirds`, `a quarter of`, `third of`; `a third option` is no fraction.

    Without an article, as in a wording that drops articles, `third of` is one unless a month
    follows.
    """
    word = tokens[i].word
    if word == "half":
        return "1/2", i + 1
    if word in ("third", "quarter", "fifth") and _is_part(tokens, i):
        return f"1/{_FRACTIONS[word]}", i + 1
    numerator = _NUMERATORS.get(tokens[i].word)
    if numerator is None or i + 1 >= len(tokens):
        return None, i
    denominator = _FRACTIONS.get(tokens[i + 1].word)
    of = i + 2 < len(tokens) and tokens[i + 2].word == "of"
    if denominator is None or not (numerator > 1 or of):
        return None, i
    return f"{numerator}/{denominator}", i + 2


def _is_part(tokens: Sequence[Token], i: int) -> bool:
    words = [token.word for token in tokens[i + 1 : i + 3]]
    before = tokens[i - 1].word if i else ""
    return words[:1] == ["of"] and before not in _BEFORE_ORDINAL and words[-1] not in _MONTHS


def _figure(
    text: str, tokens: Sequence[Token], i: int
) -> tuple[Decimal | str | None, str | None, int]:
    """Read a figure with what is written onto it: `40`, `1,000`, `5k`, `200ms`, `3.11.2`."""
    match = _FIGURE.fullmatch(tokens[i].word)
    if match is None or _belongs_to_name(text, tokens[i]) or _GENERATION.fullmatch(tokens[i].raw):
        return None, None, i
    figure, suffix = match.groups()
    amount = _amount(figure)
    if not suffix or suffix in _ORDINALS:
        return amount, suffix or None, i + 1
    if suffix in _SCALES and isinstance(amount, Decimal):
        return amount * _SCALES[suffix], None, i + 1
    return (amount, UNITS[suffix], i + 1) if suffix in UNITS else (None, None, i)


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
    """Read the unit behind a number: a sign (`%`, `°C`), a unit word, or `per cent`."""
    behind = text[tokens[i - 1].end : tokens[i - 1].end + 3].lstrip(" \u00a0")
    if behind.startswith("%"):
        return "%", i
    if behind.startswith(("°", "º")):
        scale = behind[1:2].upper() if behind[1:2].upper() in ("C", "F") else ""
        return f"°{scale}", i + bool(scale and i < len(tokens))
    if i >= len(tokens) or tokens[i - 1].closes_clause:
        return None, i
    pair = " ".join(token.word for token in tokens[i : i + 2])
    if pair in UNITS:
        return UNITS[pair], i + 2
    unit = UNITS.get(tokens[i].word)
    return (unit, i + 1) if unit else (None, i)


def _currency(text: str, tokens: Sequence[Token], i: int) -> str | None:
    before = text[max(tokens[i].start - 1, 0) : tokens[i].start]
    if before and before in SYMBOLS:
        return before
    return CURRENCIES.get(tokens[i - 1].raw) if i and not tokens[i - 1].closes_clause else None
