"""Rendering the page of an audit."""

import base64
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files as resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from isogloss.audit.audit import Audit
from isogloss.audit.comparison import Comparison
from isogloss.audit.obligations import obligations
from isogloss.audit.page import sections, words
from isogloss.audit.record.content import content_of, warnings
from isogloss.audit.record.limits import limits
from isogloss.review.differences import shown


def render_page(
    audit: Audit,
    comparison: Comparison | None = None,
    *,
    files: Mapping[str, str] | None = None,
) -> str:
    """Return the page of an audit as HTML, in which all text from outside is shown as text.

    `files` are the hashes of the other files of the record by their paths. The content security
    policy allows the page's own style, by its hash, and nothing else: no script and no request.
    """
    style = _style()
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    content = content_of(audit)
    return _environment().get_template("page.html").render(
        audit=audit,
        comparison=comparison,
        files=files or {},
        style=Markup(style),
        digest=digest,
        registers=sections.registers_of(audit),
        pieces=list(sections.pieces_of(audit)),
        examples=sections.examples_of(audit),
        counts=content["counts"],
        figures=sections.figures_of(audit),
        flags=sections.flags_of(audit),
        compared=any(one.status == "ok" for one in audit.selection.groupings),
        dominated=sections.dominated(audit),
        not_compared=sections.not_compared(audit),
        warnings=list(warnings(audit)),
        limits=list(limits(audit)),
        obligations=obligations(),
        duties=sections.duties_of(obligations()),
        model=sections.shown_values(content["model"]),
        settings=sections.shown_values(content["settings"]),
        words=words,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("isogloss.audit.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["sentence"] = words.sentence
    environment.filters["unshortened"] = Markup  # a figure's address is long, and all of it ours
    return environment


def _finalize(value: Any) -> Any:
    """Make hidden characters visible; refuse what a template should have put into words."""
    if isinstance(value, Markup | int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        return shown(value)
    raise TypeError(f"a template shows {value!r}, which is no text")


def _style() -> str:
    return (resources("isogloss.audit.page") / "page.css").read_text(encoding="utf-8")
