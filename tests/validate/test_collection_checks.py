"""Questions asked again and texts written before, within a set and across sets."""

from collections.abc import Callable, Sequence

import pytest
from tests.validate.conftest import encode_letters

from isogloss.validate.collection_checks import check_collection, collect
from isogloss.validate.comparison import Comparison
from isogloss.validate.records import Check, Pair
from isogloss.validate.similarity import embed

Compare = Callable[..., Comparison]

TEXT = "I split the weekly count into three zones and gave each zone a scanner."
OTHER = "We moved the ward orders from noon to the early morning, before the vans leave."


def made(item_id: str, guise: str, reference: str, question: str | None = None) -> Pair:
    context = {} if question is None else {"question": question}
    return Pair(item_id, "soft - plain", "soft", guise, "plain", reference, context)


def checked(
    pairs: Sequence[Pair], comparison: Comparison, others: dict[str, list[str]] | None = None
) -> dict[str, list[Check]]:
    """The failed checks of each item."""
    found = collect(pairs, others or {})
    vectors = embed([text for pair in pairs for text in pair.context.values()], encode_letters)
    return {
        pair.item_id: [
            check
            for check in check_collection(pair, comparison, found, vectors)
            if not check.passed
        ]
        for pair in pairs
    }


def test_the_later_of_two_alike_is_excluded(compare: Compare) -> None:
    pairs = [made("1", TEXT, OTHER), made("2", "Perhaps so.", TEXT.lower()), made("3", "No.", "-")]
    failed = checked(pairs, compare())
    assert [check.reason for check in failed["2"]] == [
        "text of item 1 again",
        "text close to one of item 1: 1.000 >= 0.3",
    ]
    assert failed["1"] == failed["3"] == []


def test_a_near_copy_fails_the_check_for_near_copies_only(compare: Compare) -> None:
    pairs = [made("1", TEXT, OTHER), made("2", f"{TEXT} Then it rained.", "No.")]
    # Ten of the later text's thirteen word sequences are the earlier one's; it has no other.
    failed = checked(pairs, compare(thresholds={"near_duplicate_text": 0.7}))
    assert [check.check for check in failed["2"]] == ["near_duplicate_text"]
    assert failed["2"][0].value == pytest.approx(11 / 14)
    assert checked(pairs, compare(thresholds={"near_duplicate_text": 0.8}))["2"] == []


def test_an_items_own_wordings_may_be_alike(compare: Compare) -> None:
    assert checked([made("1", TEXT, TEXT)], compare())["1"] == []


def test_a_text_of_another_set_is_named(compare: Compare) -> None:
    failed = checked([made("1", TEXT, OTHER)], compare(), {"lent/own": [OTHER]})
    assert [(check.check, check.reason) for check in failed["1"]] == [
        ("duplicate_across", "text close to one of set lent/own: 1.000 >= 0.3")
    ]


def test_a_question_asked_again_names_the_first(compare: Compare) -> None:
    pairs = [made("1", TEXT, "-", "Why so late?"), made("2", OTHER, "-", "why so late")]
    failed = checked(pairs, compare())
    assert [check.reason for check in failed["2"]] == ["question of item 1 again"]
    assert failed["1"] == []


def test_a_question_in_nearly_the_same_words_names_the_first(compare: Compare) -> None:
    pairs = [made("1", TEXT, "-", "Why so late?"), made("2", OTHER, "-", "Why so later?")]
    (check,) = checked(pairs, compare())["2"]
    assert check.check == "near_duplicate_question"
    assert check.reason.startswith("question close to that of item 1: 0.9")


def test_blank_questions_are_nobodys_copies(compare: Compare) -> None:
    pairs = [made("1", TEXT, "-", " "), made("2", OTHER, "-", " "), made("3", "So.", "-")]
    assert checked(pairs, compare()) == {"1": [], "2": [], "3": []}
