"""Make the record of a check from what was measured and what it is held to."""

from isogloss.validate.records import Check, CheckName, Pair

NOT_JUDGED = "measured only"
"""Threshold of a dimension that a guise moves by being what it is."""


def outcome(
    pair: Pair, name: CheckName, value: float | None, threshold: str, passed: bool, reason: str
) -> Check:
    """Return a check; the reason is kept only where it failed."""
    return Check(
        item_id=pair.item_id,
        contrast=pair.contrast,
        check=name,
        value=value,
        threshold=threshold,
        passed=passed,
        repaired=False,
        reason="" if passed else reason,
    )


def none_of(pair: Pair, name: CheckName, found: int, reason: str) -> Check:
    """Return a check that passes where nothing was found."""
    return outcome(pair, name, found, "= 0", found == 0, reason)


def at_least(pair: Pair, name: CheckName, value: float, least: float, reason: str) -> Check:
    """Return a check that passes from `least` on."""
    return outcome(pair, name, value, f">= {least:g}", value >= least, reason)


def at_most(
    pair: Pair, name: CheckName, value: float, most: float, reason: str, *, judged: bool = True
) -> Check:
    """Return a check that passes up to `most`, or one that always passes."""
    if not judged:
        return outcome(pair, name, value, NOT_JUDGED, True, "")
    return outcome(pair, name, value, f"<= {most:g}", value <= most, reason)


def not_measured(pair: Pair, name: CheckName, why: str, *, judged: bool = True) -> Check:
    """Return a check without value and with the reason; it fails unless it is not judged."""
    return Check(
        item_id=pair.item_id,
        contrast=pair.contrast,
        check=name,
        value=None,
        threshold="" if judged else NOT_JUDGED,
        passed=not judged,
        repaired=False,
        reason=f"{name.replace('_', ' ')} not measured: {why}",
    )
