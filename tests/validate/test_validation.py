"""A whole set is validated: one item's fault is its own, and each verdict says why."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from tests.validate.conftest import encode_letters

from isogloss.errors import ItemError
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments
from isogloss.validate.outcomes import outcome
from isogloss.validate.records import Check, Pair
from isogloss.validate.repair import unwrap_items
from isogloss.validate.validation import Beside, Form, Validation, validate_items

Compare = Callable[..., Comparison]

FORM = Form("question")
PLAIN = "I plan the week with the team on a Monday and write the minutes by noon."
SOFT = "I usually plan the week with the team on a Monday and write the minutes by noon."
BARE = "I plan week with team on Monday and write minutes by noon."


def items(**changes: str) -> pd.DataFrame:
    """Return one good item and one with the given cells."""
    good = {
        "item_id": "good",
        "question": "Who plans the week?",
        "plain": PLAIN,
        "soft": SOFT,
        "bare": BARE,
    }
    others = {
        "item_id": "other",
        "question": "How do bugs get fixed?",
        "plain": "The bugs go onto a board, and I fix the oldest of them before I add a feature.",
        "soft": "The bugs go onto a board, and I generally fix the oldest of them before I add a "
        "feature.",
        "bare": "Bugs go onto board, and I fix oldest of them before I add feature.",
    }
    return pd.DataFrame([good, {**others, **changes}])


@pytest.fixture
def both(compare: Compare) -> list[Comparison]:
    """Hedged and without articles, each against plain."""
    return [compare(), compare("accent", name="bare - plain", guise="bare")]


def verdict(validation: Validation, contrast: str, item_id: str = "other") -> tuple[bool, str]:
    table = validation.verdicts
    row = table[(table["contrast"] == contrast) & (table["item_id"] == item_id)].iloc[0]
    return bool(row["valid"]), str(row["reason"])


def test_good_pairs_are_valid_for_every_contrast(
    both: list[Comparison], instruments: Instruments
) -> None:
    validation = validate_items(items(), both, instruments, FORM)
    assert set(validation.verdicts["reason"]) == {""}
    assert validation.verdicts["valid"].tolist() == [True] * 4
    assert not validation.checks.duplicated(["item_id", "contrast", "check"]).any()


def test_a_verdict_lists_every_failed_check(
    both: list[Comparison], instruments: Instruments
) -> None:
    bad = items(soft="The week has 5 days.")
    validation = validate_items(bad, both, instruments, FORM)
    valid, reason = verdict(validation, "soft - plain")
    assert not valid
    assert "soft has 0.0 markers per 1,000 words, fewer than 20" in reason
    assert "number added: 5 day" in reason
    assert verdict(validation, "bare - plain") == (True, "")
    assert verdict(validation, "soft - plain", "good") == (True, "")


def test_a_repeated_question_excludes_the_later_item_only(
    both: list[Comparison], instruments: Instruments
) -> None:
    validation = validate_items(items(question="who plans the week"), both, instruments, FORM)
    assert verdict(validation, "soft - plain") == (False, "question of item good again")
    assert verdict(validation, "soft - plain", "good") == (True, "")


def test_wrapped_cells_are_measured_unwrapped_and_noted(
    both: list[Comparison], instruments: Instruments
) -> None:
    bare = str(items()["bare"].iloc[1])
    validation = validate_items(items(bare=f'"{bare}"'), both, instruments, FORM)
    assert verdict(validation, "bare - plain") == (True, "")
    repaired = validation.checks[validation.checks["repaired"]]
    assert repaired["reason"].tolist() == ["repaired: wrapping quotation marks removed in bare"]


def test_repairs_made_before_are_noted_too(
    both: list[Comparison], instruments: Instruments
) -> None:
    bare = str(items()["bare"].iloc[1])
    before = unwrap_items(items(bare=f'"{bare}"'), ["bare"])
    beside = Beside(repairs=before.repairs)
    validation = validate_items(before.items, both, instruments, FORM, beside)
    repaired = validation.checks[validation.checks["repaired"]]
    assert repaired[["item_id", "contrast"]].to_numpy().tolist() == [["other", "bare - plain"]]


@pytest.mark.parametrize("empty", ["", "  ", "…", "🙂"])
def test_a_wording_without_words_fails_its_own_pair(
    both: list[Comparison], instruments: Instruments, empty: str
) -> None:
    validation = validate_items(items(soft=empty), both, instruments, FORM)
    valid, reason = verdict(validation, "soft - plain")
    assert not valid
    assert "similarity not measured: no words in soft" in reason
    assert verdict(validation, "bare - plain") == (True, "")
    query = "item_id == 'other' and check == 'similarity' and contrast == 'soft - plain'"
    measured = validation.checks.query(query)
    assert measured["value"].isna().all()
    assert not measured["passed"].any()


def test_a_text_beyond_the_limit_is_not_compared(
    both: list[Comparison], instruments: Instruments
) -> None:
    long = "We met, I think, on a fine day. " * 4_000
    validation = validate_items(items(soft=long), both, instruments, FORM)
    reason = verdict(validation, "soft - plain")[1]
    assert reason.startswith(f"soft has {len(long)} characters, more than 1000; ")
    assert "similarity not measured: too long in soft" in reason
    assert verdict(validation, "bare - plain") == (True, "")


def test_each_text_is_encoded_once(both: list[Comparison], instruments: Instruments) -> None:
    seen: list[str] = []

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        seen.extend(texts)
        return encode_letters(texts)

    table = items()
    validate_items(table, both, replace(instruments, encode=encode), FORM)
    assert len(seen) == len(set(seen))
    assert {*table["question"], *table["plain"], *table["soft"]} <= set(seen)


def test_odd_texts_end_in_a_verdict_each(both: list[Comparison], instruments: Instruments) -> None:
    odd = items(
        plain='אני מתכנן, "את" השבוע 👩‍💻\nשורה', soft="\u200fאולי אני מתכנן", bare="你好，世界"
    )
    validation = validate_items(odd, both, instruments, FORM)
    assert not verdict(validation, "soft - plain")[0]
    assert not verdict(validation, "bare - plain")[0]
    assert verdict(validation, "soft - plain", "good") == (True, "")


def test_a_reason_never_holds_a_sentence(both: list[Comparison], instruments: Instruments) -> None:
    names = " ".join(f"Name{chr(65 + i)}x" for i in range(60))
    bad = items(soft=f"We met {names}.", bare=f"We met {names}.")
    validation = validate_items(bad, both, instruments, FORM)
    parts = [part for reason in validation.verdicts["reason"] for part in reason.split("; ")]
    assert max(map(len, parts)) <= 80 + len("soft does not read as English (nb): ")


def test_a_missing_column_is_named(both: list[Comparison], instruments: Instruments) -> None:
    beside = Beside(source="my set")
    with pytest.raises(ItemError, match="my set: column missing: bare"):
        validate_items(items().drop(columns="bare"), both, instruments, FORM, beside)


def test_texts_by_themselves_are_compared_with_nothing(
    compare: Compare, instruments: Instruments
) -> None:
    alone = compare(None, name="soft", reference=None)
    validation = validate_items(items(soft="See [your text]."), [alone], instruments, FORM)
    assert verdict(validation, "soft", "good") == (True, "")
    assert "placeholder" in verdict(validation, "soft")[1]
    assert "similarity" not in set(validation.checks["check"])


def test_only_the_rows_that_a_comparison_is_about_are_looked_at(
    compare: Compare, instruments: Instruments
) -> None:
    one = compare(where=(("item_id", "good"),))
    assert validate_items(items(), [one], instruments, FORM).verdicts["item_id"].tolist() == [
        "good"
    ]


def test_a_judge_sees_what_passed_and_can_only_exclude(
    both: list[Comparison], instruments: Instruments
) -> None:
    asked: list[tuple[str, str]] = []

    def judge(pairs: Sequence[Pair]) -> list[Check]:
        asked.extend((pair.item_id, pair.contrast) for pair in pairs)
        return [
            outcome(p, "judge", 0.2, ">= 0.5", p.contrast != "soft - plain", "no") for p in pairs
        ]

    bad = items(soft="The week has 5 days.")
    validation = validate_items(bad, both, instruments, FORM, Beside(), judge)
    assert ("other", "soft - plain") not in asked
    assert len(asked) == 3
    assert verdict(validation, "soft - plain", "good") == (False, "no")
    assert verdict(validation, "bare - plain") == (True, "")
    assert not verdict(validation, "soft - plain")[0]
