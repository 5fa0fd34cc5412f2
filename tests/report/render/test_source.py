import pytest

from isogloss.errors import ReportError
from isogloss.report.render.source import read_source


def lines(site, **variables):
    return [line.text for line in read_source(site.folder, "index.qmd", variables).lines]


def test_a_variable_is_filled_in(site) -> None:
    site.page("Mean {{< var hedging.gap >}} of {{<var n>}}.")
    assert "Mean −0.5 of 3." in lines(site, **{"hedging.gap": "−0.5", "n": "3"})


def test_includes_nest_and_resolve_against_the_project(site) -> None:
    site.page("{{< include parts/a.md >}}")
    site.write("parts/a.md", "first\n\n{{< include parts/b.md >}}\n")
    site.write("parts/b.md", "second\n\n{{< include c.md >}}\n")
    site.write("c.md", "third")
    text = lines(site)
    assert [word for word in text if word] == ["first", "second", "third"]


def test_a_line_remembers_the_file_it_came_from(site) -> None:
    site.page("above\n\n{{< include part.md >}}\n\nbelow")
    site.write("part.md", "one\ntwo")
    places = {
        line.text: (line.file, line.number)
        for line in read_source(site.folder, "index.qmd", {}).lines
    }
    assert places["two"] == ("part.md", 2)
    assert places["below"] == ("index.qmd", 9)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("\n{{< var absent >}}", "index.qmd, line 6: _variables.yml has no absent"),
        (
            "{{< include absent.md >}}",
            "index.qmd, line 5: the included file absent.md does not exist",
        ),
        ("{{< include ../x.md >}}", "index.qmd, line 5: the include ../x.md lies outside"),
        (
            "{{< include /etc/hostname >}}",
            "index.qmd, line 5: the include /etc/hostname lies outside",
        ),
        ("{{< include index.qmd >}}", "includes itself"),
        ("text {{< include a.md >}}", "line 5: an include must stand alone"),
        ("{{< env HOME >}}", "line 5: unknown shortcode {{< env HOME >}}"),
        ("{{< video x >}}", "line 5: unknown shortcode"),
        ("{{{< var x >}}}", "line 5: an escaped shortcode"),
        ("{{< var\nx >}}", "line 5: a shortcode that is not closed"),
        ("```{python}\n1\n```", "line 5: a cell that would be executed"),
        ("``` {r}\n1\n```", "line 5: a cell that would be executed"),
        ("a `{python} x` b", "line 5: a cell that would be executed"),
        ("a\x00b", "line 5: a control character"),
    ],
)
def test_a_fault_names_file_and_line(site, body: str, message: str) -> None:
    site.page(body)
    with pytest.raises(ReportError) as caught:
        lines(site)
    assert message in str(caught.value)


def test_includes_deeper_than_three_are_refused(site) -> None:
    site.page("{{< include 1.md >}}")
    for depth in (1, 2, 3):
        site.write(f"{depth}.md", f"{{{{< include {depth + 1}.md >}}}}\n")
    site.write("4.md", "deep")
    with pytest.raises(ReportError, match=r"3\.md, line 1: the include 4\.md is nested deeper"):
        lines(site)


def test_a_shortcode_in_an_include_is_refused_where_it_stands(site) -> None:
    site.page("{{< include part.md >}}")
    site.write("part.md", "\n| {{< env SECRET >}} |\n")
    with pytest.raises(ReportError, match=r"part\.md, line 2: unknown shortcode"):
        lines(site)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Text only\n", "must begin with a YAML header"),
        ("---\ntitle: x\n", "must begin with a YAML header"),
        ("---\ntitle: x\nengine: knitr\n---\n", "engine"),
        ("---\ndescription: x\n---\n", "title"),
        ("---\ntitle: [\n---\n", "the header may hold"),
        ("---\ntitle: '{{< var x >}}'\n---\n", "must not contain a shortcode"),
    ],
)
def test_a_bad_header_is_refused(site, text: str, message: str) -> None:
    site.write("index.qmd", text)
    with pytest.raises(ReportError, match=r"index\.qmd, line 1") as caught:
        lines(site)
    assert message in str(caught.value)


def test_a_file_that_is_not_utf8_is_named(site) -> None:
    (site.folder / "index.qmd").write_bytes(b"---\ntitle: caf\xe9\n---\n")
    with pytest.raises(ReportError, match=r"index\.qmd: not UTF-8 text \(byte 14\)"):
        lines(site)
