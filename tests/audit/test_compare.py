"""A second audit against the first, by hand on two personas and three backgrounds."""

from dataclasses import replace
from math import sqrt

import pytest
from scipy import stats
from tests.audit.conftest import POSTING, REVISED, Make, Score, always

from isogloss.audit.audit import Audit
from isogloss.audit.compare import CAUTION, compare
from isogloss.audit.comparison import Comparison
from isogloss.audit.grid import Background, Grid, grid_of
from isogloss.audit.record.content import content_of
from isogloss.audit.record.read import Record, read_record
from isogloss.audit.record.write import write_record
from isogloss.postings.personas import Attribute, Value
from isogloss.postings.prompts import ANSWERS

KIND = Attribute("kind", "Kind", (Value("a", "A"), Value("b", "B")), "a")
THREE = tuple(Background(f"b{k}", f"Has {k} years of experience.") for k in range(3))
BEFORE = {"unspecified": (5, 6, 7), "a": (7, 8, 9), "b": (4, 5, 7)}
AFTER = {"unspecified": (5, 6, 7), "a": (7, 8, None), "b": (7, 6, 9)}
TOLERANCE = 1e-12
"""Rounding of a few additions."""


def scored(table: dict[str, tuple[int | None, ...]]) -> Score:
    """Give each persona its scores, whatever the role."""
    return lambda _role, persona, k: table[persona][k]


@pytest.fixture
def small() -> Grid:
    return grid_of((KIND,), THREE)


@pytest.fixture
def pair(make_audit: Make, small: Grid) -> tuple[Audit, Audit]:
    """Two audits as recruiter, the second of the revised posting."""

    one = make_audit(POSTING, scored(BEFORE), small, roles=("recruiter",))
    two = make_audit(REVISED, scored(AFTER), small, roles=("recruiter",))
    return one, replace(two, created="2026-02-03T04:05:06+00:00")


def record_of(audit: Audit) -> Record:
    return Record(content_of(audit), audit.probes, audit.document.text, "e" * 64)


def between(one: Audit, two: Audit) -> Comparison:
    return compare(record_of(one), two)


def test_scores_are_paired_over_backgrounds(pair) -> None:
    found = {one.persona: one for one in between(*pair).scores}
    # b: 7, 6, 9 after 4, 5, 7 are +3, +1, +2: mean 2, standard deviation 1, three pairs.
    b = found["b"]
    assert (b.mean_before, b.mean_after) == (pytest.approx(16 / 3), pytest.approx(22 / 3))
    assert b.difference.estimate == pytest.approx(2, abs=TOLERANCE)
    half = stats.t.ppf(0.975, 2) / sqrt(3)
    assert (b.difference.low, b.difference.high) == pytest.approx((2 - half, 2 + half))
    assert (b.difference.n, b.unpaired) == (3, 0)


def test_a_background_without_a_score_is_left_out_of_both(pair) -> None:
    found = {one.persona: one for one in between(*pair).scores}
    a = found["a"]
    assert (a.mean_before, a.mean_after) == (7.5, 7.5)
    assert (a.difference.n, a.unpaired) == (2, 1)
    assert (a.difference.status, a.difference.estimate) == ("not_estimable", 0.0)


def test_flags_cleared_and_ratios(pair) -> None:
    found = {one.group: one for one in between(*pair).ratios}
    # At 7 or more: a 3 of 3, then 2 of 2; b 1 of 3, then 2 of 3, still below four fifths.
    assert found["b"].before.ratio == pytest.approx(1 / 3)
    assert found["b"].after.ratio == pytest.approx(2 / 3)
    assert (found["a"].flag, found["b"].flag) == ("still clear", "still flagged")


def test_a_cleared_flag_comes_with_a_caution(pair, make_audit: Make, small: Grid) -> None:
    rising = dict.fromkeys(BEFORE, (7, 8, 9))
    level = make_audit(REVISED, scored(rising), small, roles=("recruiter",))
    found = between(pair[0], level)
    assert [one.group for one in found.flags("cleared")] == ["b"]
    assert CAUTION in found.cautions
    assert any("1 have a ratio whose interval reaches below" in one for one in found.cautions)
    back = between(level, pair[0])
    assert [one.group for one in back.flags("raised")] == ["b"]
    assert CAUTION not in back.cautions


def test_swapping_the_order_flips_every_sign(pair) -> None:
    there, back = between(*pair), between(*reversed(pair))
    for one, other in zip(there.scores, back.scores, strict=True):
        assert one.difference.estimate == -other.difference.estimate
        assert (one.mean_before, one.mean_after) == (other.mean_after, other.mean_before)
        if one.difference.status == "ok":
            assert one.difference.low == -other.difference.high
            assert one.difference.p_value == other.difference.p_value
    for one, other in zip(there.words, back.words, strict=True):
        assert (one.gone, one.new) == (other.new, other.gone)
    for one, other in zip(there.ratios, back.ratios, strict=True):
        assert (one.before, one.after) == (other.after, other.before)
    assert [d.cleared for d in there.dominance] == [d.raised for d in back.dominance]


def test_words_gone_and_new(pair) -> None:
    found = {one.register: one for one in between(*pair).words}
    assert dict(found["agentic"].gone)["challenge"] == 2
    assert dict(found["communal"].new)["supportive"] == 1
    assert found["communal"].gone == ()
    assert (found["communal"].count_before, found["communal"].count_after) == (0, 7)
    kinds = {one.pair: one for one in between(*pair).dominance}
    agentic = kinds["agentic", "communal"]
    assert (agentic.before, agentic.after) == ("agentic", "communal")
    assert (agentic.cleared, agentic.raised) == (True, True)


def test_the_two_texts_can_be_put_together_again(pair) -> None:
    pieces = between(*pair).text
    assert "".join(p.text for p in pieces if p.kind != "added") == pair[0].document.text
    assert "".join(p.text for p in pieces if p.kind != "removed") == pair[1].document.text


@pytest.mark.parametrize(
    ("change", "what", "scores", "ratios"),
    [
        ({"model": {"name": "m", "backend": "openai", "digest": "0" * 64}}, "model", 0, 0),
        ({"min_answer_mass": 0.5}, "setting min_answer_mass", 0, 0),
        ({"threshold": 8}, "setting threshold", 3, 0),
        ({"seed": 9}, "setting seed", 3, 2),
        ({"version": "9"}, "version of the program", 3, 2),
    ],
)
def test_what_cannot_be_paired_is_named_and_not_paired(pair, change, what, scores, ratios) -> None:
    one, two = pair
    if change.keys() <= set(type(two.settings).model_fields):
        two = replace(two, settings=two.settings.model_copy(update=change))
    else:
        two = replace(two, **change)
    found = between(one, two)
    assert [difference.what for difference in found.differs] == [what]
    assert (len(found.scores), len(found.ratios)) == (scores, ratios)
    assert found.words
    apart = any("differ in more than the posting" in one for one in found.cautions)
    assert apart is (what not in ("setting seed", "version of the program"))


def test_words_of_other_lists_are_not_compared(pair) -> None:
    other = replace(pair[1], lexicons=(("data/lexicons/agentic.yaml", "c" * 64),))
    found = between(pair[0], other)
    assert [(one.what, one.bars) for one in found.differs] == [("word lists", "words")]
    assert found.words == found.dominance == ()
    assert (len(found.scores), len(found.ratios)) == (3, 2)


def test_scores_of_other_answers_are_not_compared(pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Say of a version that read the number and not whether it ends there."""
    before = record_of(pair[0])
    otherwise = {role: replace(one, closed=False) for role, one in ANSWERS.items()}
    monkeypatch.setattr("isogloss.audit.record.content.ANSWERS", otherwise)
    found = compare(before, pair[1])
    assert [(one.what, one.bars) for one in found.differs] == [
        ("wording around the posting or answers that count", "scores and ratios")
    ]
    assert found.scores == found.ratios == ()


def test_other_backgrounds_and_personas_are_not_paired(pair, make_audit: Make) -> None:
    other = grid_of((KIND,), (*THREE[:2], Background("b2", "Has another past.")))
    two = make_audit(REVISED, always(7), other, roles=("recruiter",))
    found = between(pair[0], two)
    assert {d.what for d in found.differs} == {
        "backgrounds",
        "wording around the posting or answers that count",
    }
    assert found.scores == found.ratios == ()
    renamed = grid_of((replace(KIND, label="Sort"),), THREE)
    two = make_audit(REVISED, always(7), renamed, roles=("recruiter",))
    assert "personas" in {d.what for d in between(pair[0], two).differs}


def test_a_group_that_is_never_selected_is_no_cleared_flag(pair, make_audit, small) -> None:
    two = make_audit(REVISED, always(1), small, roles=("recruiter",))
    found = between(pair[0], two)
    assert {one.flag for one in found.ratios} == {"not estimable"}
    assert all(one.after.reason for one in found.ratios)


def test_the_same_text_is_said_to_be_the_same(pair) -> None:
    found = between(pair[0], pair[0])
    assert found.cautions[0] == "Both audits read the same text."
    assert [piece.kind for piece in found.text] == ["same"]


def test_a_comparison_goes_through_the_record(pair, tmp_path) -> None:
    for name, text in (("one", POSTING), ("two", REVISED)):
        (tmp_path / f"{name}.txt").write_bytes(text.encode())
    write_record(pair[0], tmp_path / "one.txt", tmp_path / "first")
    previous = read_record(tmp_path / "first")
    found = compare(previous, pair[1])
    assert found == replace(between(*pair), previous_sha256=previous.sha256)
    write_record(pair[1], tmp_path / "two.txt", tmp_path / "second", found)
    content = read_record(tmp_path / "second").content["comparison"]
    assert content["previous_sha256"] == previous.sha256
    assert [one["flag"] for one in content["ratios"]] == ["still clear", "still flagged"]
