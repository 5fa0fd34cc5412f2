"""The columns that a formula reads."""

import ast
import re
from typing import Any

from formulaic import Formula, SimpleFormula
from formulaic.errors import FormulaicError
from formulaic.transforms import TRANSFORMS

from isogloss.errors import StatisticsError

_QUOTED = re.compile(r"`([^`]+)`")
_OF_COLUMN = re.compile(r"C\(\s*(\w+|`[^`]+`)\s*(,.*)?\)", re.DOTALL)


def read(text: str) -> Any:
    """Return one side of a formula as formulaic understands it.

    Raises `StatisticsError` when it does not.
    """
    try:
        formula = Formula(text)
    except (FormulaicError, SyntaxError) as error:
        first = re.sub(r"\x1b\[[0-9;]*m", "", str(error).strip().splitlines()[0])
        raise StatisticsError(f"formulaic cannot read {text!r}: {first}") from error
    if not isinstance(formula, SimpleFormula):
        raise StatisticsError(f"{text!r} is more than one side of a formula")
    return formula


def quoted(expression: str) -> str:
    """Return a formula of one Python expression, which formulaic reads between braces."""
    return f"0 + {{{expression}}}"


def variables(formula: Any) -> list[str]:
    """Return the names of all columns that `formula` reads, sorted.

    formulaic's own list leaves out what stands inside `center`, `scale`, `poly` and splines.
    """
    names: set[str] = set()
    for term in formula:
        for factor in term.factors:
            method, expression = str(factor.eval_method.value), str(factor.expr)
            if method == "lookup":
                names.add(expression.strip("`"))
            elif method == "python":
                names.update(_inside(expression))
    return sorted(names)


def by_row(formula: Any) -> bool:
    """Whether each part is a column or C(column), and so looks at no more than its own row."""
    return all(
        str(factor.eval_method.value) != "python" or categorised(str(factor.expr)) is not None
        for term in formula
        for factor in term.factors
    )


def categorised(expression: str) -> str | None:
    """Return the column that `C(column)` or `C(column, ...)` makes a factor of, else None."""
    found = _OF_COLUMN.fullmatch(expression)
    return found[1].strip("`") if found else None


def _inside(expression: str) -> set[str]:
    names = set(_QUOTED.findall(expression))
    try:
        tree = ast.parse(_QUOTED.sub("0", expression), mode="eval")
    except SyntaxError as error:
        raise StatisticsError(f"{expression!r} is no expression of Python") from error
    nodes = list(ast.walk(tree))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    found = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called}
    return names | (found - set(TRANSFORMS))
