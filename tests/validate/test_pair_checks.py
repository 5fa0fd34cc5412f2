"""Checks of meaning, of other dimensions and of single texts, on pairs with one fault each."""

from collections.abc import Callable

import pytest

from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments
from isogloss.validate.meaning_checks import texts_to_embed
from isogloss.validate.outcomes import NOT_JUDGED
from isogloss.validate.records import Check, Pair
from isogloss.validate.similarity import embed
from isogloss.validate.validation import check_pair

Make = Callable[..., Pair]
Compare = Callable[..., Comparison]
Run = Callable[..., dict[str, Check]]

PLAIN = (
    "I moved the payroll of 240 people from Excel to Postgres in 3 weeks. Nobody was paid late, "
    "and the yearly audit took two days instead of nine."
)
SOFT = (
    "I think I moved the payroll of 240 people from Excel to Postgres in 3 weeks. Nobody was paid "
    "late, and perhaps the yearly audit took two days instead of nine."
)


@pytest.fixture
def run(pair: Make, compare: Compare, instruments: Instruments) -> Run:
    """Check a pair and return its checks by name."""

    def checked(guise: str, reference: str = PLAIN, definition: str = "hedged") -> dict[str, Check]:
        made, comparison = pair(guise, reference), compare(definition)
        vectors = embed(texts_to_embed(made, comparison, instruments), instruments.encode)
        return {c.check: c for c in check_pair(made, comparison, instruments, vectors)}

    return checked


def test_a_pair_without_fault_passes_everything(run: Run) -> None:
    assert [check.reason for check in run(SOFT).values() if not check.passed] == []


@pytest.mark.parametrize(
    ("old", "new", "name", "reason"),
    [
        ("240", "420", "numbers", "number lost: 240"),
        ("3 weeks", "3 months", "units", "week"),
        ("Postgres", "Oracle", "technologies", "technology lost: postgres"),
        ("Nobody was", "Everybody was", "negations", "negation lost"),
        ("payroll", "payrol", "spelling", "payrol in soft"),
        ("I think", "As a woman, I think", "demographic_leak", "tells who the speaker is"),
        ("I think", "In hedged words, I think", "label_leak", "names the guise: hedged"),
    ],
)  # fmt: skip
def test_one_fault_is_found_and_named(run: Run, old: str, new: str, name: str, reason: str) -> None:
    assert SOFT.count(old) == 1
    check = run(SOFT.replace(old, new))[name]
    assert not check.passed
    assert reason in check.reason


def test_politeness_that_came_in_is_told_where_the_guise_does_not_bring_it(run: Run) -> None:
    polite = f"Thank you for asking, and please, sir: {PLAIN}"
    check = run(polite, definition="qualifiers")["politeness"]
    assert not check.passed
    assert check.reason.startswith("politeness differs by")
    assert run(polite)["politeness"].threshold == NOT_JUDGED


def test_another_language_is_told(run: Run) -> None:
    german = "Ich habe vielleicht die Gehälter von 240 Leuten in 3 Wochen umgestellt, glaube ich."
    assert not run(german)["language"].passed


def test_both_wordings_alike_is_a_fault(run: Run) -> None:
    assert not run(PLAIN)["identical"].passed


def test_a_text_twice_as_long_is_told(run: Run) -> None:
    check = run(f"{SOFT} {SOFT}")["length_ratio"]
    assert not check.passed
    assert check.value is not None
    assert check.value > 2


def test_what_a_guise_moves_is_measured_and_not_judged(run: Run) -> None:
    checks = run("We care, we share and we help each other warmly, all of us.", PLAIN, "communal")
    for name in ("similarity", "claims"):
        assert checks[name].threshold == NOT_JUDGED
        assert checks[name].passed
        assert checks[name].value is not None


def test_a_reading_grade_of_a_few_words_is_not_measured(run: Run) -> None:
    check = run("I think it rained.", "It rained.")["reading_grade"]
    assert (check.value, check.passed) == (None, True)
    assert "fewer than 25 words" in check.reason
