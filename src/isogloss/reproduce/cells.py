"""Two cells compared: the numbers in them, where everything between the numbers is the same."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_SPECIAL = re.compile(r"[-+]?(?:nan|inf|infinity)", re.IGNORECASE)
_FLOAT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"[-+]?\d{1,18}", re.ASCII)


@dataclass(frozen=True)
class Gap:
    """How far two numbers are from each other."""

    recorded: float
    found: float
    absolute: float
    """|found - recorded|, worked out in decimals; infinite beside a number that is not finite."""
    relative: float
    """`absolute` over the larger of the two magnitudes; 0 where the numbers are equal."""


def gaps(recorded: str, found: str) -> tuple[Gap, ...] | None:
    """Return the gaps between the numbers of two cells, in order; None where the texts differ.

    A cell may be a number, or a text or list that holds numbers. Texts differ where they have not
    as many numbers, or something else between them; an empty cell and a number do.
    """
    if is_number(recorded) and is_number(found):
        return (_gap(recorded, found),)
    if _NUMBER.split(recorded) != _NUMBER.split(found):
        return None
    pairs = zip(_NUMBER.findall(recorded), _NUMBER.findall(found), strict=True)
    return tuple(_gap(one, other) for one, other in pairs)


def is_list(cell: str) -> bool:
    """Whether the cell is a list written as JSON."""
    return cell.startswith("[") and cell.endswith("]")


def is_number(cell: str) -> bool:
    """Whether the whole cell is a number, infinite ones and NaN included."""
    return bool(_NUMBER.fullmatch(cell) or _SPECIAL.fullmatch(cell))


def is_integer(cell: str) -> bool:
    """Whether the whole cell is a whole number, written without point or exponent."""
    return _INTEGER.fullmatch(cell) is not None


def is_measured(cell: str) -> bool:
    """Whether the cell is a number that is not written as a whole one, or a list of numbers."""
    whole = _FLOAT.fullmatch(cell) or _SPECIAL.fullmatch(cell)
    return bool(whole) or is_list(cell)


def _gap(recorded: str, found: str) -> Gap:
    one, other = float(recorded), float(found)
    if not (math.isfinite(one) and math.isfinite(other)):
        same = one == other or (math.isnan(one) and math.isnan(other))
        return Gap(one, other, 0.0 if same else math.inf, 0.0 if same else math.inf)
    exact, other_exact = Decimal(recorded), Decimal(found)
    absolute = abs(other_exact - exact)
    larger = max(abs(exact), abs(other_exact))
    return Gap(one, other, float(absolute), float(absolute / larger) if absolute else 0.0)
