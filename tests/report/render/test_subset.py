"""What a page may not contain, each with the line at which it is named."""

import pytest

from isogloss.errors import ReportError

ALT = 'fig-alt="A bar"'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("a\n\n<b>bold</b>", "index.qmd, line 7: raw HTML"),
        ("a\n\n<div>\nb\n</div>", "raw HTML"),
        ("<!-- note -->", "index.qmd, line 5: raw HTML"),
        ("| a |\n|---|\n| <script>alert(1)</script> |", "index.qmd, line 7: raw HTML"),
        ("a\n\n`<b>`{=html}", "index.qmd, line 7: a raw attribute"),
        ("```{=html}\n<b>\n```", "a cell that would be executed|a raw attribute"),
        ("a\n\n\\begin{x}y\\end{x}", "index.qmd, line 7: raw TeX"),
        ("a \\textbf{b}", "index.qmd, line 5: raw TeX"),
        ("\\newcommand{\\x}{y}\n\n$\\x$", "raw TeX"),
        ("a\n\n---\na: [x\n---\n\nb", r"index\.qmd, line \d+: a metadata block"),
        ("a\n\n---\ncss: x\n---\n\nb", "index.qmd, line 9: a metadata block"),
    ],
)
def test_anything_raw_is_refused(site, body: str, message: str) -> None:
    site.page(body)
    with pytest.raises(ReportError, match=message):
        site.read()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("a\n\n[b]{onclick='x()'}", "index.qmd, line 7: the attribute onclick='x()'"),
        ("[b]{style='color:red'}", "line 5: the attribute style="),
        ("[b]{.btn}", "line 5: the class .btn"),
        ("## H {onmouseover=x}", "the attribute onmouseover"),
        ("::: {.callout-caution}\na\n:::", "the class .callout-caution"),
        ("::: {.callout-note onclick=x}\na\n:::", "the attribute onclick"),
        ("::: {#x}\na\n:::", "a block between ::: lines that is not a callout"),
        ("## H {#page-content}", "belongs to the page's frame"),
        ("```{.python onclick=x}\na\n```", "the attribute onclick"),
        ("# H", 'the heading "H" is at level 1'),
        ("## H\n\n#### I\n", 'line 7: the heading "I" skips a level'),
    ],
)
def test_attributes_classes_and_headings_outside_the_subset_are_refused(
    site, body, message
) -> None:
    site.page(body)
    with pytest.raises(ReportError) as caught:
        site.read()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript&#58;alert(1)",
        "java&#x73;cript:alert(1)",
        "data:text/html,x",
        "https://example.org",
        "//example.org/x",
        "mailto:a@b.c",
        "../secret.html",
        "/etc/passwd",
        "index.html?x=1",
        "vbscript:x",
    ],
)
def test_a_link_that_leaves_the_site_is_refused(site, address: str) -> None:
    site.page(f"a\n\nSee [here]({address}).")
    with pytest.raises(
        ReportError, match=r"index\.qmd, line 7: the link .* leads outside the site"
    ):
        site.read()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("absent.html", "line 5: the link absent.html leads to a page that does not exist"),
        ("#absent", "line 5: the link #absent leads to a place that does not exist"),
        ("second.qmd#absent", "the link second.qmd#absent leads to a place that does not exist"),
        ("<https://example.org>", "leads outside the site"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused(site, address: str, message: str) -> None:
    site.page("x", "second.qmd")
    site.page(address if address.startswith("<") else f"[here]({address})")
    with pytest.raises(ReportError) as caught:
        site.read()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"![C](absent.svg){{#fig-a {ALT}}}", "line 5: the image absent.svg does not exist"),
        (f"![C](https://x.org/a.svg){{#fig-a {ALT}}}", "is not a file of the project"),
        (f"![C](//x.org/a.svg){{#fig-a {ALT}}}", "is not a file of the project"),
        (f"![C](../a.svg){{#fig-a {ALT}}}", "is not a file of the project"),
        (f"![C](data:image/png;base64,AA){{#fig-a {ALT}}}", "is not a file of the project"),
        (f"![C](references.bib){{#fig-a {ALT}}}", "is neither .svg nor .png"),
        (f"![C](figure.svg){{{ALT}}}", "a figure needs a label"),
        ("![C](figure.svg){#fig-a}", "needs an alternative text"),
        (f"![](figure.svg){{#fig-a {ALT}}}", "must stand alone, with a caption"),
        (f"text ![C](figure.svg){{#fig-a {ALT}}}", "must stand alone, with a caption"),
        (f"![C](figure.svg){{#fig-a {ALT} onload=x}}", "the attribute onload"),
    ],
)
def test_an_image_outside_the_subset_is_refused(site, body: str, message: str) -> None:
    site.page(body)
    with pytest.raises(ReportError) as caught:
        site.read()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("a\n\nSee @tbl-absent.", "index.qmd, line 7: @tbl-absent refers to nothing"),
        ("See @fig-absent.", "@fig-absent refers to nothing"),
        ("See @sec-absent.", "@sec-absent refers to nothing"),
        ("## H {#sec-h .unnumbered}\n\n@sec-h", "line 7: @sec-h refers to nothing numbered"),
        ("a\n\n[@absent]", "index.qmd, line 7: @absent is in no bibliography"),
        ("## A {#sec-a}\n\n[see @sec-a, p. 3]", "stands among other words"),
        ("## A {#sec-a}\n\n[@sec-a; @holm1979]", "share brackets"),
        ("## A {#sec-a}\n\n## B {#sec-a}", "line 7: the label sec-a is used twice"),
        ("|a|\n|-|\n|b|\n\n: {#tbl-a}", "tbl-a"),
        ("|a|\n|-|\n|b|\n\n: Caption {#a}", "must begin with tbl-"),
        ("$\\bad{y}$", "line 5: the formula \\bad{y} cannot be shown as MathML"),
    ],
)
def test_an_unresolved_reference_is_refused(site, body: str, message: str) -> None:
    site.page(body)
    with pytest.raises(ReportError) as caught:
        site.read()
    assert message in str(caught.value)


def test_a_fault_in_an_include_names_the_include(site) -> None:
    site.page("{{< include part.md >}}")
    site.write("part.md", "fine\n\n| a |\n|:--|\n| [x](javascript:alert(1)) |\n")
    with pytest.raises(ReportError, match=r"part\.md, line 5: the link javascript:alert\(1\)"):
        site.read()
