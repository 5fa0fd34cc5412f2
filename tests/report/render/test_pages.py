"""The project's own overview and audit pages, with stand-ins for what the workflow generates."""

import re
import shutil
from pathlib import Path

import pytest

GENERATED = {
    "_generated/overview.md": "| a |\n|--:|\n| 1 |\n\n: Headline effects {#tbl-overview}\n",
    "_generated/pages.md": "- [Hedging](hedging.qmd). What for?\n",
    "_variables.yml": "figures:\n  overview: Drawn from a table.\n",
    "_generated/audit.md": "| source |\n|:--|\n| `a` |\n\n: Sources {#tbl-sources}\n",
}
WIDE = "|" + " column |" * 20 + "\n|" + "--:|" * 20 + "\n|" + " 0.123456 |" * 20 + "\n"
PHONE = {"width": 375, "height": 812}


@pytest.fixture
def report(site, project: Path):
    for name in ("_quarto.yml", "references.bib", "index.qmd", "audit.qmd"):
        shutil.copy(project / "reports" / name, site.folder)
    for name, text in GENERATED.items():
        site.write(name, text)
    shutil.copy(site.folder / "figure.svg", site.folder / "_generated" / "overview.svg")
    for name in ("stimuli", "recruitment", "embeddings"):
        site.page("## Sets\n\nNothing.", f"{name}.qmd")
    site.page(f"## Wide\n\n{WIDE}\n: Wide {{#tbl-wide}}\n\n$$ {'x + ' * 60} x $$", "hedging.qmd")
    return site


def test_the_pages_render(report) -> None:
    rendering = report.render()
    names = [
        f"{name}.html"
        for name in ("audit", "embeddings", "hedging", "index", "recruitment", "stimuli")
    ]
    assert [path.name for path in rendering.pages] == names


def test_the_overview_leads_to_the_other_pages(report) -> None:
    page = report.html()
    names = ("hedging", "recruitment", "embeddings", "stimuli", "audit")
    assert {f"{name}.html" for name in names} <= set(re.findall(r'<li><a\s+href="([^"]+)">', page))


@pytest.mark.parametrize("name", ["index.qmd", "audit.qmd", "stimuli.qmd", "embeddings.qmd"])
def test_no_measured_number_is_typed_into_a_page(project: Path, name: str) -> None:
    text = (project / "reports" / name).read_text(encoding="utf-8")
    prose = re.sub(r"@\w+|\{#[^}]*\}|```.*?```", "", text, flags=re.DOTALL)
    assert re.findall(r"\d+", prose) == []


@pytest.mark.browser
def test_a_browser_shows_the_pages_without_a_request_or_an_error(report, chromium) -> None:
    pages = report.render().pages
    for scheme in ("light", "dark"):
        context = chromium.new_context(viewport=PHONE, color_scheme=scheme)
        view = context.new_page()
        requests: list[str] = []
        errors: list[str] = []
        view.on("request", lambda request, seen=requests: seen.append(request.url))
        view.on("console", lambda message, seen=errors: seen.append(message.text))
        view.on("pageerror", lambda error, seen=errors: seen.append(str(error)))
        for path in pages:
            view.goto(path.resolve().as_uri())
            width = view.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], (path.name, scheme)
        assert len(requests) >= len(pages)
        assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
        assert errors == []
        context.close()


@pytest.mark.browser
def test_light_and_dark_differ_and_keep_their_contrast(report, chromium) -> None:
    index = next(path for path in report.render().pages if path.name == "index.html")
    colours = {}
    for scheme in ("light", "dark"):
        view = chromium.new_page(color_scheme=scheme)
        view.goto(index.resolve().as_uri())
        script = (
            "selector => { const s = getComputedStyle(document.querySelector(selector));"
            " return [s.color, s.backgroundColor]; }"
        )
        body = view.evaluate(script, "body")
        colours[scheme] = body
        for selector in (".table-caption", ".page-contents a", "main p a", ".site-footer"):
            ink, _ = view.evaluate(script, selector)
            assert contrast(ink, body[1]) >= 4.5, (scheme, selector)
        for selector in (".verdict-different", ".verdict-equivalent", ".verdict-inconclusive"):
            ink, ground = view.evaluate(script, selector)
            assert contrast(ink, ground) >= 4.5, (scheme, selector)
        view.close()
    assert colours["light"] != colours["dark"]


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two `rgb()` colours by WCAG 2.2; 4.5 is its level AA for text."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
