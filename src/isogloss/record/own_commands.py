"""Tells commands of Isogloss, which note what they write, from others, and one from another."""

import os
import shlex
from pathlib import Path

from isogloss.options import DEFAULT_CONFIG

_PLACES = ("--log", "--out", "--folder")
"""Options that say where a command writes, which its outputs tell anyway."""


def arguments_of(command: str) -> tuple[str, ...] | None:
    """The arguments of a shell command that is one call of `isogloss`; none for any other."""
    lexer = shlex.shlex(command.strip(), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t", True, ""
    try:
        name, *arguments = lexer
    except ValueError:
        return None
    joined = any(set(argument) <= set("();<>|&\n") for argument in arguments if argument)
    return None if name != "isogloss" or joined else tuple(arguments)


def ask_the_same(one: str, other: str, project: Path) -> bool:
    """Whether two commands of Isogloss, given in `project`, differ in nothing that they ask for.

    The order of options, where the log and the outputs go, whether messages are written, and how
    the path of the configuration is spelt make no difference.
    """
    return one == other or _asked(one, project) == _asked(other, project)


def _asked(command: str, project: Path) -> list[str]:
    asked = []
    given = iter(
        part
        for argument in arguments_of(command) or (command,)
        for part in (argument.split("=", 1) if argument.startswith("--") else (argument,))
    )
    for argument in given:
        if argument in _PLACES:
            next(given, None)
        elif argument == "--config":
            config = os.path.normpath(project / next(given, ""))
            if config != os.path.normpath(project / DEFAULT_CONFIG):
                asked += [argument, config]
        elif argument != "--quiet":
            asked.append(argument)
    return sorted(asked)
