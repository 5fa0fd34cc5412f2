"""Each alteration of a rendered page is found and named with its place."""

import base64
import re

import pytest
from tests.report.check.conftest import Report

from isogloss.errors import RecordError
from isogloss.report.check.page import labels_of, shown_page


def only(found: list) -> tuple[str, str | None, str | None]:
    assert len(found) == 1, found
    return found[0].place, found[0].expected, found[0].found


def test_a_page_as_it_was_rendered_has_no_difference(small: Report) -> None:
    assert small.differences(small.html) == []
    shown = small.expected.shown
    assert list(shown.tables) == ["tbl-a"]
    assert list(shown.figures) == ["fig-a", "fig-b"]
    assert [token.text for token in shown.prose.tokens] == [
        *("1", "33", "1", "1", "1", "5", "7", "2", "phi-4", "−0.390 [−0.550, −0.230]", "20"),
        *("9", "1.1", "12"),
    ]


def test_a_digit_in_a_cell(small: Report) -> None:
    place, expected, found = only(small.planted(">−0.655<", ">−0.855<"))
    assert place == "tbl-a, row 1, column 'Difference'"
    assert (expected, found) == ("−0.655", "−0.855")


def test_a_number_in_another_cell(small: Report) -> None:
    place, *_ = only(small.planted(">18<", ">81<"))
    assert place == "tbl-a, row 2, column 'Items'"


def test_two_cells_that_changed_places(small: Report) -> None:
    (row,) = re.findall(r"<tr>(?:(?!</tr>).)*>29<.*?</tr>", small.html, flags=re.DOTALL)
    _, second, third = re.findall(r"<td[^>]*>.*?</td>", row, flags=re.DOTALL)
    swapped = row.replace(third, "").replace(second, third + second)
    found = small.planted(row, swapped)
    assert [(one.place, one.expected, one.found) for one in found] == [
        ("tbl-a, row 1, column 'Difference'", "−0.655", "29"),
        ("tbl-a, row 1, column 'Items'", "29", "−0.655"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected", "found"),
    [
        ("−0.655", "0.655", "−0.655", "0.655"),
        ("+0.464", "−0.464", "+0.464", "−0.464"),
        ("−0.550, −0.230]", "0.550, −0.230]", "−0.390 [−0.550, −0.230]", "−0.390 [0.550, −0.230]"),
        (">95 %<", ">95<", "95 %", "95"),
        ("between 1 and 5", "between −1 and 5", "1", "−1"),
        ("at most 20 times", "at most 20 % times", None, "%"),
    ],
)
def test_a_sign_or_a_unit(
    small: Report, old: str, new: str, expected: str | None, found: str
) -> None:
    assert only(small.planted(old, new))[1:] == (expected, found)


def test_a_name_in_a_table(small: Report) -> None:
    place, expected, found = only(small.planted(">olmo<", ">phi-5<"))
    assert (place, expected, found) == ("tbl-a, row 2, column 'Model'", "olmo", "phi-5")


def test_a_heading_of_a_table(small: Report) -> None:
    place, *_ = only(small.planted("Difference</th>", "Indifference</th>"))
    assert place == "tbl-a, header, column 'Difference'"


def test_a_removed_row(small: Report) -> None:
    row = re.search(r"<tr[^>]*>(?:(?!</tr>).)*olmo.*?</tr>", small.html, re.DOTALL)
    assert row is not None
    place, expected, found = only(small.planted(row[0], ""))
    assert place == "tbl-a, row 2 is missing"
    assert (expected, found) == ("olmo | +0.464 | 18", None)


def test_an_added_row(small: Report) -> None:
    place, _, found = only(
        small.planted("</tbody>", "<tr><td>x</td><td>1</td><td>2</td></tr></tbody>")
    )
    assert place == "tbl-a, row 3 should not be there"
    assert found == "x | 1 | 2"


def test_rows_that_changed_places(small: Report) -> None:
    swapped = small.html.replace(">phi-4<", ">@<", 1).replace(">olmo<", ">phi-4<")
    found = small.differences(swapped.replace(">@<", ">olmo<", 1))
    assert found


def test_a_source_of_a_cell(small: Report) -> None:
    place, expected, found = only(small.planted("effects.csv, row 2: n", "effects.csv, row 7: n"))
    assert place == "tbl-a, row 2, column 'Items': source"
    assert "row 2: n" in str(expected)
    assert "row 7: n" in str(found)


def test_a_removed_table(small: Report) -> None:
    table = re.search(r"<table.*?</table>", small.html, re.DOTALL)
    assert table is not None
    place, *_ = only(small.planted(table[0], ""))
    assert place == "tbl-a: the table is missing"


def test_a_table_that_was_added(small: Report) -> None:
    places = [
        one.place
        for one in small.planted("<p>Of the", "<table><tr><td>9</td></tr></table><p>Of the")
    ]
    assert places == ["table 1: a table that the source does not have"]


def test_a_caption(small: Report) -> None:
    place, expected, found = only(small.planted(">95 %<", ">99 %<"))
    assert place.startswith("tbl-a, caption: ")
    assert (expected, found) == ("95 %", "99 %")


def test_a_number_of_a_table_or_of_a_reference_to_it(small: Report) -> None:
    place, expected, found = only(small.planted("Table\u00a01.</span>", "Table\u00a02.</span>"))
    assert (place, expected, found) == ("tbl-a, number", "1", "2")
    place, *_ = only(small.planted(">Table\u00a01</a>", ">Table\u00a02</a>"))
    assert place.startswith("text, section '1 Results': ")


def test_a_digit_in_a_sentence(small: Report) -> None:
    place, expected, found = only(small.planted("between 1 and 5", "between 1 and 7"))
    assert "between 1 and 7" in place
    assert "Results" in place
    assert (expected, found) == ("5", "7")


def test_a_value_in_a_sentence(small: Report) -> None:
    place, expected, found = only(small.planted(">33<", ">93<"))
    assert "Of the 93 pairs" in place
    assert (expected, found) == ("33", "93")


def test_a_number_that_was_added_to_a_sentence(small: Report) -> None:
    place, expected, found = only(small.planted("most lay", "most of 400 lay"))
    assert "'…" in place
    assert "that nothing backs" in place
    assert (expected, found) == (None, "400")


def test_a_number_that_was_taken_from_a_sentence(small: Report) -> None:
    place, expected, found = only(small.planted("at most 20 times", "at most many times"))
    assert "is missing" in place
    assert (expected, found) == ("20", None)


def test_a_number_whose_source_was_taken_away(small: Report) -> None:
    span = re.search(r"<span[^>]*rows 1-33[^>]*>33</span>", small.html)
    assert span is not None
    place, _, found = only(small.planted(span[0], "33"))
    assert "source of 33" in place
    assert found == "none"


@pytest.mark.parametrize(
    "hidden",
    [
        "<nav>The effect is 0.77.</nav>",
        "<header>The effect is 0.77.</header>",
        '<span class="citation">The effect is 0.77.</span>',
        '<div id="refs">The effect is 0.77.</div>',
        '<span class="section-number">0.77</span>',
        '<h2><span class="section-number">0.77</span></h2>',
        "<figure><figcaption>The effect is 0.77.</figcaption></figure>",
        '<figcaption class="source">0.77</figcaption>',
        '<span class="num" title="data/results/x/effects.csv, row 1: n">0.77</span>',
    ],
)
def test_a_number_cannot_hide(small: Report, hidden: str) -> None:
    found = small.planted("<p>Of the", f"{hidden}<p>Of the")
    assert any("0.77" in str(one.found) for one in found)


def test_a_number_cannot_hide_beside_the_main_part(small: Report) -> None:
    place, _, found = only(small.planted("</main>", "</main><p>The effect is 0.77.</p>"))
    assert place.startswith("frame of the page: ")
    assert found == "0.77"


def test_a_swapped_figure(small: Report) -> None:
    first, second = re.findall(r'src="(data:image/svg[^"]*)"', small.html)
    place, expected, found = only(small.planted(first, second))
    assert (place, expected, found) == ("fig-a: another image", "a.svg", "b.svg")


def test_a_changed_figure(small: Report) -> None:
    address = re.findall(r'src="(data:image/svg[^"]*)"', small.html)[0]
    drawing = base64.b64decode(address.partition(",")[2]).replace(b"first 1", b"first 7")
    changed = f"data:image/svg+xml;base64,{base64.b64encode(drawing).decode()}"
    place, expected, found = only(small.planted(address, changed))
    assert (place, expected) == ("fig-a: another image", "a.svg")
    assert found == "an image that is no figure of this page"


def test_a_removed_figure_and_one_that_was_added(small: Report) -> None:
    figure = re.search(r'<figure id="fig-b".*?</figure>', small.html, re.DOTALL)
    assert figure is not None
    place, *_ = only(small.planted(figure[0], ""))
    assert place == "fig-b: the figure is missing"
    place, *_ = only(small.planted("<p>Of the", '<img src="data:,x" alt=""><p>Of the'))
    assert place == "figure 1: a figure that the source does not have"


def test_an_alternative_text_and_a_caption_of_a_figure(small: Report) -> None:
    place, *_ = only(small.planted("Bars of 1 to 5.", "Bars of 1 to 7."))
    assert place.startswith("fig-a, alternative text")
    place, *_ = only(small.planted("Shares from 1 to 5.", "Shares from 1 to 7."))
    assert place.startswith("fig-a, caption")


def test_a_title_of_the_page(small: Report) -> None:
    place, _, found = only(
        small.planted('class="title">A page of 2026', 'class="title">A page of 2036')
    )
    assert (place.split(":")[0], found) == ("frame of the page", "2036")


def test_a_word_of_a_sentence(small: Report) -> None:
    place, expected, found = only(small.planted("most lay", "none lay"))
    assert place.startswith("text, section '1 Results': ")
    assert "Figure 1, none lay between" in place
    assert (expected, found) == ("most", "none")
    place, expected, found = only(small.planted("most lay between", "lay between"))
    assert place.endswith("is missing")
    assert (expected, found) == ("most", None)
    _, expected, found = only(small.planted("most lay", "most did not lie"))
    assert (expected, found) == ("lay", "did not lie")


def test_words_that_changed_places(small: Report) -> None:
    _, expected, found = only(small.planted("A “quoted” line", "A line “quoted”"))
    assert (expected, found) == ("“quoted” line,", "line “quoted”,")


def test_a_word_of_a_caption_of_an_alternative_text_or_of_the_title(small: Report) -> None:
    for old, new, where in (
        ("Differences at", "Ratios at", "tbl-a, caption"),
        ("Shares from", "Counts from", "fig-a, caption"),
        ("More bars.", "No bars.", "fig-b, alternative text"),
        ('class="title">A page', 'class="title">No page', "title and description"),
    ):
        place, *_ = only(small.planted(old, new))
        assert place.startswith(where)


def test_a_number_with_its_words_is_named_once(small: Report) -> None:
    _, expected, found = only(small.planted("Defined at most 20 times", "Defined always"))
    assert (expected, found) == ("20", None)


def test_words_of_another_renderer_are_not_compared(small: Report) -> None:
    html = small.html.replace("most lay", "none lay").replace("More bars.", "No bars.")
    assert small.differences(html, exact=False) == []


def test_a_heading_in_the_place_of_that_of_the_references(small: Report) -> None:
    _, expected, found = only(small.planted(">References</h2>", ">No effect</h2>"))
    assert (expected, found) == (None, "No effect")


def test_another_number_among_the_references(small: Report) -> None:
    place, expected, found = only(small.planted("Holm 1979", "Holm 1897"))
    assert place.startswith("references: ")
    assert (expected, found) == ("1979", "1897")
    place, expected, found = only(small.planted("6: 65", "65: 65"))
    assert (expected, found) == ("6", "65")


def test_references_of_another_pandoc_may_have_only_what_the_bibliography_has(
    small: Report,
) -> None:
    """Its style may put the same numbers in another way."""
    html = small.html.replace("6: 65", "6 (65)")
    assert small.differences(html, exact=False) == []
    place, _, found = only(small.differences(html.replace("Holm 1979", "1897"), exact=False))
    assert place.startswith("references: ")
    assert found == "1897"


def test_nothing_of_a_page_is_executed_or_fetched(small: Report) -> None:
    script = '<script>document.write("0.77")</script><img src="http://localhost:9/x.svg">'
    places = [one.place for one in small.planted("<p>Of the", f"{script}<p>Of the")]
    assert places == ["figure 1: a figure that the source does not have"]


def test_the_frame_of_another_renderer_is_no_difference(small: Report) -> None:
    """As Quarto makes it: other elements around tables and figures, numbers in plain captions."""
    html = small.html.replace('class="table-scroll"', 'class="cell"')
    html = re.sub(
        r'<span class="caption-number">(Table|Figure)\u00a0(\d)\.</span>', r"\1 \2:", html
    )
    html = html.replace('class="section-number"', 'class="header-section-number"')
    html = html.replace('class="cross-reference"', 'class="quarto-xref"')
    html = html.replace("<main ", '<div class="page-columns"><main ').replace(
        "</main>", "</main></div>"
    )
    assert html != small.html
    assert small.differences(html, exact=False) == []


def test_a_file_that_is_no_page_is_an_error() -> None:
    with pytest.raises(RecordError, match=r"x\.html has 0 main parts"):
        shown_page(b"<p>Text</p>", [], "x.html")
    with pytest.raises(RecordError, match=r"x\.html is not a readable page"):
        shown_page(b"", [], "x.html")


def test_labels_can_be_read_from_a_page(small: Report) -> None:
    assert labels_of(small.html.encode()) == {"tbl-a", "fig-a", "fig-b"}
