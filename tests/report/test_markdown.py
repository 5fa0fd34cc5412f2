import html
import re
from collections.abc import Callable

import pypandoc
import pytest

from isogloss.report.markdown import Column, Record, escape, pipe_table, slug

HOSTILE = [
    "a|b",
    r"back\slash \n",
    "`code` ```{python}",
    "<script>alert(1)</script>",
    "<!-- comment -->",
    "*bold* _it_ ~sub~ ^sup^ ~~gone~~",
    "[link](http://x.org) ![image](y.png)",
    "[span]{.verdict-different}",
    "$x^2$ and $$y$$",
    "@citation and [@other]",
    "&amp; &#65; &",
    "{{< var x >}} {{{< y >}}}",
    "::: {.callout}",
    "\"quotes\" 'single' -- --- ... a-b.c",
    "# heading",
    "+ list",
    "- list",
    "1. list",
    ": caption {#tbl-x}",
    ":smile: ==mark== x=y",
    "~~~",
    "\u202eleft\u202c naïve 中文 −0.5",
]


def as_html(markdown: str) -> str:
    options = ["--wrap=none"]
    return str(pypandoc.convert_text(markdown, "html", format="markdown+smart", extra_args=options))


def always(text: str) -> Callable[[Record], str]:
    return lambda _: text


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_text_reads_as_itself(text: str) -> None:
    prefix = "x " if re.match(r"[-+] |\d+\. ", text) else ""  # a list needs the line's start
    source = prefix + escape(text)
    found = as_html(source)
    assert html.unescape(found.strip()) == f"<p>{prefix}{text}</p>"


def test_shortcodes_cannot_survive() -> None:
    assert "{{<" not in escape("{{< include /etc/passwd >}}")


def test_line_ends_and_control_characters_become_a_space() -> None:
    assert escape("a\r\n\x00b\u2028c\x1b") == "a b c"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_cells_stay_in_their_cell(text: str) -> None:
    columns = [Column("A", lambda row: escape(row["a"])), Column("B", always("end"), "right")]
    table = pipe_table([{"a": text}], columns, caption=escape(text), label="tbl-x")
    found = as_html(table)
    cells = re.findall(r"<td[^>]*>(.*?)</td>", found)
    assert [html.unescape(cell) for cell in cells] == [text, "end"]
    assert found.count("<table") == 1


def test_table_has_alignment_caption_and_label() -> None:
    columns = [Column("A", lambda row: row["a"]), Column("N", lambda row: row["n"], "right")]
    table = pipe_table([{"a": "word", "n": "1"}], columns, caption="What", label="tbl-y")
    assert table == ("| A | N |\n| ---- | --: |\n| word | 1 |\n\n: What {#tbl-y}\n")


def test_widths_ignore_what_does_not_show() -> None:
    columns = [Column("V", lambda row: row["v"])]
    table = pipe_table([{"v": "[abc]{.verdict-different}"}], columns, caption="C", label="tbl-z")
    assert table.splitlines()[1] == "| --- |"


def test_empty_cell_keeps_its_place() -> None:
    columns = [Column("A", always("")), Column("B", always("b"))]
    assert pipe_table([{}], columns, caption="C", label="tbl-e").splitlines()[2] == "|   | b |"


def test_slug() -> None:
    assert slug("My Set_1: ü") == "my-set-1"
