"""The reference of the command line names every command, option and exit status, and no other."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from docs.cli_reference import BEGIN, described, renewed
from tests.documents import ROOT, shown, text_of

from isogloss import errors

PAGE = "docs/cli.md"
COMMANDS = {one.name: one.command for one in described()}
DOCUMENTS = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md"))
)
OPTION = r"(?<![\w-])--[a-z][a-z-]*"


def sections() -> dict[str, str]:
    """Return what the page says of each command."""
    found = re.findall(r"^### `isogloss ([^`]+)`\n(.*?)(?=^#|\Z)", text_of(PAGE), re.M | re.S)
    assert len(dict(found)) == len(found), "a command is described twice"
    return dict(found)


def rows_of(heading: str) -> list[list[str]]:
    """Return the rows of the tables below a heading of the page."""
    body = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text_of(PAGE), re.M | re.S)
    assert body is not None
    lines = [line.strip("|").split(" | ") for line in re.findall(r"^\|.*$", body[1], re.M)]
    return [[cell.strip() for cell in line] for line in lines if set(line[0].strip()) != {"-"}]


def test_the_page_is_what_the_commands_give_now() -> None:
    assert renewed(text_of(PAGE)) == text_of(PAGE), "run `make docs`"


def test_a_page_without_its_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="marks"):
        renewed(text_of(PAGE).replace(BEGIN, ""))


def test_every_command_has_its_section_and_no_other() -> None:
    assert set(sections()) == set(COMMANDS)
    assert {"verify", "review import", "responses merge"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_has_the_options_of_its_command(name: str) -> None:
    table = [line for line in sections()[name].splitlines() if line.startswith("| `")]
    named = {option for line in table for option in re.findall(OPTION, line.split(" | ")[0])}
    assert named == _strings(COMMANDS[name]) - {"--help"}


def _strings(command: Any) -> set[str]:
    return {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("-")
    }


def test_exit_statuses_are_those_of_the_errors() -> None:
    statuses = {row[0] for row in rows_of("Exit statuses") if row[0].isdigit()}
    raised = {str(kind.exit_code) for kind in _errors(errors.IsoglossError)}
    assert statuses == {"0", "130", *raised}


def _errors(kind: type[errors.IsoglossError]) -> Iterator[type[errors.IsoglossError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from _errors(one)


def test_the_statuses_of_checking_commands_are_in_one_table() -> None:
    table = {row[0].strip("`") for row in rows_of("Exit statuses") if row[0].startswith("`")}
    own = {name for name, one in COMMANDS.items() if "Exit status" in (one.help or "")}
    assert table == own


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_of_documents_can_be_read_by_the_command_line(name: str) -> None:
    for line in shown(name):
        words = shlex.split(line)
        if "isogloss" in words[:1]:
            _read(words[1:])


def _read(words: list[str]) -> None:
    """Let the command line read an argument list without running the command."""
    name = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in COMMANDS), None)
    if name is None:
        assert words == ["--help"]
        return
    command = COMMANDS[name]
    rest = words[len(name.split()) :]
    command.make_context(name, rest)


def test_an_option_that_does_not_exist_would_be_noticed() -> None:
    with pytest.raises(Exception, match="No such option"):
        _read(["verify", "--everything"])
