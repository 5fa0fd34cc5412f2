"""Read the commands and examples that the documents show."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def fences(text: str, language: str) -> list[str]:
    """Return the contents of the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """Return the commands in a document's bash blocks, without comments, in order."""
    blocks = "".join(fences(text, "bash")).replace("\\\n", " ")
    lines = (re.sub(r"(^|\s)#.*", "", line) for line in blocks.splitlines())
    return [" ".join(line.split()) for line in lines if line.strip()]


def block_with(text: str, command: str) -> list[str]:
    """Return the commands of the bash block that has a command."""
    return next(lines for block in fences(text, "bash") if command in (lines := block.splitlines()))


def text_of(name: str) -> str:
    """Return the text of a document, named from the root of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def shown(name: str) -> list[str]:
    """Return the commands that a document shows."""
    return commands(text_of(name))
