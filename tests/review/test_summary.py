from dataclasses import replace

import pytest

from isogloss.review.pairs import PairKey, ReviewPair
from isogloss.review.summary import OUTCOME_COLUMNS, Outcome, outcomes_table, summarise


@pytest.fixture
def item(pair: ReviewPair):
    def make(name: str, valid: bool = True, contrast: str = "hedged - plain") -> ReviewPair:
        key = PairKey("colours/set", name, contrast)
        return replace(pair, key=key, valid=valid)

    return make


@pytest.fixture
def about(decide):
    def make(pair: ReviewPair, verdict: str = "accept", **changes: object):
        changes = {"text_sha256": pair.sha256, "contrast": pair.key.contrast, **changes}
        return decide(pair.key.item_id, verdict=verdict, **changes)

    return make


def test_each_pair_is_counted_in_one_place(item, about) -> None:
    good, split, unsure, old, new = (item(name) for name in ("i1", "i2", "i3", "i4", "i5"))
    saved, bad, unseen = (item(name, valid=False) for name in ("j1", "j2", "j3"))
    decisions = [
        about(good),
        about(good, reviewer="Ben"),
        about(split),
        about(split, "reject", reviewer="Ben"),
        about(unsure, "unsure"),
        about(old, text_sha256="00" * 32),
        about(saved),
        about(bad, "reject"),
    ]
    [found] = summarise([good, split, unsure, old, new, saved, bad, unseen], decisions)
    assert found == Outcome(
        item_set="colours/set",
        contrast="hedged - plain",
        pairs=8,
        both=1,
        machine_only=2,
        human_only=1,
        none=1,
        not_reviewed=3,
        not_reviewed_passed=2,
        outdated=1,
        reviewers=2,
    )


def test_the_last_decision_counts(item, about) -> None:
    pair = item("i1")
    first, last = about(pair, "reject"), about(pair, decided_at="2026-02-01T00:00:00Z")
    assert summarise([pair], [last, first])[0].both == 1


def test_a_later_look_at_other_texts_leaves_the_pair_open(item, about) -> None:
    # The reviewer saw a newer wording that has been taken back: what they think of this one is old.
    pair = item("i1")
    newer = about(pair, "reject", text_sha256="00" * 32, decided_at="2026-02-01T00:00:00Z")
    [found] = summarise([pair], [about(pair), newer])
    assert (found.not_reviewed, found.outdated) == (1, 1)


def test_contrasts_are_counted_apart(item, about) -> None:
    pairs = [item("i1"), item("i1", contrast="accent - plain")]
    found = summarise(pairs, [about(pairs[1])])
    assert [(o.contrast, o.both, o.not_reviewed) for o in found] == [
        ("hedged - plain", 0, 1),
        ("accent - plain", 1, 0),
    ]


def test_the_counts_add_up_in_the_table(item, about) -> None:
    table = outcomes_table(summarise([item("i1"), item("i2")], [about(item("i1"))]))
    parts = ["both", "machine_only", "human_only", "none", "not_reviewed"]
    assert list(table.columns) == OUTCOME_COLUMNS
    assert table[parts].sum(axis=1).tolist() == table["pairs"].tolist() == [2]
    assert list(outcomes_table([]).columns) == OUTCOME_COLUMNS
