import json
from collections import Counter
from pathlib import Path

import pytest

from isogloss.audit.gender_coding import Coding, coding_of, gender_coding, load_gender_decoder
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import find_markers
from isogloss.validate.spelling import in_word_list

NARROWER = {
    "active": "the appendix has the whole word; `actively` mostly tells how often",
    "kinship": "the whole word: what else begins so is its genitive",
    "modesty": "the whole word: what else begins so is its genitive",
    "nag": "whole words: Naga, Nagano and Nagpur begin so",
    "tender": "whole words and guards: tenders are called for, tenderloin is meat",
}
"""Stems that the registers' lexicons do not hold as stems, with the reason."""

GUARDED = {
    "active": ("agentic", "the directory service, and listening as a skill"),
    "logic*": ("agentic", "Logics, a field"),
    "commit*": ("communal", "committees"),
    "respon*": ("communal", "respondents, response times, and duties: the file's `left_out`"),
    "whin*": ("communal", "what horses do"),
}
"""Guards of stems that have no note in the lexicon, with its name and what they leave out."""


@pytest.fixture(scope="module")
def decoder(project: Path) -> Lexicon:
    return load_gender_decoder(project / "data" / "audit")


@pytest.fixture(scope="module")
def published(mirror: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(
        (mirror / "gender_decoder" / "wordlists.json").read_text(encoding="utf-8")
    )
    return found


@pytest.mark.parametrize(
    ("masculine", "feminine", "coding"),
    [
        (0, 0, "empty"),
        (2, 2, "neutral"),
        (3, 0, "masculine-coded"),
        (4, 0, "strongly masculine-coded"),
        (1, 4, "feminine-coded"),
        (1, 5, "strongly feminine-coded"),
    ],
)
def test_a_difference_of_four_is_strong(masculine: int, feminine: int, coding: Coding) -> None:
    assert coding_of(masculine, feminine) == coding


def test_stems_count_without_guards_and_each_word_once(decoder: Lexicon) -> None:
    text = "Dominant analysts lead self-confident, co-operative committees; SharePoint is shared."
    found = gender_coding(text, decoder)
    assert [match.phrase for match in found.masculine] == [
        "dominant", "analysts", "lead", "self confident",
    ]  # fmt: skip
    assert [match.phrase for match in found.feminine] == ["co operative", "committees", "shared"]
    assert text[slice(found.masculine[3].start, found.masculine[3].end)] == "self-confident"
    assert found.coding == "masculine-coded"


@pytest.mark.mirror
def test_the_stems_are_those_of_gender_decoder(
    decoder: Lexicon, published: dict[str, list[str]]
) -> None:
    ours = Counter(
        (pattern.marker_class, " ".join(pattern.words))
        for patterns in decoder.patterns.values()
        for pattern in patterns
    )
    theirs = Counter(
        (kind, f"{stem.replace('-', ' ')}*")
        for kind in ("masculine", "feminine")
        for stem in set(published[f"{kind}_coded_words"])
    )
    assert ours == theirs
    assert published["non_coded_exceptions"] == ["sharepoint"]


@pytest.mark.mirror
@pytest.mark.parametrize(("register", "kind"), [("agentic", "masculine"), ("communal", "feminine")])
def test_every_stem_is_in_the_lexicon_of_its_register_or_has_a_reason_why_not(
    project: Path, published: dict[str, list[str]], register: str, kind: str
) -> None:
    """A stem is in the lexicon if some form of it is found whatever stands beside it."""
    lexicon = load_lexicon(project / "data" / "lexicons" / f"{register}.yaml")
    stems = {stem.replace("-", " ") for stem in published[f"{kind}_coded_words"]}
    patterns = [p for group in lexicon.patterns.values() for p in group]
    as_stems = {" ".join(p.words).removesuffix("*") for p in patterns if p.words[-1][-1] == "*"}
    covered = {stem for stem in stems if any(stem.startswith(held) for held in as_stems)}
    missing = {stem for stem in stems - covered if not find_markers(stem, lexicon)}
    assert missing == set()
    whole = {stem for stem in stems - covered if _has_other_forms(stem)}
    assert whole == {stem for stem in NARROWER if stem in stems}


@pytest.mark.parametrize("register", ["agentic", "communal"])
def test_what_a_guard_leaves_out_of_a_stem_has_a_reason(project: Path, register: str) -> None:
    lexicon = load_lexicon(project / "data" / "lexicons" / f"{register}.yaml")
    entries = {pattern.entry for group in lexicon.patterns.values() for pattern in group}
    guarded = {one for one in entries if one.but_not or one.not_before or one.not_after}
    without = {entry.phrase for entry in guarded if not entry.note}
    assert without == {phrase for phrase, (name, _) in GUARDED.items() if name == register}


def _has_other_forms(stem: str) -> bool:
    """Tell whether the word list has a word that begins with a stem and is not the stem."""
    endings = ("ly", "s", "'s", "ness", "ed", "ing", "er", "o", "loin")
    return any(in_word_list(stem + ending) for ending in endings)
