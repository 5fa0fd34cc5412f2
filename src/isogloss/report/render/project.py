"""What the pandoc renderer and Quarto are both told: `_quarto.yml` and `_variables.yml`.

Settings on which the two renderers could disagree are fixed here to the one value both follow.
"""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from isogloss.errors import ReportError


class Settings(BaseModel):
    """Base of all parts of `_quarto.yml`: an unknown key is an error."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )


class NavigationItem(Settings):
    """An entry of the navigation bar."""

    href: str = Field(pattern=r"^[\w-]+\.qmd$")
    text: str


class Navbar(Settings):
    """The navigation bar."""

    left: tuple[NavigationItem, ...]


class Website(Settings):
    """Title and navigation of the site."""

    title: str
    search: Literal[False]
    navbar: Navbar


class ProjectSettings(Settings):
    """Which files are pages, and where the site goes."""

    type: Literal["website"]
    output_dir: Literal["_site"]
    render: tuple[Literal["*.qmd"]]


class Execute(Settings):
    """Execution of cells, which is off."""

    enabled: Literal[False]


class HtmlFormat(Settings):
    """Options of Quarto's HTML output."""

    theme: tuple[Literal["default"], str]
    embed_resources: Literal[True]
    html_math_method: Literal["mathml"]
    toc: Literal[True]
    toc_depth: int = Field(ge=2, le=4)
    toc_title: str
    code_copy: Literal[False]
    anchor_sections: Literal[False]
    smooth_scroll: Literal[False]
    citations_hover: Literal[False]
    crossrefs_hover: Literal[False]
    footnotes_hover: Literal[False]


class Format(Settings):
    """The one output format."""

    html: HtmlFormat


class Configuration(Settings):
    """The whole of `_quarto.yml`."""

    project: ProjectSettings
    website: Website
    lang: str = Field(pattern=r"^[a-z]{2}(-[A-Z]{2})?$")
    bibliography: str
    link_citations: Literal[True]
    link_bibliography: Literal[False]
    number_sections: Literal[True]
    execute: Execute
    format: Format


def read_configuration(project: Path) -> Configuration:
    """Read `_quarto.yml`; ReportError naming each key that is missing, unknown or refused."""
    path = project / "_quarto.yml"
    if not path.is_file():
        raise ReportError(f"{path.name} is missing; the folder of pages must contain one")
    content = read_yaml(path)
    try:
        return Configuration.model_validate(content)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'the file'}: {fault['msg']}"
            for fault in error.errors()
        )
        raise ReportError(f"{path.name}: {faults}") from None


def read_variables(project: Path) -> dict[str, str]:
    """Read `_variables.yml` as texts by dotted name; an absent file has no variables.

    Raises ReportError for a value that is neither text nor a whole number: how a fraction or a
    truth value prints would be the renderer's choice.
    """
    path = project / "_variables.yml"
    return dict(flatten(read_yaml(path), "")) if path.is_file() else {}


def flatten(tree: object, prefix: str) -> list[tuple[str, str]]:
    """Return the leaves of nested mappings with their dotted names."""
    if isinstance(tree, dict):
        return [
            leaf
            for key, part in tree.items()
            for leaf in flatten(part, f"{prefix}.{key}" if prefix else str(key))
        ]
    text = str(tree)
    if isinstance(tree, bool) or not isinstance(tree, str | int) or re.search(r"\n|\{\{<", text):
        raise ReportError(
            f"_variables.yml: {prefix or 'the file'} must be one line of text without a shortcode, "
            "or a whole number; write a fraction as quoted text"
        )
    return [(prefix, text)]


def read_yaml(path: Path) -> Any:
    """Read a YAML file; ReportError with the parser's place and reason."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ReportError(f"{path.name} is not YAML: {error}") from None


def without_pages(configuration: Configuration, absent: Collection[str]) -> Configuration:
    """Take pages, named without suffix, out of the navigation."""
    navbar = configuration.website.navbar
    left = tuple(item for item in navbar.left if Path(item.href).stem not in absent)
    website = configuration.website.model_copy(update={"navbar": Navbar(left=left)})
    return configuration.model_copy(update={"website": website})


def page_names(project: Path, absent: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of the pages: every `.qmd` file of the folder not hidden by `_` or `.`.

    Those whose name without suffix is in `absent` are left out.
    """
    names = sorted(
        path.name
        for path in project.glob("*.qmd")
        if path.name[0] not in "._" and path.stem not in absent
    )
    if not names:
        raise ReportError(f"{project.name} has no page; a page is a file that ends in .qmd")
    return tuple(names)
