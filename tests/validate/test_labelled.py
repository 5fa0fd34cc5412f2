"""The calibration set: its form, and the faults of form that stop it."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.guises.definition import load_guises
from isogloss.validate.labelled import PAIR_COLUMNS, Labelled, load_labelled

OPPOSITES = {
    "agentic": "communal",
    "inclusive": "coded_exclusion",
    "psychosocial": "object_words",
    "connection": "status",
}
PLAIN = ("hedged", "accent", "aae", "qualifiers", "emotional")
REFERENCE_GUISES = {
    **OPPOSITES,
    **{second: first for first, second in OPPOSITES.items()},
    **dict.fromkeys(PLAIN, ""),
}
"""The guise of the reference by guise; empty where it is plain."""
REPEATED = ("duplicate", "empty")
"""Faults whose text another pair has as well."""


@pytest.fixture(scope="module")
def labelled(project: Path) -> Labelled:
    return load_labelled(project / "data" / "calibration")


@pytest.fixture(scope="module")
def pairs(labelled: Labelled) -> pd.DataFrame:
    return labelled.pairs


def test_there_are_enough_pairs_of_each_label(pairs: pd.DataFrame) -> None:
    counts = Counter(pairs["label"])
    assert counts["good"] >= 80
    assert counts["bad"] >= 110


def test_every_guise_has_good_pairs_and_every_contrast_bad_ones(pairs: pd.DataFrame) -> None:
    labels = pairs.groupby("label")["guise"].apply(Counter).unstack(level=0)
    assert set(labels.index) == set(REFERENCE_GUISES)
    assert labels["good"].min() >= 5
    assert labels["bad"].min() >= 1


def test_every_guise_is_defined(pairs: pd.DataFrame, project: Path) -> None:
    assert set(pairs["guise"]) <= set(load_guises(project / "data" / "guises"))


def test_a_reference_is_plain_or_in_the_opposite_guise(pairs: pd.DataFrame) -> None:
    found = dict(zip(pairs["guise"], pairs["reference_guise"], strict=True))
    assert found == REFERENCE_GUISES
    assert len(pairs[["guise", "reference_guise"]].drop_duplicates()) == len(found)


def test_every_fault_has_pairs_evenly_in_both_splits(labelled: Labelled) -> None:
    bad = labelled.pairs[labelled.pairs["label"] == "bad"]
    counts = bad.groupby("fault")["split"].apply(Counter).unstack(fill_value=0)
    assert set(counts.index) == set(labelled.faults)
    assert counts.sum(axis=1).min() >= 4
    assert (counts["development"] == counts["held_out"]).all()


def test_good_pairs_of_every_guise_are_in_both_splits(pairs: pd.DataFrame) -> None:
    good = pairs[pairs["label"] == "good"]
    counts = good.groupby("guise")["split"].apply(Counter).unstack(fill_value=0)
    assert (counts["development"] - counts["held_out"]).abs().max() <= 1


def test_every_bad_pair_says_what_is_wrong(pairs: pd.DataFrame) -> None:
    assert (pairs.loc[pairs["label"] == "bad", "note"] != "").all()


@pytest.mark.parametrize("column", ["reference", "text"])
def test_no_text_stands_twice_but_in_duplicates(pairs: pd.DataFrame, column: str) -> None:
    others = pairs[~pairs["fault"].isin(REPEATED)]
    assert not others[column].duplicated().any()


def test_a_duplicate_stands_after_its_original(pairs: pd.DataFrame) -> None:
    repeated = pairs.duplicated(["reference", "text"])
    assert set(pairs.loc[repeated, "fault"]) == {"duplicate"}
    assert repeated.sum() == (pairs["fault"] == "duplicate").sum()


def test_a_question_is_repeated_only_where_that_is_the_fault(pairs: pd.DataFrame) -> None:
    asked = pairs[pairs["context"] != ""]
    repeated = asked[asked.duplicated("context")]
    assert set(repeated["fault"]) == {"duplicate_question"}
    assert len(repeated) == (pairs["fault"] == "duplicate_question").sum()


def test_text_and_reference_are_the_same_only_where_that_is_the_fault(
    pairs: pd.DataFrame,
) -> None:
    same = pairs["text"] == pairs["reference"]
    assert set(pairs.loc[same, "fault"]) == {"identical"}
    assert same.sum() == (pairs["fault"] == "identical").sum()


def test_a_text_is_blank_only_where_that_is_the_fault(pairs: pd.DataFrame) -> None:
    bare = ~pairs["text"].str.contains(r"\w")
    assert set(pairs.loc[bare, "fault"]) == {"empty"}


def test_good_pairs_have_the_length_of_their_kind(pairs: pd.DataFrame) -> None:
    good = pairs[pairs["label"] == "good"]
    words = good["reference"].str.split().str.len()
    spoken = good["guise"] == "aae"
    assert words[spoken].between(10, 30).all()
    assert words[~spoken].between(30, 60).all()


def write(folder: Path, faults: str = "", **cells: str) -> Path:
    """Write a set of two pairs, the second with other cells."""
    plain = ("b", "aae", "", "", "r", "t", "good", "", "held_out", "")
    row = dict(zip(PAIR_COLUMNS, plain, strict=True))
    first = {**row, "pair_id": "a", "text": "s"}
    pd.DataFrame([first, {**row, **cells}]).to_csv(folder / "pairs.csv", index=False)
    default = "language: {what: Another one., checks: [language]}\n"
    (folder / "faults.yaml").write_text(faults or default, encoding="utf-8")
    return folder


def test_a_set_of_two_pairs_is_read(tmp_path: Path) -> None:
    labelled = load_labelled(write(tmp_path, label="bad", fault="language"))
    assert labelled.pairs["pair_id"].tolist() == ["a", "b"]
    assert labelled.faults["language"].checks == ("language",)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"label": "fair"}, "label is none of good, bad"),
        ({"split": "test"}, "split is none of development, held_out"),
        ({"label": "bad", "fault": "mood"}, "fault is none of language"),
        ({"label": "bad"}, "a bad pair has a fault, a good one none"),
        ({"fault": "language"}, "a bad pair has a fault, a good one none"),
        ({"reference": " "}, "reference is empty; fill it in"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, cells: dict[str, str], message: str) -> None:
    with pytest.raises(ItemError, match=rf"pairs\.csv: row 2 \(pair 'b'\): {message}"):
        load_labelled(write(tmp_path, **cells))


def test_a_pair_that_stands_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"row 2 \(pair 'a'\): the pair_id stands in an earlier"):
        load_labelled(write(tmp_path, pair_id="a"))


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ("language: {what: Another one.}\n", r"language\.checks: Field required"),
        ("language: {what: X., checks: [tongue]}\n", r"language\.checks\.0: Input should be"),
        ("language: {what: X., checks: [language], related: [language]}\n", "language is named"),
        ("- language\n", "the file: Input should be a valid dictionary"),
    ],
)
def test_a_wrong_fault_is_named(tmp_path: Path, faults: str, message: str) -> None:
    with pytest.raises(ItemError, match=rf"faults\.yaml: .*{message}"):
        load_labelled(write(tmp_path, faults))


def test_a_set_without_pairs_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "pairs.csv").write_text(",".join(PAIR_COLUMNS) + "\n", encoding="utf-8")
    with pytest.raises(ItemError, match="no pairs; the table has a header only"):
        load_labelled(folder)
