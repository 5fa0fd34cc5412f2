"""The page without a browser: nothing from outside becomes markup, and the markup is sound."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from tests.audit.conftest import HOSTILE, POSTING, Make, always

from isogloss.audit.audit import Audit
from isogloss.audit.compare import compare
from isogloss.audit.grid import Background, grid_of
from isogloss.audit.page.page import render_page
from isogloss.audit.record.content import content_of
from isogloss.audit.record.read import Record
from isogloss.audit.settings import AuditSettings
from isogloss.postings.personas import Attribute, Value

VOID = {"meta", "link", "img", "br"}
DOCUMENT = [
    "html",
    "head",
    "meta",
    "title",
    "link",
    "style",
    "body",
    "header",
    "main",
    "nav",
    "section",
    "div",
    "figure",
]
HEADINGS = ["h1", "h2", "h3", "h4"]
BLOCKS = ["p", "ul", "li", "dl", "dt", "dd", "pre", "details", "summary", "figcaption", "img"]
TABLES = ["table", "caption", "thead", "tbody", "tr", "th", "td"]
INLINE = ["a", "strong", "span", "mark", "sup", "bdi", "code", "ins", "del"]
KNOWN = {*DOCUMENT, *HEADINGS, *BLOCKS, *TABLES, *INLINE}


class Reader(HTMLParser):
    """Collects the elements of a page, and whether each end fits a beginning."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def counts(self) -> Counter[str]:
        return Counter(tag for tag, _ in self.elements)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]


def record_of(audit: Audit) -> Record:
    return Record(content_of(audit), audit.probes, audit.document.text, "e" * 64)


@pytest.fixture(scope="module")
def page(audit: Audit, revised: Audit) -> Reader:
    return Reader(render_page(revised, compare(record_of(audit), revised), files={"a": "0" * 64}))


def test_no_text_of_the_posting_becomes_an_element(audit: Audit, make_audit: Make) -> None:
    made = make_audit(POSTING.replace(HOSTILE, "Nothing else here."))
    hostile, clean = (
        Reader(render_page(replace(one, document=replace(one.document, warnings=()))))
        for one in (audit, made)
    )
    assert hostile.counts == clean.counts
    assert set(hostile.counts) <= KNOWN
    assert hostile.text.count("<script>document.title='owned'</script>") >= 1
    assert "משרה במשרד הראשי" in hostile.text
    assert "🚀" in hostile.text
    assert '"Ninja" & Leader' in hostile.text


def test_no_other_text_from_outside_becomes_an_element(audit: Audit, make_audit: Make) -> None:
    bad = "</title></style><b onclick=y>\"'>{{ 7 * 7 }}"
    attribute = Attribute("kind", bad, (Value("a", f"{bad}1"), Value("b", f"{bad}2")), "a")
    grid = grid_of((attribute,), (Background("one", bad), Background("two", f"{bad}!")))
    made = make_audit(grid=grid)
    before = replace(made, model=made.model | {"name": bad, bad: bad, "digest": "c" * 64})
    document = replace(made.document, name=bad, title=bad, warnings=(bad,))
    now = replace(made, document=document, created=bad, version=bad, model=before.model)
    comparison = compare(record_of(made), replace(now, created="2026"))
    html = render_page(now, replace(comparison, previous_created=bad), files={bad: bad})
    found = Reader(html)
    assert set(found.counts) <= KNOWN
    assert "<b onclick" not in html
    assert "{{ 7 * 7 }}" in found.text
    assert not [name for _, attrs in found.elements for name in attrs if name.startswith("on")]


def test_the_policy_allows_no_script_and_no_host(page: Reader) -> None:
    [policy] = [one["content"] for one in page.all("meta") if one.get("http-equiv") is not None]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    addresses = [
        value
        for _, attrs in page.elements
        for name, value in attrs.items()
        if name in ("src", "href", "srcset", "action", "data")
    ]
    assert all(one.startswith(("#", "data:")) for one in addresses if one)
    assert not [attrs for _, attrs in page.elements if "style" in attrs]


def test_headings_are_in_order_and_ids_are_unique(page: Reader) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    named = [attrs.get("aria-labelledby") for _, attrs in page.elements]
    links = [one["href"] for one in page.all("a")]
    assert {one for one in named if one} <= set(ids)
    assert {one[1:] for one in links if one} <= set(ids)


def test_tables_and_figures_can_be_listened_to(page: Reader) -> None:
    assert page.counts["table"] == page.counts["caption"] > 10
    assert all(one.get("scope") for one in page.all("th"))
    assert all(len(one["alt"] or "") > 50 for one in page.all("img"))
    assert page.all("html") == [{"lang": "en"}]
    regions = [one for one in page.all("div") if one.get("role") == "region"]
    assert all(one.get("aria-label") or one.get("aria-labelledby") for one in regions)


def test_marked_words_say_their_register_without_colour(audit: Audit) -> None:
    found = Reader(render_page(audit))
    words = found.text.replace("\n", " ")
    assert "ambitiousA (agentic, " in words
    marks = [one["class"] for one in found.all("mark")]
    # Four in the legend, then each match of the posting, of which none overlap here.
    assert len(marks) == 4 + len(audit.profile.matches)


def test_flags_are_in_the_headline(audit: Audit) -> None:
    words = " ".join(Reader(render_page(audit)).text.split())
    head = words[: words.index("S1 The posting and its words")]
    assert "6 groups are below four fifths" in head
    assert "As recruiter, by race: black, 2 of 12 selected, a ratio of 0.31 to asian" in head
    assert "2 of 108 questions have no score" in head
    assert "Agentic dominates" in head


def test_what_cannot_be_compared_is_said_with_its_reason(make_audit: Make) -> None:
    found = make_audit(score=always(1))
    words = " ".join(Reader(render_page(found)).text.split())
    assert "No selection rates could be compared. Nothing is cleared by this" in words
    assert "No group that could be compared" not in words
    assert "Not estimable As recruiter, by gender" in words
    nobody = make_audit(score=always(None))
    words = " ".join(Reader(render_page(nobody)).text.split())
    assert "108 of 108 questions have no score" in words
    assert "nan" not in words.lower().split()


def test_one_role_and_one_attribute_make_a_page(make_audit: Make) -> None:
    attribute = Attribute("kind", "Kind", (Value("a", "A"),), "a")
    grid = grid_of((attribute,), (Background("one", "Has one year of experience."),))
    found = make_audit(grid=grid, roles=("recruiter",))
    assert found.settings == AuditSettings(roles=("recruiter",), bootstrap_draws=200)
    words = " ".join(Reader(render_page(found)).text.split())
    assert "Not estimable" in words


def test_the_comparison_names_what_went_and_what_came(page: Reader) -> None:
    words = " ".join(page.text.split())
    assert "6 four-fifths flags cleared, 0 raised" in words
    assert "challenge (× 2)" in words
    assert "[only before: an ambitious, competitive and dominant] " in words
    assert "A flag that is cleared is no proof" in words


def test_the_notice_is_on_the_page(page: Reader) -> None:
    assert "information and not legal advice" in page.text
    assert "Annex III, point 4(a)" in page.text
