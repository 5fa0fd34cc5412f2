import pytest

from isogloss.publish.markup import read_markup


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("<div>\n<p>a</div>", []),
        ("<ul><li>a<li>b</ul><table><tr><td>a<th>b</table>", []),
        ("<dl><dt>a<dd>b<dt>c</dl><p>a<p>b", []),
        ("<svg><path/><g/></svg><br/><math><mi/></math>", []),
        ("<div><span>a</div>", ["<span> of line 1 is not closed before </div>"]),
        ("<b><i>a</b></i>", ["<i> of line 1 is not closed before </b>", "</i> closes nothing"]),
        ("a</div>", ["</div> closes nothing"]),
        ("<p><table></table></p>", ["</p> closes nothing"]),
        ("<section>\n<em>a", ["<section> of line 1", "<em> of line 2"]),
        ("<a href=x href=y>z</a>", ["<a> has the attribute href twice"]),
        ("<div/>a</div>", ["<div/> does not close itself"]),
    ],
)
def test_what_is_not_well_formed_is_a_fault(text: str, faults: list[str]) -> None:
    found = [fault.text for fault in read_markup(text).faults]
    assert len(found) == len(faults)
    assert all(text.startswith(begin) for text, begin in zip(found, faults, strict=True))


def test_a_passage_runs_through_inline_elements_and_ends_at_others() -> None:
    text = "<p>\n\nto<em>ke</em>n <b>a</b>\n b</p><p>next</p><style>p {}</style><td>c</td>"
    passages = read_markup(text).passages
    assert [(passage.line, passage.text) for passage in passages] == [
        (3, "token a b"),
        (4, "next"),
        (4, "c"),
    ]


def test_elements_know_their_lines_attributes_and_surroundings() -> None:
    markup = read_markup("<!DOCTYPE html>\n<main>\n<p id=a>x <b>y</b> z</p></main>")
    (bold,) = markup.all("b")
    assert bold.line == 3
    assert bold.within("main", "p").attributes == {"id": "a"}
    assert bold.within("nav") is None
    assert next(markup.all("p")).text == "x  z"
    assert markup.doctype == "DOCTYPE html"
