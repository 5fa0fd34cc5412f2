"""JSON values of results: undefined numbers are null and have a reason, never NaN."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from pydantic import BaseModel

REASONS = {
    ("Rates", "expected_rate"): "no reply shows a distribution over the scores",
    ("CurvePoint", "rate"): "no reply gives a score",
    ("CurvePoint", "ratio"): "no group is selected at this threshold, or this one takes no part",
    ("SelectionTest", "fisher_adjusted"): "the test is not estimable",
    ("SelectionTest", "pooled_adjusted"): "the test is not estimable",
    ("PairedTest", "p_adjusted"): "the test is not estimable",
}
"""Why a number of a result without a status of its own can be undefined."""


def plain(value: Any) -> Any:
    """Return a result as JSON values.

    A number that is not finite is null where a result is not estimable, and its `reason` says why.
    It is left out where the result is `ok`: the method has no such number. In a result without
    status it is null, and `<name>_reason` says why.
    """
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="json"))
    if is_dataclass(value) and not isinstance(value, type):
        return _record(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, Fraction):
        return str(value)
    return None if _undefined(value) else value


def _record(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    status = getattr(value, "status", None)
    for name in (field.name for field in fields(value)):
        one = getattr(value, name)
        if not _undefined(one):
            found[name] = plain(one)
        elif status != "ok":
            found[name] = None
            if status is None:
                why = REASONS.get((type(value).__name__, name), "not defined by the data")
                found[f"{name}_reason"] = why
    return found


def _undefined(value: object) -> bool:
    return isinstance(value, float) and not isfinite(value)
