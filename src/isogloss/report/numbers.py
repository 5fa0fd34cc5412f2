"""Numbers as a reader sees them: rounded, signed, and in words where there are none."""

from math import floor, isnan, log10

from isogloss.report.markdown import escape

MINUS = "\u2212"
SMALLEST_P = 0.001

_NOTHING = 1e-9
"""What is smaller is taken for the rounding of 0."""

RATING_DECIMALS = 3
"""Decimals of ratings and of their differences."""


def fixed(value: float, decimals: int = RATING_DECIMALS) -> str:
    """Round to a fixed number of decimals, with a minus sign and no negative zero."""
    text = f"{value:.{decimals}f}"
    return _typographic(text)


def signed(value: float, decimals: int = RATING_DECIMALS) -> str:
    """Round as `fixed` does, and show the plus sign of what is positive after rounding."""
    text = fixed(value, decimals)
    return text if text.startswith(MINUS) or _is_zero(text) else f"+{text}"


def interval(low: float, high: float, decimals: int = RATING_DECIMALS) -> str:
    r"""Return `\[low, high\]`, or nothing where there is no interval.

    An end that is not 0 and would be rounded to it keeps its first digit, so that the side of 0 on
    which it lies is seen: `-0.0003`. Not so in whole numbers.
    """
    if isnan(low) or isnan(high):
        return ""
    return rf"\[{_end(low, decimals)}, {_end(high, decimals)}\]"


def _end(value: float, decimals: int) -> str:
    text = fixed(value, decimals)
    if not decimals or not _is_zero(text) or abs(value) < _NOTHING:
        return text
    return _typographic(f"{value:.{-floor(log10(abs(value)))}f}")


def p_value(value: float) -> str:
    """Return a p-value to three decimals, the smallest as `< 0.001`."""
    if isnan(value):
        return "none"
    if value < SMALLEST_P:
        return rf"\< {SMALLEST_P}"
    if value > 1 - SMALLEST_P:
        return rf"\> {1 - SMALLEST_P}"
    return f"{value:.3f}"


def percent(share: float, decimals: int = 0) -> str:
    """Return a share between 0 and 1 in percent; `none` where it is undefined."""
    return "none" if isnan(share) else f"{fixed(100 * share, decimals)} %"


def not_estimable(reason: str) -> str:
    """Return the words for a number that the data leave undefined."""
    return escape(f"not estimable ({reason})") if reason else "not estimable"


def with_interval(
    value: float, low: float, high: float, reason: str, decimals: int = RATING_DECIMALS
) -> str:
    """Return a signed estimate with its interval; without either, the words for that."""
    if isnan(value):
        return not_estimable(reason)
    return " ".join(filter(None, [signed(value, decimals), interval(low, high, decimals)]))


def _typographic(text: str) -> str:
    return text.lstrip("-") if _is_zero(text) else text.replace("-", MINUS)


def _is_zero(text: str) -> bool:
    return not text.strip("-0.")
