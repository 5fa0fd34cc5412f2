"""Compilation of loops over cells to machine code."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Return `function` compiled by numba at its first call and kept on disk for the next run.

    What is kept is renewed when the module of the function changes, not when another does: a
    compiled function calls only compiled functions of its own module.

    Division by zero gives infinity, as in NumPy: a step that leaves the domain has to come back
    as a likelihood that is not finite, so that the search can shorten it.
    """
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))
