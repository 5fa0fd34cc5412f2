"""The text of a page: its header, its includes put in place, its variables filled in.

Includes resolve against the project folder, nested ones too, as they do in Quarto.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from isogloss.errors import ReportError

INCLUDE_DEPTH = 3
SHORTCODE = re.compile(r"\{\{<\s*(.*?)\s*>\}\}")
INCLUDE = re.compile(r"\s*\{\{<\s*include\s+(\S+)\s*>\}\}\s*")
VARIABLE = re.compile(r"var\s+(\S+)")
EXECUTABLE = re.compile(r"^\s*(`{3,}|~{3,})\s*\{\s*\w|`\{\w+\}\s")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Header(BaseModel):
    """The YAML header of a page."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    title: str
    description: str = ""


@dataclass(frozen=True)
class Line:
    """A line of text, the file it came from (relative to the project) and its number there."""

    text: str
    file: str
    number: int

    def error(self, what: str) -> ReportError:
        """Return the error that says what is wrong on this line."""
        return ReportError(f"{self.file}, line {self.number}: {what}")


@dataclass(frozen=True)
class Source:
    """A page ready to be read as Markdown: its header, and its lines with nothing left to fill."""

    name: str
    header: Header
    lines: tuple[Line, ...]

    @property
    def stem(self) -> str:
        """Name of the page without its suffix."""
        return Path(self.name).stem


def read_source(project: Path, name: str, variables: Mapping[str, str]) -> Source:
    """Read a page of the project.

    Raises ReportError, naming file and line, for a header with other keys than title and
    description, an include that is missing, outside the project, circular or nested deeper than
    `INCLUDE_DEPTH`, an unknown variable or shortcode, and a cell that would be executed.
    """
    header, body = split_header(read_lines(project, name))
    lines = tuple(fill(line, variables) for line in expand(body, project, (name,)))
    return Source(name, header, lines)


def read_lines(project: Path, name: str) -> tuple[Line, ...]:
    """Read a UTF-8 file of the project as numbered lines."""
    try:
        text = (project / name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ReportError(
            f"{name}: not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
    lines = tuple(Line(part, name, index) for index, part in enumerate(text.split("\n"), start=1))
    for line in lines:
        if CONTROL.search(line.text):
            raise line.error("a control character; remove it")
    return lines


def split_header(lines: tuple[Line, ...]) -> tuple[Header, tuple[Line, ...]]:
    """Take the YAML header off a page; ReportError when it is missing or has unknown keys."""
    texts = [line.text.rstrip() for line in lines]
    if texts[0] != "---" or "---" not in texts[1:]:
        raise lines[0].error("the page must begin with a YAML header between two lines of ---")
    end = texts.index("---", 1)
    if any("{{<" in text for text in texts[:end]):
        raise lines[0].error("the header must not contain a shortcode")
    try:
        header = Header.model_validate(yaml.safe_load("\n".join(texts[1:end])))
    except (yaml.YAMLError, ValidationError) as error:
        raise lines[0].error(
            f"the header may hold a title and a description, both text: {error}"
        ) from None
    return header, lines[end + 1 :]


def expand(lines: tuple[Line, ...], project: Path, chain: tuple[str, ...]) -> Iterator[Line]:
    """Yield the lines with each include replaced by the file's own lines and a blank one."""
    for line in lines:
        match = INCLUDE.fullmatch(line.text)
        if match is None:
            yield line
            continue
        name = included_name(line, match[1], project, chain)
        yield from expand(read_lines(project, name), project, (*chain, name))
        yield replace(line, text="")


def included_name(line: Line, path: str, project: Path, chain: tuple[str, ...]) -> str:
    """Return the name of an included file relative to the project, or raise for a bad include."""
    root = project.resolve()
    target = (root / path).resolve()
    if not target.is_relative_to(root):
        raise line.error(f"the include {path} lies outside the project; keep it inside")
    name = target.relative_to(root).as_posix()
    if not target.is_file():
        raise line.error(f"the included file {path} does not exist; run the stage that writes it")
    if name in chain:
        raise line.error(f"the include {path} includes itself; break the circle")
    if len(chain) > INCLUDE_DEPTH:
        raise line.error(f"the include {path} is nested deeper than {INCLUDE_DEPTH} files")
    return name


def fill(line: Line, variables: Mapping[str, str]) -> Line:
    """Return the line with its variables filled in; raise for whatever else looks executable."""
    if EXECUTABLE.search(line.text):
        raise line.error("a cell that would be executed; pages compute nothing, show code as text")

    def value(match: re.Match[str]) -> str:
        if match[1].startswith("include"):
            raise line.error("an include must stand alone on its line")
        variable = VARIABLE.fullmatch(match[1])
        if variable is None:
            raise line.error(f"unknown shortcode {match[0]}; pages use include and var only")
        if variable[1] not in variables:
            raise line.error(f"_variables.yml has no {variable[1]}; run the stage that writes it")
        return variables[variable[1]]

    if "{{{" in line.text:
        raise line.error("an escaped shortcode; write its braces with backslashes instead")
    text = SHORTCODE.sub(value, line.text)
    if "{{<" in SHORTCODE.sub("", line.text):
        raise line.error("a shortcode that is not closed on its own line")
    return replace(line, text=text)
