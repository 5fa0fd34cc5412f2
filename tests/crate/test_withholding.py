"""Tests of isogloss.crate.withholding."""

from pathlib import Path

import pytest
from tests.crate.conftest import SENTENCE

from isogloss.crate.terms import Terms
from isogloss.crate.withholding import Handling, handlings
from isogloss.record.lock import LockedStage, RecordedPath

TERMS = {
    "open": Terms("open", "MIT"),
    "closed": Terms("closed", None, "its licence is no public one (none)", "https://e.org/x"),
}
CLOSED, OPEN = "data/raw/closed/x.csv", "data/raw/open/x.csv"


def stage(deps: list[str], outs: list[str]) -> LockedStage:
    def recorded(path: str) -> RecordedPath:
        return RecordedPath(path=path, hash="md5", md5="0" * 32, size=1)

    return LockedStage(cmd="x", deps=tuple(map(recorded, deps)), outs=tuple(map(recorded, outs)))


def handled(
    tmp_path: Path, chain: list[tuple[list[str], list[str]]], texts: dict[str, str]
) -> dict[str, Handling]:
    stages = {str(number): stage(deps, outs) for number, (deps, outs) in enumerate(chain)}
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return handlings(stages, list(texts), tmp_path, TERMS)


def reason(found: dict[str, Handling], path: str) -> str:
    return found.get(path, Handling()).reason


def test_a_closed_source_is_withheld_and_says_where_it_can_be_had(tmp_path: Path) -> None:
    found = handled(tmp_path, [([], [CLOSED]), ([], [OPEN])], {CLOSED: SENTENCE, OPEN: "words"})
    assert found[CLOSED] == Handling(TERMS["closed"].reason, "https://e.org/x")
    assert found[OPEN] == Handling(licences=("MIT",))


def test_what_is_made_straight_from_it_is_withheld_even_without_its_words(tmp_path: Path) -> None:
    rows = "data/responses/rows.csv"
    chain = [([], [CLOSED]), ([CLOSED, OPEN], [rows]), ([], [OPEN])]
    found = handled(tmp_path, chain, {CLOSED: SENTENCE, OPEN: "words", rows: "1,2"})
    assert found[rows].reason == "made from closed: its licence is no public one (none)"
    assert found[rows].licences == ("MIT",)


def test_the_report_may_read_it_and_not_quote_it(tmp_path: Path) -> None:
    site = ["reports/_site/index.html", "reports/_site/quote.html"]
    chain = [([], [CLOSED]), ([CLOSED], ["reports/_site"])]
    texts = {CLOSED: SENTENCE, site[0]: "<p>14 words</p>", site[1]: f"<p>{SENTENCE}</p>"}
    found = handled(tmp_path, chain, texts)
    assert not reason(found, site[0])
    assert "passage" in reason(found, site[1])


def test_further_down_only_what_holds_a_passage_is_withheld(tmp_path: Path) -> None:
    near, far, quote = "data/items/a.csv", "data/results/far.csv", "data/results/quote.csv"
    chain = [([far], [quote, "data/results/n.csv"]), ([near], [far]), ([CLOSED], [near])]
    texts = {CLOSED: f"1,{SENTENCE}", near: "1", far: "2", quote: f"see: {SENTENCE}"}
    found = handled(tmp_path, [*chain, ([], [CLOSED])], texts | {"data/results/n.csv": "3"})
    assert reason(found, near)
    assert CLOSED in reason(found, quote)
    assert not reason(found, far)
    assert not reason(found, "data/results/n.csv")


def test_the_same_words_elsewhere_are_nobodys_business(tmp_path: Path) -> None:
    own = "data/items/own.csv"
    found = handled(tmp_path, [([], [CLOSED]), ([OPEN], [own])], {CLOSED: SENTENCE, own: SENTENCE})
    assert not reason(found, own)


@pytest.mark.parametrize("unread", [CLOSED, "data/results/far.csv"])
def test_what_cannot_be_compared_is_withheld(tmp_path: Path, unread: str) -> None:
    near, far = "data/items/a.csv", "data/results/far.csv"
    chain = [([], [CLOSED]), ([CLOSED], [near]), ([near], [far])]
    for path in (CLOSED, near, far):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"\xff\xfe\x00" if path == unread else b"some words")
    stages = {str(number): stage(*one) for number, one in enumerate(chain)}
    found = handlings(stages, [CLOSED, near, far], tmp_path, TERMS)
    assert f"{unread} is not read as text" in reason(found, far)
