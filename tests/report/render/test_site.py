"""Pages made by the pandoc renderer: what each construct becomes, hostile text, determinism."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from isogloss.errors import ReportError
from isogloss.report.render.addresses import fetched_addresses
from isogloss.report.render.site import write_files

TABLE = "| model | gap |\n|:--|--:|\n| a | −0.5 |\n\n: Gap by *model* {#tbl-gap}"


class Elements(HTMLParser):
    """Every element of a page with its attributes, and its visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data) -> None:
        self.text += data

    def with_id(self, identifier: str) -> tuple[str, dict[str, str]]:
        return next(item for item in self.found if item[1].get("id") == identifier)


def body(page: str) -> str:
    return page[page.index('<div class="page-body">') : page.index("</main>")]


def test_the_frame_has_title_language_navigation_and_renderer(site, pandoc) -> None:
    site.write(
        "index.qmd", '---\ntitle: \'A & "B" <c>\'\ndescription: D "e"\n---\n\n## S\n\nText.\n'
    )
    page = site.html()
    elements = Elements(page)
    assert page.startswith("<!DOCTYPE html>")
    assert ("html", {"lang": "en"}) in elements.found
    assert "<title>A &amp; &quot;B&quot; &lt;c&gt; – Isogloss</title>" in page
    assert ("meta", {"name": "description", "content": 'D "e"'}) in elements.found
    assert ("a", {"class": "skip-link", "href": "#page-content"}) in elements.found
    assert elements.with_id("page-content")[0] == "main"
    assert ("a", {"href": "index.html", "aria-current": "page"}) in elements.found
    assert f"Rendered by pandoc {pandoc.version}" in elements.text
    assert ("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}) in (
        elements.found
    )


def test_headings_are_numbered_and_listed(site) -> None:
    site.page("## One {#sec-one}\n\n### Inner\n\n## Two\n\n## Plain {.unnumbered}\n\nSee @sec-one.")
    page = site.html()
    assert re.findall(r'<h[23] id="([\w-]+)"[^>]*><span class="section-number">([\d.]+)', page) == [
        ("sec-one", "1"),
        ("inner", "1.1"),
        ("two", "2"),
    ]
    assert '<h2 class="unnumbered" id="plain">Plain</h2>' in page
    assert '<a href="#inner" id="toc-inner">' in page
    assert '<a href="#sec-one" class="cross-reference">Section\u00a01</a>' in page


def test_a_page_without_headings_has_no_contents(site) -> None:
    assert 'id="page-contents"' not in site.html()


def test_tables_are_numbered_named_and_scroll_on_their_own(site) -> None:
    site.page(f"{TABLE}\n\n{TABLE.replace('gap}', 'two}')}\n\nSee @tbl-two and [-@tbl-gap].")
    page = site.html()
    elements = Elements(page)
    assert elements.with_id("tbl-gap") == ("div", {"id": "tbl-gap", "class": "numbered-table"})
    assert '<span class="caption-number">Table\u00a01.</span> Gap by <em>model</em>' in page
    scroll = {
        "class": "table-scroll",
        "tabindex": "0",
        "role": "region",
        "aria-labelledby": "tbl-gap-caption",
    }
    assert ("div", scroll) in elements.found
    assert ("table", {"aria-labelledby": "tbl-gap-caption"}) in elements.found
    assert '<td style="text-align: right;">−0.5</td>' in page
    assert '<a href="#tbl-two" class="cross-reference">Table\u00a02</a>' in page
    assert '<a href="#tbl-gap" class="cross-reference">1</a>' in page


def test_a_table_without_a_label_scrolls_too(site) -> None:
    site.page("| a |\n|---|\n| b |")
    assert 'class="table-scroll" tabindex="0" role="region" aria-label="Table"' in site.html()


def test_long_cells_do_not_fix_the_widths_of_columns(site) -> None:
    site.page(f"| a | b |\n|-|---|\n| {'long ' * 40}| 1 |")
    assert "<col" not in site.html()


def test_figures_are_embedded_with_their_alternative_text(site) -> None:
    site.page('![A *caption*](figure.svg){#fig-a fig-alt="A \\"box\\" & more"}\n\nSee @fig-a.')
    page = site.html()
    images = [found for tag, found in Elements(page).found if tag == "img"]
    assert [image["alt"] for image in images] == ['A "box" & more']
    assert images[0]["src"].startswith("data:image/svg+xml;base64,")
    assert '<span class="caption-number">Figure\u00a01.</span> A <em>caption</em>' in page
    assert '<a href="#fig-a" class="cross-reference">Figure\u00a01</a>' in page


def test_numbers_start_again_on_each_page(site) -> None:
    site.page(f"{TABLE}\n\n@tbl-gap")
    site.page(f"{TABLE}\n\n@tbl-gap", "second.qmd")
    site.render()
    for name in ("index.html", "second.html"):
        assert "Table\u00a01</a>" in (site.out / name).read_text(encoding="utf-8")


def test_a_reference_to_another_pages_table_is_unresolved(site) -> None:
    site.page(TABLE, "second.qmd")
    site.page("See @tbl-gap.")
    with pytest.raises(ReportError, match=r"index\.qmd, line 5: @tbl-gap"):
        site.render()


@pytest.mark.parametrize("kind", ["note", "warning", "important", "tip"])
def test_callouts_have_a_title(site, kind: str) -> None:
    site.page(
        f"::: {{.callout-{kind}}}\nPlain.\n:::\n\n"
        f"::: {{.callout-{kind} title='A & b'}}\nNamed.\n:::\n"
        f"\n::: {{.callout-{kind}}}\n### Headed *so*\n\nBelow.\n:::"
    )
    page = body(site.html())
    titles = re.findall(r'<div class="callout-title">\s*(.*?)\s*</div>', page)
    assert titles == [kind.capitalize(), "A &amp; b", "Headed <em>so</em>"]
    assert page.count(f'<div class="callout callout-{kind}" role="note">') == 3
    assert "<h3" not in page


def test_citations_link_to_a_reference_list_without_outside_links(site) -> None:
    site.page("Hedges [@hyland1998; @holm1979] and @hyland1998.")
    page = body(site.html())
    assert 'href="#ref-hyland1998"' in page
    assert '<h2 class="unnumbered" id="references">References</h2>' in page
    assert page.index("Holm, Sture") < page.index("Hyland, Ken")
    assert "10.1000/x" in page
    assert 'href="http' not in page


def test_a_page_without_citations_has_no_reference_list(site) -> None:
    assert "References" not in body(site.html())


def test_a_bibliography_that_cannot_be_read_is_named(site) -> None:
    site.write("references.bib", "@book{hyland1998, author={Hyland")
    with pytest.raises(ReportError, match=r"references\.bib: pandoc failed"):
        site.render()


def test_mathematics_is_mathml(site) -> None:
    site.page("Inline $\\frac{a}{b}$.\n\n$$ x^2 < y $$")
    page = site.html()
    assert "<mfrac>" in page
    assert '<math display="block"' in page


def test_footnotes_code_lists_and_quotes(site) -> None:
    site.page(
        "Note.[^n]\n\n[^n]: At the *foot*.\n\n```bash\nisogloss verify < a & b\n```\n\n"
        "Term\n:   Definition\n\n> Quote\n\n1. one"
    )
    page = body(site.html())
    assert 'role="doc-noteref"' in page
    assert "At the <em>foot</em>." in page
    assert "isogloss verify &lt; a &amp; b" in page
    assert "<dt>Term</dt>" in page
    assert "<blockquote>" in page
    assert "<ol" in page


def test_verdicts_are_marked(site) -> None:
    site.page("[different]{.verdict-different}")
    assert '<span class="verdict-different">different</span>' in site.html()


def test_links_between_pages_end_in_html(site) -> None:
    site.page("## S {#sec-s}", "second.qmd")
    site.page("[a](second.qmd) [b](second.qmd#sec-s) [c](second.html) [d](#sec-t)\n\n## T {#sec-t}")
    found = re.findall(r'href="([^"]+)">[abcd]<', body(site.html()))
    assert found == ["second.html", "second.html#sec-s", "second.html", "#sec-t"]


def test_a_navigation_entry_without_a_page_is_refused(site) -> None:
    (site.folder / "index.qmd").rename(site.folder / "other.qmd")
    with pytest.raises(ReportError, match=r"the navigation names index\.qmd"):
        site.render()


def test_a_missing_bibliography_or_theme_is_refused(site) -> None:
    (site.folder / "custom.scss").unlink()
    with pytest.raises(ReportError, match=r"the theme custom\.scss is missing"):
        site.render()
    (site.folder / "references.bib").unlink()
    with pytest.raises(ReportError, match=r"the bibliography references\.bib is missing"):
        site.render()


def test_a_theme_that_is_no_text_is_refused(site) -> None:
    (site.folder / "custom.scss").write_bytes(b"/*-- scss:rules --*/\n\xff")
    with pytest.raises(ReportError, match=r"custom\.scss: not UTF-8 text \(byte \d+\); save it"):
        site.render()


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "[x](javascript:alert(1))",
    "![x](https://x.org/a.png)",
    "`<b>`{=html}",
    "{{< env HOME >}}",
    "[x]{onclick=alert(1)}",
    "@unknown",
    "$\\href{javascript:alert(1)}{x}$",
    "<https://x.org>",
    "a | b",
    "::: {.callout-note}",
    "&lt;b&gt; &#60;script&#62;",
    "*stars* _lines_ ~~x~~ ^y^ # head \\ back",
)


def escaped(text: str) -> str:
    """Escape every character of text that Markdown could read as markup."""
    return re.sub(r"([^\w\s]|_)", r"\\\1", text)


def test_escaped_hostile_text_is_shown_as_written(site) -> None:
    rows = "\n".join(f"| {escaped(text)} |" for text in HOSTILE)
    site.page("{{< include part.md >}}")
    site.write("part.md", f"| text |\n|:--|\n{rows}\n\n: {escaped(HOSTILE[0])} {{#tbl-h}}\n")
    page = site.html()
    elements = Elements(body(page))
    for text in HOSTILE:
        assert text in elements.text
    tags = {tag for tag, _ in elements.found}
    assert tags <= {"div", "span", "table", "thead", "tbody", "tr", "th", "td"}
    names = {name for _, found in elements.found for name in found}
    assert not {name for name in names if name.startswith("on")}


@pytest.mark.parametrize("text", HOSTILE[:11])
@pytest.mark.parametrize("place", ["cell", "caption"])
def test_unescaped_hostile_text_is_refused(site, text: str, place: str) -> None:
    cell, caption = (text, "C") if place == "cell" else ("c", text)
    site.page("{{< include part.md >}}")
    site.write("part.md", f"| a |\n|:--|\n| {cell} |\n\n: {caption} {{#tbl-h}}\n")
    with pytest.raises(ReportError, match=r"part\.md, line \d"):
        site.render()


def test_a_finished_page_addresses_nothing_outside_the_site(site) -> None:
    site.page(
        f"{TABLE}\n\n![C](figure.svg){{#fig-a fig-alt='A'}}\n\n"
        "Text [@holm1979; @hyland1998] $x$.[^n]\n"
        "\n[^n]: Note.\n\n[self](index.html)"
    )
    page = site.html()
    assert fetched_addresses(page) == []
    assert "<script" not in page
    assert "url(" not in page
    for tag, found in Elements(page).found:
        for name in ("href", "src", "action", "data", "srcset"):
            value = found.get(name, "#")
            assert re.match(r"#|data:|[\w-]+\.html(#|$)", value), (tag, name, value)


def test_scripts_and_requests_are_forbidden_by_the_page_itself(site) -> None:
    policies = [
        found["content"]
        for tag, found in Elements(site.html()).found
        if found.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none';")
    assert "script-src" not in policies[0]


def test_rendering_twice_gives_the_same_bytes_and_no_path(site, tmp_path: Path) -> None:
    site.page(f"{TABLE}\n\n![C](figure.svg){{#fig-a fig-alt='A'}}\n\n[@holm1979] $x$")
    first = site.html()
    assert site.html() == first
    assert str(tmp_path) not in first
    assert not re.search(r"/(tmp|home|root|usr)/", first)


def test_nothing_is_written_when_a_page_fails(site) -> None:
    site.html()
    before = (site.out / "index.html").read_bytes()
    site.page("Changed.")
    site.page("@tbl-absent", "second.qmd")
    with pytest.raises(ReportError, match=r"second\.qmd"):
        site.render()
    assert (site.out / "index.html").read_bytes() == before
    assert [path.name for path in site.out.iterdir()] == ["index.html"]


def test_pages_that_are_gone_are_removed_and_other_files_stay(tmp_path: Path) -> None:
    for name in ("old.html", "kept.txt"):
        (tmp_path / name).write_text("x")
    assert write_files({"new.html": "é"}, tmp_path) == (tmp_path / "new.html",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.txt", "new.html"]
    assert (tmp_path / "new.html").read_bytes() == "é".encode()
