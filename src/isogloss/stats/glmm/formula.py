"""Formulas as lme4 writes them, with random intercepts only."""

import re
from dataclasses import dataclass

from isogloss.errors import StatisticsError

_NAME = re.compile(r"`[^`]+`|[^\W\d]\w*(?:\.\w+)*")
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class Parsed:
    """The parts of `y ~ x + offset(o) + (1 | g)`."""

    response: str
    fixed: str
    """Right side without random intercepts and offsets, as formulaic reads it."""
    offsets: tuple[str, ...]
    """What stands inside each offset()."""
    groups: tuple[tuple[str, ...], ...]
    """Columns of each random intercept, one or several that are crossed into one factor."""


def parse(formula: str) -> Parsed:
    """Take `formula` apart.

    Raises `StatisticsError` when it has no response, or a random term other than `(1 | g)`,
    `(1 | a:b)` and `(1 | a/b)`, which stands for `(1 | a) + (1 | a:b)`.
    """
    left, tilde, right = formula.partition("~")
    if not tilde or not left.strip() or not right.strip():
        raise StatisticsError(f"formula {formula!r}: write it as 'response ~ terms'")
    fixed: list[str] = []
    offsets: list[str] = []
    groups: list[tuple[str, ...]] = []
    for sign, term in _terms(right, formula):
        inside = _inside(term)
        if inside is not None and "|" in _outside_names(inside):
            if sign == "-":
                raise StatisticsError(f"formula {formula!r}: a random term cannot be taken away")
            groups.extend(_groups(inside, formula))
        elif term.startswith("offset(") and term.endswith(")"):
            offsets.append(term[len("offset(") : -1])
        elif "|" in _outside_names(term):
            raise StatisticsError(
                f"formula {formula!r}: {term!r} is not a random intercept; write it as '+ (1 | g)'"
            )
        else:
            fixed.append(f"{sign} {term}")
    repeated = {group for group in groups if groups.count(group) > 1}
    if repeated:
        name = ":".join(min(repeated))
        raise StatisticsError(f"formula {formula!r}: the random intercept of {name} stands twice")
    text = " ".join(fixed).removeprefix("+ ") or "1"
    return Parsed(left.strip(), text, tuple(offsets), tuple(groups))


def group_name(columns: tuple[str, ...]) -> str:
    """Return the name of a grouping factor: its columns joined by ':'."""
    return ":".join(columns)


def _terms(text: str, formula: str) -> list[tuple[str, str]]:
    terms: list[tuple[str, str]] = []
    depth, start, sign, quoted = 0, 0, "+", False
    for place, letter in enumerate(text + "+"):
        quoted ^= letter == "`"
        depth += 0 if quoted else (letter in _OPENING) - (letter in _CLOSING)
        if depth < 0:
            break
        if depth or quoted or letter not in "+-":
            continue
        term = text[start:place].strip()
        if term:
            terms.append((sign, term))
        elif place < len(text) and terms:
            break
        sign, start = letter, place + 1
    else:
        if depth == 0 and not quoted and text.rstrip()[-1] not in "+-":
            return terms
    raise StatisticsError(f"formula {formula!r}: brackets, quotes or signs do not match")


def _inside(term: str) -> str | None:
    if not (term.startswith("(") and term.endswith(")")):
        return None
    depth = 0
    for place, letter in enumerate(term):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth == 0 and place < len(term) - 1:
            return None
    return term[1:-1]


def _outside_names(text: str) -> str:
    return re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "", text)


def _groups(inside: str, formula: str) -> list[tuple[str, ...]]:
    if "||" in _outside_names(inside):
        raise StatisticsError(
            f"formula {formula!r}: '||' is not supported; only random intercepts (1 | g) are"
        )
    left, _, right = inside.partition("|")
    if left.strip() != "1":
        raise StatisticsError(
            f"formula {formula!r}: ({inside.strip()}) asks for random slopes, which are not "
            "supported; only random intercepts (1 | g) are"
        )
    steps = [_columns(step, formula) for step in right.split("/")]
    return [tuple(dict.fromkeys(sum(steps[: n + 1], ()))) for n in range(len(steps))]


def _columns(text: str, formula: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(":"))
    for name in names:
        if not _NAME.fullmatch(name):
            raise StatisticsError(
                f"formula {formula!r}: {text.strip()!r} is no grouping factor; name a column, or "
                "several joined by ':' or '/'"
            )
    return tuple(name.strip("`") for name in names)
