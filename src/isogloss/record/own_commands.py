"""Tells commands of Isogloss, which note what they write, from others."""

import shlex


def is_own_command(command: str) -> bool:
    """Whether a shell command is one call of `isogloss` and nothing else."""
    lexer = shlex.shlex(command.strip(), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t", True, ""
    try:
        name, *arguments = lexer
    except ValueError:
        return False
    joined = any(set(argument) <= set("();<>|&\n") for argument in arguments if argument)
    return name == "isogloss" and not joined
