"""How numbers and names of an audit are said on its page."""

from collections.abc import Iterable
from math import isfinite

from isogloss.stats.results import Estimate
from isogloss.stats.selection import GroupRatio

UNDEFINED = "not estimable"

ROLES = {"recruiter": "recruiter", "job_seeker": "job seeker"}

OUTCOMES = {
    "ok": "score",
    "refusal": "refused",
    "malformed": "no readable score",
    "low_mass": "score too uncertain",
    "error": "error",
}


def name(text: str) -> str:
    """Return a name of the data as words: `coded_exclusion` as `coded exclusion`."""
    return text.replace("_", " ")


def sentence(text: str) -> str:
    """Return a note with a capital at its head and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def role(text: str) -> str:
    """Return the name of a role as words."""
    return ROLES.get(text, name(text))


def number(value: float | None, digits: int = 2) -> str:
    """Return a number with a true minus sign, or `not estimable`."""
    if value is None or not isfinite(value):
        return UNDEFINED
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def signed(value: float | None, digits: int = 2) -> str:
    """Return a change with its sign."""
    text = number(value, digits)
    if value is None or not isfinite(value) or text.startswith("−") or float(text) == 0:
        return text
    return f"+{text}"


def percent(value: float | None) -> str:
    """Return a share in percent, or `not estimable`."""
    if value is None or not isfinite(value):
        return UNDEFINED
    return f"{100 * value:.0f}%"


def p_value(value: float | None) -> str:
    """Return a p-value to three digits."""
    if value is None or not isfinite(value):
        return UNDEFINED
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Return an interval, or an empty text without one."""
    if low is None or high is None or not (isfinite(low) and isfinite(high)):
        return ""
    return f"{number(low, digits)} to {number(high, digits)}"


def share_interval(estimate: Estimate) -> str:
    """Return the interval of a share in percent, or an empty text without one."""
    if not (isfinite(estimate.low) and isfinite(estimate.high)):
        return ""
    return f"{percent(estimate.low)} to {percent(estimate.high)}"


def ratio(value: float | None, flagged: bool | None) -> str:
    """Return a ratio to two digits, so that a flagged one never reads as four fifths or more."""
    text = number(value)
    if value is None or not isfinite(value):
        return text
    if flagged and float(text) >= 0.8:
        return "just below 0.80"
    return "just above 0.80" if value > 0.8 and float(text) <= 0.8 and not flagged else text


def verdict(impact: GroupRatio) -> str:
    """Return what the four-fifths rule says of a group."""
    if impact.flagged is None:
        return UNDEFINED
    if impact.flagged:
        return "below four fifths"
    return "highest rate" if impact.highest else "not below"


def listed(parts: Iterable[str]) -> str:
    """Return parts joined by commas, or `none`."""
    return ", ".join(parts) or "none"


def times(changes: Iterable[tuple[str, int]]) -> str:
    """Return phrases, with how many times where it is more than once."""
    return listed(phrase if n == 1 else f"{phrase} (× {n})" for phrase, n in changes)
