"""The page in a real browser: by keyboard, over a reload, offline, and with hostile texts."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import ItemError
from isogloss.review.accept import accept
from isogloss.review.batch import Batch
from isogloss.review.filled import read_filled
from isogloss.review.page import page, write_page

PHONE = {"width": 360, "height": 740}
AA_TEXT = 4.5
"""Least contrast of text by WCAG 2.2, level AA."""


@dataclass
class Reviewer:
    """A page on a screen, and what became of it."""

    view: Any
    address: str
    requests: list[str]
    errors: list[str]

    def press(self, *keys: str) -> None:
        for key in keys:
            self.view.keyboard.press(key)

    @property
    def number(self) -> int:
        """Number of the one pair that is shown."""
        [title] = [t for t in self.view.locator(".pair h2").all() if t.is_visible()]
        return int(re.findall(r"\d+", title.inner_text())[0])

    @property
    def progress(self) -> str:
        return str(self.view.inner_text("#progress"))

    @property
    def message(self) -> str:
        return str(self.view.inner_text("#message"))

    def verdict(self, number: int) -> str | None:
        chosen = self.view.query_selector(f"#pair-{number} :checked")
        return chosen.get_attribute("value") if chosen else None

    def download(self, path: Path) -> dict[str, Any]:
        with self.view.expect_download() as waiting:
            self.view.click("#download")
        waiting.value.save_as(path)
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return content

    def load(self, path: Path) -> None:
        self.view.evaluate("document.getElementById('message').textContent = ''")
        self.view.set_input_files("#load", path)
        self.view.locator("#message:not(:empty)").wait_for()


Open = Callable[..., Reviewer]


@pytest.fixture
def open_page(chromium: Any, batch: Batch, tmp_path: Path) -> Iterator[Open]:
    """Open the page of a batch; every request but that of the page itself is cut and counted."""
    contexts = []

    def show(given: Batch = batch, **options: Any) -> Reviewer:
        path = tmp_path / "review.html"
        write_page(given, path)
        context = chromium.new_context(**options)
        contexts.append(context)
        requests: list[str] = []
        errors: list[str] = []

        def route(call: Any) -> None:
            requests.append(call.request.url)
            if call.request.url == path.as_uri():
                call.continue_()
            else:
                call.abort()

        context.route("**/*", route)
        view = context.new_page()
        view.on("console", lambda message: errors.append(message.text))
        view.on("pageerror", lambda error: errors.append(str(error)))
        view.goto(path.as_uri())
        return Reviewer(view, path.as_uri(), requests, errors)

    yield show
    for context in contexts:
        context.close()


# --- without a browser ----------------------------------------------------------------------------


def test_texts_are_escaped_everywhere(batch: Batch) -> None:
    bad = "</script><script>x</script>\"'><b onclick=y>"
    key = replace(batch.pairs[2].key, item_set=bad, item_id=bad, contrast=bad)
    pair = replace(
        batch.pairs[2],
        key=key,
        context=bad,
        guise=bad,
        reference=bad,
        reference_text="",
        guise_text=bad,
        reason=bad,
        valid=False,
    )
    hostile = Batch((pair,), {bad: bad}, reviewer=bad, content_note=bad)
    html, clean = page(hostile), page(batch)
    assert "<b onclick" not in html
    assert html.count("<script>") == clean.count("<script>") == 1
    assert html.count("</script>") == 1


def test_the_policy_names_the_page_s_own_script_and_no_host(batch: Batch) -> None:
    html = page(batch)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', html)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.findall(r"""\son\w+=|(?:src|href)=["'](?!data:,|#)""", html.split("<main")[0])


def test_a_blind_page_holds_nothing_of_the_machine_s(batch: Batch) -> None:
    html = page(replace(batch, blind=True))
    body = re.sub(r"<(script|style)>.*?</\1>", "", html, flags=re.DOTALL)
    for words in ("similarity", "is empty", "achine", "data-failed", "&gt;= 0.7"):
        assert words not in body
        assert words in page(batch)


def test_a_text_by_itself_stands_alone(batch: Batch) -> None:
    pair = replace(batch.pairs[0], reference="", reference_text="")
    html = page(replace(batch, pairs=(pair,)))
    assert html.count("<h3>") == 1
    assert "<ins>" not in html


def test_an_equal_batch_has_the_same_page(batch: Batch) -> None:
    assert page(batch) == page(replace(batch))
    assert (
        replace(batch, reviewer="Ben").digest != batch.digest != replace(batch, blind=True).digest
    )


# --- in a browser ---------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_walk_by_keyboard(open_page: Open) -> None:
    here = open_page()
    assert (here.number, here.progress) == (1, "0 of 6 decided")
    here.press("j", "ArrowRight", "k", "ArrowLeft", "k")
    assert (here.number, here.message) == (1, "No pair before this one.")
    here.press("a", "j", "r", "j", "u")
    assert here.progress == "3 of 6 decided"
    assert [here.verdict(n) for n in (1, 2, 3, 4)] == ["accept", "reject", "unsure", None]
    here.press("c")
    here.view.keyboard.type("jar? a r u m")
    assert (here.number, here.verdict(3)) == (3, "unsure")
    assert here.view.input_value("#pair-3 textarea") == "jar? a r u m"
    here.press("Escape", "j")
    assert here.number == 4
    assert here.view.evaluate("document.activeElement.id") == "title-4"
    here.press("j", "j", "j")
    assert (here.number, here.message) == (6, "No pair after this one.")
    here.press("?")
    assert here.view.is_visible("#help")
    here.press("a", "Escape")
    assert (here.view.is_visible("#help"), here.verdict(6)) == (False, None)
    here.press("Control+a")
    assert here.verdict(6) is None
    assert here.errors == []


@pytest.mark.browser
def test_arrows_choose_a_verdict_where_one_has_the_focus(open_page: Open) -> None:
    here = open_page()
    here.view.focus("#pair-1 [value=accept]")
    here.press("Space", "ArrowRight")
    assert (here.number, here.verdict(1)) == (1, "reject")
    here.press("j")
    assert here.number == 2


@pytest.mark.browser
def test_shortcuts_can_be_switched_off(open_page: Open) -> None:
    here = open_page()
    here.view.click("#more summary")
    here.view.uncheck("#shortcuts")
    here.view.focus("#title-1")
    here.press("a", "j")
    assert (here.number, here.verdict(1)) == (1, None)
    here.view.click("#next")
    assert here.number == 2


@pytest.mark.browser
def test_progress_is_kept_over_a_reload(open_page: Open) -> None:
    here = open_page()
    here.press("r", "c")
    here.view.keyboard.type("adds a claim")
    here.press("Escape", "j", "a", "j")
    here.view.fill("#reviewer", "Ana B.")
    here.view.reload()
    assert (here.number, here.progress) == (3, "2 of 6 decided")
    assert (here.verdict(1), here.verdict(2)) == ("reject", "accept")
    assert here.view.input_value("#pair-1 textarea") == "adds a claim"
    assert here.view.input_value("#reviewer") == "Ana B."


@pytest.mark.browser
def test_another_export_starts_anew(open_page: Open, batch: Batch, tmp_path: Path) -> None:
    here = open_page()
    here.press("a")
    write_page(replace(batch, pairs=batch.pairs[:5]), tmp_path / "review.html")
    here.view.reload()
    assert here.progress == "0 of 5 decided"


@pytest.mark.browser
def test_what_is_downloaded_is_imported(open_page: Open, batch: Batch, tmp_path: Path) -> None:
    here = open_page()
    here.press("r", "c")
    here.view.keyboard.type('=1+1 "é😀"')
    here.press("Escape", "j", "a")
    here.download(tmp_path / "d.json")
    assert here.message == "Downloaded 2 decisions."
    filled = read_filled(tmp_path / "d.json")
    given = accept(filled, batch.pairs, "Ana", datetime.now(UTC), None)
    assert [(d.item_id, d.verdict, d.comment, d.blind) for d in given.decisions] == [
        ("007", "reject", '=1+1 "é😀"', True),
        ("i2", "accept", "", True),
    ]
    with pytest.raises(ItemError, match="the file is that of 'Ana'"):
        accept(filled, batch.pairs, "Ben", datetime.now(UTC), None)


@pytest.mark.browser
def test_a_comment_without_a_verdict_is_pointed_out(open_page: Open, tmp_path: Path) -> None:
    here = open_page()
    here.press("c")
    here.view.keyboard.type("hm")
    assert here.progress == "0 of 6 decided"
    here.download(tmp_path / "d.json")
    assert here.message.startswith("Downloaded. 1 comment without a verdict")
    filled = read_filled(tmp_path / "d.json")
    with pytest.raises(ItemError, match="decision 1: a comment and no verdict"):
        accept(filled, (), "Ana", datetime.now(UTC), None)


@pytest.mark.browser
def test_decisions_can_be_loaded_after_the_browser_forgot(open_page: Open, tmp_path: Path) -> None:
    here = open_page()
    here.press("r", "j", "a")
    saved = here.download(tmp_path / "d.json")
    here.view.evaluate("localStorage.clear()")
    here.view.reload()
    assert here.progress == "0 of 6 decided"
    here.press("u")
    here.load(tmp_path / "d.json")
    # What was decided last stays.
    assert (here.message, here.progress) == ("Loaded 2 decisions.", "2 of 6 decided")
    assert [here.verdict(n) for n in (1, 2)] == ["unsure", "accept"]
    for content, said in [
        ("{", "it is not JSON"),
        ("[]", "it is not a file of decisions"),
        ('{"format": "isogloss review 1", "decisions": 3}', "it is not a file of decisions"),
        (json.dumps({**saved, "export": "0"}), "it belongs to another export"),
    ]:
        (tmp_path / "bad.json").write_text(content)
        here.load(tmp_path / "bad.json")
        assert here.message == f"The file was not loaded: {said}."
    strange = [{**saved["decisions"][0], "verdict": "<b>"}, None, 7]
    (tmp_path / "bad.json").write_text(json.dumps({**saved, "decisions": strange}))
    here.load(tmp_path / "bad.json")
    assert here.message == "Loaded 0 decisions. 3 could not be read and were left out."
    assert here.errors == []


@pytest.mark.browser
def test_starting_over_asks_first(open_page: Open) -> None:
    here = open_page()
    here.press("a", "j")
    here.view.click("#more summary")
    here.view.once("dialog", lambda dialog: dialog.dismiss())
    here.view.click("#clear")
    assert here.progress == "1 of 6 decided"
    here.view.once("dialog", lambda dialog: dialog.accept())
    here.view.click("#clear")
    assert (here.number, here.progress) == (1, "0 of 6 decided")


@pytest.mark.browser
def test_the_filters(open_page: Open) -> None:
    here = open_page()
    here.press("a", "j", "j", "a")
    here.view.select_option("#filter", "undecided")
    assert here.number == 2
    here.view.focus("#title-2")
    here.press("j")
    assert here.number == 4
    here.press("k", "k")
    assert (here.number, here.message) == (2, "No undecided pair before this one.")
    here.view.select_option("#filter", "failed")
    assert here.number == 6


@pytest.mark.browser
def test_what_the_machine_found_comes_after_the_verdict(open_page: Open, tmp_path: Path) -> None:
    here = open_page()
    assert not here.view.is_visible("#pair-1 .machine")
    here.press("a")
    assert here.view.is_visible("#pair-1 .machine")
    assert "0.9" in here.view.inner_text("#pair-1 .machine tbody")
    here.press("j", "m", "r", "j", "a", "r")
    here.view.select_option("#filter", "failed")
    here.view.focus("#title-6")
    here.press("r")
    saved = here.download(tmp_path / "d.json")
    # The second was looked up, the third changed, the last found by what the machine had said.
    assert [(d["item_id"], d["blind"]) for d in saved["decisions"]] == [
        ("007", True),
        ("i2", False),
        ("i3", False),
        ("i6", False),
    ]


@pytest.mark.browser
def test_a_blind_page_works(open_page: Open, batch: Batch, tmp_path: Path) -> None:
    here = open_page(replace(batch, blind=True))
    here.press("m", "a", "r")
    assert here.verdict(1) == "reject"
    assert here.download(tmp_path / "d.json")["decisions"][0]["blind"] is True
    assert here.errors == []


@pytest.mark.browser
def test_a_content_note_comes_before_the_texts(open_page: Open, batch: Batch) -> None:
    here = open_page(replace(batch, content_note="Insults <follow>."))
    assert not here.view.is_visible("#pairs")
    assert "Insults <follow>." in here.view.inner_text("#note")
    here.press("a")
    assert here.verdict(1) is None
    here.view.focus("#show-texts")
    here.press("Enter", "a")
    assert here.view.is_visible("#pairs")
    assert (here.verdict(1), here.view.is_visible("#note")) == ("accept", False)


@pytest.mark.browser
def test_hostile_texts_do_nothing_and_nothing_is_asked_of_anyone(
    open_page: Open, batch: Batch, tmp_path: Path
) -> None:
    here = open_page()
    for _ in batch.pairs:
        here.press("a", "j")
    assert "<img src=x onerror=" in here.view.text_content("#pair-3 .wordings")
    here.download(tmp_path / "d.json")
    here.view.reload()
    assert here.view.title() == "Review of 6 pairs"
    assert here.view.locator("#pairs :is(img, script, b, a, iframe)").count() == 0
    assert {url for url in here.requests if not url.startswith(("data:", "blob:"))} == {
        here.address
    }
    assert here.errors == []


@pytest.mark.browser
def test_a_script_that_got_in_would_not_run(chromium: Any, batch: Batch, tmp_path: Path) -> None:
    html = page(batch).replace("</main>", "</main><script>document.title='owned'</script>", 1)
    path = tmp_path / "review.html"
    path.write_text(html, encoding="utf-8")
    view = chromium.new_page()
    view.goto(path.as_uri())
    assert view.title() == "Review of 6 pairs"
    view.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(open_page: Open, batch: Batch, scheme: str) -> None:
    long = replace(batch.pairs[0], guise_text="w" * 500, reason="r" * 300, context="c" * 300)
    note = "n" * 200
    here = open_page(
        replace(batch, pairs=(long, *batch.pairs[1:]), content_note=note, reviewer="x" * 80),
        viewport=PHONE,
        color_scheme=scheme,
    )
    script = "document.documentElement.scrollWidth"
    assert here.view.evaluate(script) <= PHONE["width"]
    here.view.click("#show-texts")
    here.view.click("#more summary")
    for number in range(1, 7):
        assert here.number == number
        here.press("a")
        assert here.view.evaluate(script) <= PHONE["width"]
        here.press("j")


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_inks_stand_out_from_their_grounds(open_page: Open, scheme: str) -> None:
    here = open_page(color_scheme=scheme)
    here.press("j", "j", "j", "a")
    for selector in ("body", "#message", ".pair:not([hidden]) .key", "ins", "del", "button", "h3"):
        found = here.view.evaluate(GROUND, selector)
        assert contrast(*found) >= AA_TEXT, (selector, found)


GROUND = """selector => {
  const element = document.querySelector(`.pair:not([hidden]) ${selector}`) ??
    document.querySelector(selector);
  let ground = element;
  while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") {
    ground = ground.parentElement;
  }
  return [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
}"""


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two `rgb()` colours by WCAG 2.2."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.browser
def test_everything_has_a_name_and_a_role(open_page: Open) -> None:
    here = open_page()
    view = here.view
    view.click("#more summary")
    for role, names in {
        "textbox": ["Your name", "Comment c"],
        "combobox": ["Show"],
        "radio": ["accept a", "reject r", "unsure u"],
        "button": ["Download decisions", "Previous k", "Next j", "Start over", "Keys ?"],
        "heading": ["Review of 6 pairs", "Pair 1 of 6", "plain", "hedged"],
        "progressbar": ["0 of 6 decided"],
        "article": ["Pair 1 of 6"],
        "group": ["Verdict"],
    }.items():
        for name in names:
            assert view.get_by_role(role, name=name, exact=True).count() == 1, (role, name)
    unnamed = view.evaluate(
        "[...document.querySelectorAll('input, select, textarea')]"
        ".filter(field => !field.labels.length).length"
    )
    ids = view.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert unnamed == 0
    assert len(ids) == len(set(ids))
    assert view.get_by_role("status").count() == 1
    assert view.evaluate("document.documentElement.lang") == "en"


@pytest.mark.browser
def test_differences_are_told_without_colour(open_page: Open) -> None:
    here = open_page()
    line = "selector => getComputedStyle(document.querySelector(selector)).textDecorationLine"
    assert here.view.evaluate(line, "ins") == "underline"
    assert here.view.evaluate(line, "del") == "line-through"
    assert here.view.text_content("#pair-1 ins") == " [only in this wording: think I] "


@pytest.mark.browser
def test_focus_can_be_seen(open_page: Open) -> None:
    here = open_page()
    here.press("Tab", "Tab", "Tab")
    style = "getComputedStyle(document.activeElement).outlineStyle"
    assert here.view.evaluate(style) == "solid"


@pytest.mark.browser
def test_the_direction_of_writing_is_the_text_s_own(open_page: Open) -> None:
    here = open_page()
    found = here.view.evaluate(
        "[...document.querySelectorAll('.wordings .text')]"
        ".map(text => getComputedStyle(text).direction)"
    )
    assert found == ["ltr"] * 6 + ["rtl"] * 2 + ["ltr"] * 4
