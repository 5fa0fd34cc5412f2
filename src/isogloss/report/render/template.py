"""The frame of a page made by the pandoc renderer, and what fills it.

The page holds no script, and its content security policy forbids any, along with every request.
"""

import html
import re
from dataclasses import dataclass
from typing import Any

from isogloss.errors import ReportError

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

TEMPLATE = """<!DOCTYPE html>
<html lang="$language$">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy$">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="$renderer$">
$if(summary)$
<meta name="description" content="$summary$">
$endif$
<title>$heading$ – $site$</title>
<link rel="icon" href="data:,">
<style>
$style$
</style>
</head>
<body class="report">
<a class="skip-link" href="#page-content">Skip to content</a>
<header class="site-header">
<nav class="site-navigation" aria-label="Pages">
<a class="site-title" href="$home$">$site$</a>
<ul>
$for(navigation)$
<li><a href="$navigation.href$"$if(navigation.current)$ aria-current="page"$endif$>\
$navigation.text$</a></li>
$endfor$
</ul>
</nav>
</header>
<main id="page-content" class="page-frame">
<header class="title-block">
<h1 class="title">$heading$</h1>
$if(summary)$
<p class="description">$summary$</p>
$endif$
</header>
$if(table-of-contents)$
<nav class="page-contents" id="page-contents" aria-labelledby="page-contents-title">
<h2 id="page-contents-title">$contents-title$</h2>
$table-of-contents$
</nav>
$endif$
<div class="page-body">
$body$
</div>
</main>
<footer class="site-footer">
<p>$footer$</p>
</footer>
</body>
</html>
"""

SECTION = re.compile(r"^/\*-- scss:(\w+) --\*/\s*$", re.MULTILINE)
FORBIDDEN_STYLE = re.compile(r"</|@import|url\(|^\s*//|[$]", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Frame:
    """What surrounds the body of one page."""

    language: str
    site: str
    heading: str
    summary: str
    contents_title: str
    navigation: tuple[tuple[str, str, bool], ...]
    """Address, words, and whether it is this page, of each entry."""
    style: str
    footer: str
    renderer: str


def frame_metadata(frame: Frame) -> dict[str, Any]:
    """Return the metadata that fills the template, each text escaped for HTML."""
    escaped = {
        "language": frame.language,
        "policy": POLICY,
        "site": frame.site,
        "heading": frame.heading,
        "contents-title": frame.contents_title,
        "home": frame.navigation[0][0],
        "footer": frame.footer,
        "renderer": frame.renderer,
        **({"summary": frame.summary} if frame.summary else {}),
    }
    entries = [
        {
            "t": "MetaMap",
            "c": {"href": _escaped(href), "text": _escaped(words), "current": _flag(current)},
        }
        for href, words, current in frame.navigation
    ]
    return {
        **{name: _escaped(value) for name, value in escaped.items()},
        "style": _markup(frame.style),
        "navigation": {"t": "MetaList", "c": entries},
        "pagetitle": _escaped(frame.heading),
        "lang": {"t": "MetaString", "c": frame.language},
        "link-citations": _flag(True),
        "link-bibliography": _flag(False),
    }


def style_rules(text: str, name: str) -> str:
    """Return the rules section of a Quarto theme file, which must be plain CSS.

    Raises ReportError when there is no such section, or it holds a Sass variable or comment, an
    import, or an address.
    """
    parts = SECTION.split(text)
    rules = "".join(
        body for kind, body in zip(parts[1::2], parts[2::2], strict=True) if kind == "rules"
    ).strip()
    if not rules:
        raise ReportError(f"{name}: no rules; begin them with the line /*-- scss:rules --*/")
    if match := FORBIDDEN_STYLE.search(rules):
        raise ReportError(
            f"{name}: {match[0].strip()!r} in the rules; keep them plain CSS without addresses"
        )
    return rules


def _markup(text: str) -> dict[str, Any]:
    return {"t": "MetaInlines", "c": [{"t": "RawInline", "c": ["html", text]}]}


def _escaped(text: str) -> dict[str, Any]:
    return _markup(html.escape(text))


def _flag(value: bool) -> dict[str, Any]:
    return {"t": "MetaBool", "c": value}
