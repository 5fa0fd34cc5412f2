"""Read a reply that is one number."""

import re
from decimal import Decimal

from isogloss.score.parsed import Parsed, malformed
from isogloss.score.refusals import refusal

_AROUND = " \t\r\n\"'*_`“”"
_DOLLARS = r"(?:US\s?\$|USD\s?\$?|\$)"
_UNIT = r"(?:USD|US\s?dollars|dollars)"
_YEARLY = r"(?:(?:/|per|a|each)\s?(?:year|yr|annum)|annually|yearly)"
_PERIOD = r"(?:hour|dai|day|week|month)"
_AMOUNT = re.compile(
    rf"(?:(?!.*{_PERIOD})[A-Za-z][A-Za-z ]{{0,40}}:[*_\s]*)?{_DOLLARS}?\s?"
    r"(?P<whole>0|[1-9][0-9]{0,14}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4})(?:\.(?P<part>[0-9]{1,6}))?"
    rf"(?P<thousand>\s?k)?[*_]*(?:\s?{_UNIT})?(?:\s?{_YEARLY})?\.?",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[0-9][0-9.,]*")


def parse_number(text: str, *, decimals: bool) -> Parsed[float]:
    """Return the number that a reply is.

    Commas part thousands, a point the decimals. A word and a colon, a dollar sign, `USD` or
    `dollars`, `per year` and the like, quotes and a final stop may stand around the number; `85k`
    is 85000. Without `decimals` the number must be whole once that is reckoned (`85,000.00` and
    `85.5k` are). Malformed are: no number, two numbers, a range, a sign, another currency or
    period (`$40 per hour`), words around it, and three digits after a point (`85.000`), which
    some write for thousands. Nothing is rounded. A refusal has its class as the reason.
    """
    found = _AMOUNT.fullmatch(text.strip(_AROUND))
    if found is None or _is_ambiguous(found):
        kind = refusal(text)
        return _no_number(text) if kind is None else Parsed(None, "refusal", kind)
    value = Decimal(f"{found['whole'].replace(',', '')}.{found['part'] or 0}")
    value *= 1000 if found["thousand"] else 1
    if not decimals and value != value.to_integral_value():
        return malformed("not a whole number", text.strip())
    return Parsed(float(value), "ok")


def _is_ambiguous(found: re.Match[str]) -> bool:
    """Whether a point may part thousands (`85.000`), or `k` stands after thousands (`85,000k`)."""
    short = len(found["whole"]) <= 3
    thousands = short and found["whole"] != "0" and len(found["part"] or "") == 3
    return (not short and bool(found["thousand"])) or (thousands and not found["thousand"])


def _no_number(text: str) -> Parsed[float]:
    numbers = len(_DIGITS.findall(text))
    reason = ("no number", "not a number by itself")[numbers] if numbers < 2 else "several numbers"
    return malformed(reason, text.strip())
