from dataclasses import replace
from pathlib import Path

import pytest

from isogloss.errors import ConfigurationError, ItemError
from isogloss.review.pairs import PairKey, ReviewPair, read_pairs, sample
from isogloss.stimuli.sets import StimulusSet

DECLARED = {
    "title": "t",
    "file": "f",
    "context": "plain",
    "compare": (
        {"name": "softened", "guise": "hedged", "reference": "plain", "definition": "soft"},
    ),
}


def rename(folder: Path, contrast: str) -> None:
    for name in ("checks.csv", "verdicts.csv"):
        path = folder / name
        path.write_text(path.read_text().replace("hedged - plain", contrast))


def test_pairs_have_texts_findings_and_the_set_s_name(pairs: tuple[ReviewPair, ...]) -> None:
    assert [pair.key.item_id for pair in pairs] == ["007", "i2", "i3", "i4", "i5", "i6"]
    first, last = pairs[0], pairs[-1]
    assert first.key == PairKey("colours/set", "007", "hedged - plain")
    assert (first.context, first.valid, first.checks[0].value) == ("Why 007?", True, 0.9)
    assert first.definitions == ()
    assert (last.valid, last.reference_text, last.checks[0].value) == (False, "", None)


def test_the_declaration_names_columns_context_and_definitions(folder: Path) -> None:
    rename(folder, "softened")
    first = read_pairs(folder, StimulusSet.model_validate(DECLARED))[0]
    assert (first.guise, first.reference, first.definitions) == ("hedged", "plain", ("soft",))
    assert first.context == first.reference_text


def test_a_text_by_itself_has_no_reference(folder: Path) -> None:
    rename(folder, "hedged")
    first = read_pairs(folder)[0]
    assert (first.guise, first.reference, first.reference_text) == ("hedged", "", "")


@pytest.mark.parametrize(
    "change",
    [
        {"guise_text": "I think so!"},
        {"reference_text": "So!"},
        {"context": "Why not?"},
        {"guise_text": "So.", "reference_text": "I think so."},
        {"key": PairKey("colours/set", "i2", "hedged - plain")},
        {"key": PairKey("colours/other", "i1", "hedged - plain")},
    ],
)
def test_the_hash_tells_texts_and_names_apart(pair: ReviewPair, change: dict[str, object]) -> None:
    assert replace(pair, **change).sha256 != pair.sha256


def test_the_hash_is_blind_to_what_the_machine_found(pair: ReviewPair) -> None:
    assert replace(pair, valid=False, reason="x").sha256 == pair.sha256


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("items.csv", "007", "008", "no item '007'"),
        ("items.csv", ",plain,", ",bare,", "no column 'plain'"),
        ("items.csv", "item_id", "id", "column missing: item_id"),
        ("verdicts.csv", "True", "yes", "valid is 'yes'"),
    ],
)
def test_tables_that_do_not_fit_are_refused(
    folder: Path, file: str, old: str, new: str, said: str
) -> None:
    path = folder / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ItemError, match=said):
        read_pairs(folder)


def test_a_sample_is_drawn_by_seed_and_keeps_the_order(pairs: tuple[ReviewPair, ...]) -> None:
    assert sample(pairs, None, 0) == pairs
    drawn = sample(pairs, 3, 1)
    assert drawn == sample(pairs, 3, 1)
    assert [pairs.index(pair) for pair in drawn] == sorted(pairs.index(pair) for pair in drawn)
    assert len({sample(pairs, 3, seed) for seed in range(20)}) > 1


@pytest.mark.parametrize("size", [0, -1, 7])
def test_a_sample_that_cannot_be_drawn_is_refused(pairs: tuple[ReviewPair, ...], size: int) -> None:
    with pytest.raises(ConfigurationError, match=f"sample of {size} from 6"):
        sample(pairs, size, 0)
