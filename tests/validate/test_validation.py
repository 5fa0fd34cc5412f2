from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.studies.base import Contrast
from isogloss.validate.checks import ContrastChecks
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.repair import unwrap_items
from isogloss.validate.validation import Validation, validate_items

SOFT = Contrast("soft - plain", "soft", "plain")
BARE = Contrast("bare - plain", "bare", "plain")
BOTH = [(SOFT, ContrastChecks(kind="markers")), (BARE, ContrastChecks(kind="articles"))]


@pytest.fixture(scope="module")
def hedges(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "hedges.yaml")


def encode_letters(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Encode a text as the counts of its letters."""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    return np.array([[text.lower().count(letter) for letter in letters] for text in texts], float)


def items(**changes: str) -> pd.DataFrame:
    """Return one good item and one with the given cells."""
    good = {
        "item_id": "good",
        "question": "Who plans the week?",
        "plain": "I plan the week with the team.",
        "soft": "I usually plan the week with the team.",
        "bare": "I plan week with team.",
    }
    other = good | {"item_id": "other", "question": "How do bugs get fixed?"} | changes
    return pd.DataFrame([good, other])


def verdict(validation: Validation, contrast: Contrast, item_id: str = "other") -> tuple[bool, str]:
    table = validation.verdicts
    row = table[(table["contrast"] == contrast.name) & (table["item_id"] == item_id)].iloc[0]
    return bool(row["valid"]), str(row["reason"])


def test_good_pairs_are_valid_for_every_contrast(hedges: Lexicon) -> None:
    validation = validate_items(items(), BOTH, hedges, encode_letters)
    assert validation.verdicts["valid"].tolist() == [True] * 4
    assert set(validation.verdicts["reason"]) == {""}
    assert validation.checks.groupby("contrast").size().to_dict() == {
        "bare - plain": 2 * 11,
        "soft - plain": 2 * 14,
    }


def test_a_verdict_lists_every_failed_check(hedges: Lexicon) -> None:
    bad = items(soft="The week has 5 days.")
    valid, reason = verdict(validate_items(bad, BOTH, hedges, encode_letters), SOFT)
    assert not valid
    assert "soft has 0.0 markers per 1,000 words, fewer than 20; number added: 5 day" in reason
    assert verdict(validate_items(bad, BOTH, hedges, encode_letters), BARE) == (True, "")


def test_a_repeated_question_excludes_the_later_item_only(hedges: Lexicon) -> None:
    repeated = items(question="who plans the week")
    validation = validate_items(repeated, BOTH, hedges, encode_letters)
    assert verdict(validation, SOFT) == (False, "question of item good again")
    assert verdict(validation, SOFT, "good") == (True, "")


def test_wrapped_cells_are_measured_unwrapped_and_noted(hedges: Lexicon) -> None:
    wrapped = items(bare='"I plan week with team."')
    validation = validate_items(wrapped, BOTH, hedges, encode_letters)
    assert verdict(validation, BARE) == (True, "")
    repaired = validation.checks[validation.checks["repaired"]]
    assert repaired[["item_id", "contrast", "check"]].to_numpy().tolist() == [
        ["other", BARE.name, "wrapped_quotes"]
    ]
    assert repaired["reason"].tolist() == ["repaired: wrapping quotation marks removed in bare"]


def test_cells_repaired_before_are_noted_too(hedges: Lexicon) -> None:
    before = unwrap_items(items(soft='"I usually plan the week with the team."'), ["soft"])
    validation = validate_items(before.items, BOTH, hedges, encode_letters, repairs=before.repairs)
    assert validation.checks.loc[validation.checks["repaired"], "item_id"].tolist() == ["other"]
    assert validation.verdicts["valid"].all()


@pytest.mark.parametrize("empty", ["", " ", '""', "🚀"])
def test_an_answer_without_words_fails_its_own_pair(empty: str, hedges: Lexicon) -> None:
    validation = validate_items(items(soft=empty), BOTH, hedges, encode_letters)
    valid, reason = verdict(validation, SOFT)
    assert not valid
    assert "similarity not measured: no words in soft" in reason
    assert verdict(validation, BARE) == (True, "")
    measured = validation.checks.query("item_id == 'other' and check == 'similarity'")
    assert measured["value"].isna().all()


def test_a_text_beyond_the_limit_is_not_compared(hedges: Lexicon) -> None:
    validation = validate_items(items(soft="We met. " * 200), BOTH, hedges, encode_letters)
    reason = verdict(validation, SOFT)[1]
    assert reason.startswith("soft has 1600 characters, more than 1000; similarity not measured")
    assert verdict(validation, BARE) == (True, "")


def test_each_text_is_encoded_once(hedges: Lexicon) -> None:
    seen: list[str] = []

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        seen.extend(texts)
        return encode_letters(texts)

    table = items()
    validate_items(table, BOTH, hedges, encode)
    assert len(seen) == len(set(seen))
    assert set(seen) == {*table["question"], *table["plain"], *table["soft"]}


def test_any_script_is_validated(hedges: Lexicon) -> None:
    odd = items(plain="אני מתכנן את השבוע 👩‍💻", soft="\u200fאולי אני מתכנן", bare="你好，世界")
    assert not verdict(validate_items(odd, BOTH, hedges, encode_letters), SOFT)[0]


def test_a_reason_never_holds_a_sentence(hedges: Lexicon) -> None:
    names = " ".join(f"Name{chr(65 + i)}x" for i in range(60))
    bad = items(soft=f"We met {names}.", bare=f"We met {names}.")
    validation = validate_items(bad, BOTH, hedges, encode_letters)
    parts = [part for reason in validation.verdicts["reason"] for part in reason.split("; ")]
    assert max(map(len, parts)) <= 80 + len("more than articles: added: ")


def test_a_missing_guise_is_named(hedges: Lexicon) -> None:
    with pytest.raises(ItemError, match="my set: column missing: bare"):
        validate_items(items().drop(columns="bare"), BOTH, hedges, encode_letters, source="my set")
