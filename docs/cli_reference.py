"""Write the reference of the command line anew: `make docs`.

The part of `docs/cli.md` between two marks comes from the commands themselves, as `--help` has it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from isogloss.cli import app

PAGE = Path(__file__).with_name("cli.md")
BEGIN = "<!-- Written by `make docs` from the commands themselves; do not edit. -->\n"
END = "<!-- End of what `make docs` writes. -->\n"

CHAPTERS = {
    "The whole run": ("run",),
    "Stages": (
        "fetch",
        "identify",
        "stimuli",
        "generate",
        "validate",
        "calibrate",
        "inventory",
        "score",
        "analysis",
        "weat",
        "glmm",
        "parts",
        "report",
        "list-code",
        "record",
    ),
    "Audit of a posting": ("audit",),
    "Check, restore, share": (
        "verify",
        "trace",
        "reproduce",
        "restore",
        "package",
        "sign",
        "publish-check",
    ),
    "People who review": ("review",),
    "Stored answers": ("responses",),
}
"""Chapters of the page and their commands or groups; others follow in a chapter of their own."""

OTHERS = "Other commands"
STATUS = "Exit status: "


@dataclass(frozen=True)
class Described:
    """A command as the page describes it."""

    name: str
    """As it is typed after `isogloss`."""
    command: Any
    """Typer's own record of it."""


def main() -> None:
    """Write the part of the page that comes from the commands."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def renewed(text: str) -> str:
    """Return the text of the page with that part as the commands have it now.

    Raises `ValueError` where the page lacks one of the marks.
    """
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise ValueError(f"{PAGE}: put the two marks of docs/cli_reference.py back")
    return f"{before}{BEGIN}\n{reference()}\n{END}{after}"


def described() -> list[Described]:
    """Return every command, those of groups by both names, in the order of the application."""
    found = []
    for name, one in _group(app).commands.items():
        within = getattr(one, "commands", None)
        if within is None:
            found.append(Described(name, one))
        else:
            found += [Described(f"{name} {inner}", own) for inner, own in within.items()]
    return found


def reference() -> str:
    """Return the chapters with a section for each command, as Markdown."""
    parts = [_options_of_all()]
    everything = described()
    placed = {name for names in CHAPTERS.values() for name in names}
    first = {one.name: one.name.partition(" ")[0] for one in everything}
    rest = tuple(dict.fromkeys(f for f in first.values() if f not in placed))
    for title, names in {**CHAPTERS, OTHERS: rest}.items():
        own = sorted(
            (one for one in everything if first[one.name] in names),
            key=lambda one: names.index(first[one.name]),
        )
        parts += [f"## {title}\n"] if own else []
        parts += [_section(one) for one in own]
    return "\n".join(parts)


def _group(application: typer.Typer) -> Any:
    return typer.main.get_command(application)


def _options_of_all() -> str:
    rows = _table(_group(app))
    return (
        "## Options before the command\n\n"
        "They stand between `isogloss` and the command: `isogloss --log FILE verify`.\n\n"
        f"{rows}"
    )


def _section(one: Described) -> str:
    usage = " ".join(["isogloss", one.name, *_usage(one.command)])
    said, statuses = _said(one.command.help or "")
    parts = [f"### `isogloss {one.name}`", f"```text\n{usage}\n```", *said]
    if one.command.params:
        parts.append(_table(one.command).rstrip("\n"))
    if statuses:
        parts.append(f"**{STATUS.strip()}** {statuses}")
    return "\n\n".join(parts) + "\n"


def _usage(command: Any) -> Iterator[str]:
    """Yield what has to be given, then a word for the options."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            yield _argument(parameter)
        elif parameter.required:
            yield f"{parameter.opts[0]} {_placeholder(parameter, command)}"
    yield "[OPTIONS]"


def _placeholder(parameter: Any, command: Any) -> str:
    value = _value(parameter, command)
    return value.strip("`") if value.startswith("`") else value.partition(",")[0].upper()


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name.upper()).removesuffix("...")
    several = "..." if parameter.nargs == -1 else ""
    return f"{name}{several}" if parameter.required else f"[{name}{several}]"


def _said(help_text: str) -> tuple[list[str], str]:
    """Part a command's own words into paragraphs and what they say of the exit status."""
    paragraphs = [" ".join(part.split()) for part in help_text.split("\n\n")]
    whole = "\n\n".join(paragraphs)
    words, _, statuses = whole.partition(STATUS)
    return [part.strip() for part in words.split("\n\n") if part.strip()], statuses.strip()


def _table(command: Any) -> str:
    rows = ["| argument or option | value | default | meaning |", "| --- | --- | --- | --- |"]
    rows += [_row(parameter, command) for parameter in command.params if parameter.name != "help"]
    return "\n".join(rows) + "\n"


def _row(parameter: Any, command: Any) -> str:
    if parameter.param_type_name == "argument":
        names = [_argument(parameter)]
    else:
        names = [*parameter.opts, *parameter.secondary_opts]
    shown = ", ".join(f"`{name}`" for name in names)
    default, limits = _default(parameter, command)
    cells = (shown, _value(parameter, command) + limits, default, _record(parameter, command)[1])
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _record(parameter: Any, command: Any) -> tuple[str, str, str]:
    """Return what `--help` has of a parameter: its value, its meaning, and what is in brackets."""
    names, meaning = parameter.get_help_record(typer.Context(command, info_name="isogloss"))
    bracket = re.search(r"\s*\[([^\[\]]*)\]$", meaning)
    if bracket:
        meaning = meaning[: bracket.start()]
    return names, meaning, bracket[1] if bracket else ""


_KINDS = {
    "path": "path",
    "str": "text",
    "int": "whole number",
    "int range": "whole number",
    "float": "number",
    "float range": "number",
    "list[Path]": "path",
    "list[str]": "text",
}


def _value(parameter: Any, command: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    names, _, _ = _record(parameter, command)
    kind = re.search(r"<([^>]*)>$", names)
    if kind is None:
        return f"`{names.split()[-1]}`"
    repeated = ", repeatable" if kind[1].startswith("list[") else ""
    return _KINDS.get(kind[1], _choices(kind[1])) + repeated


def _choices(kind: str) -> str:
    return " or ".join(f"`{choice}`" for choice in kind.split("|"))


def _default(parameter: Any, command: Any) -> tuple[str, str]:
    """Return the default as the page writes it, and the limits of the value."""
    parts = [part for part in _record(parameter, command)[2].split("; ") if part]
    limits = [part for part in parts if re.search(r"[<>]=?", part)]
    shown = ", ".join(_spoken(limit) for limit in limits)
    if parameter.required:
        return "required", f", {shown}" if shown else ""
    defaults = [part.removeprefix("default: ").strip("()") for part in parts if "default: " in part]
    if getattr(parameter, "is_flag", False):
        defaults = [f"--{default}" for default in defaults if parameter.secondary_opts]
    return ", ".join(map(_code, defaults)), f", {shown}" if shown else ""


def _code(default: str) -> str:
    return default if " " in default else f"`{default}`"


def _spoken(limit: str) -> str:
    low, _, high = limit.partition("<=x<=")
    if high:
        return f"{low} to {high}"
    return limit.replace("x>=", "at least ").replace("x<=", "at most ")


if __name__ == "__main__":
    main()
