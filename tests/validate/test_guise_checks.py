"""A guise is there at its density, is not in the reference, and comes alone."""

from collections.abc import Callable

import pytest

from isogloss.guises.definition import GuiseDefinition
from isogloss.validate.comparison import Comparison
from isogloss.validate.guise_checks import check_guises
from isogloss.validate.instruments import Instruments
from isogloss.validate.records import Check, CheckName, Pair

Make = Callable[..., Pair]
Compare = Callable[..., Comparison]

PLAIN = "I moved the Kafka cluster in 3 weeks and cut its cost by 40%."
SOFT = "I think I moved the Kafka cluster in 3 weeks and perhaps cut its cost by 40%."


def one(checks: list[Check], name: CheckName) -> Check:
    (found,) = [check for check in checks if check.check == name]
    return found


def test_densities_by_hand(pair: Make, compare: Compare, instruments: Instruments) -> None:
    wide = {"max_guise_markers": 200}
    checks = check_guises(pair(SOFT, PLAIN), compare(thresholds=wide), instruments.finders)
    assert all(check.passed for check in checks)
    # Two hedges in seventeen words.
    assert one(checks, "guise_markers").value == pytest.approx(2000 / 17)
    assert one(checks, "reference_markers").value == 0
    assert one(checks, "other_markers").value == pytest.approx(0, abs=10)


@pytest.mark.parametrize(
    ("guise", "reference", "name", "reason"),
    [
        (PLAIN, PLAIN, "guise_markers", "soft has 0.0 markers per 1,000 words, fewer than 20"),
        (SOFT, SOFT, "reference_markers",
         "plain has 117.6 markers per 1,000 words, more than 8"),
        (SOFT, PLAIN, "guise_markers_most",
         "soft has 117.6 markers per 1,000 words, more than 100"),
    ],
)  # fmt: skip
def test_a_wrong_density_says_why(
    pair: Make,
    compare: Compare,
    instruments: Instruments,
    guise: str,
    reference: str,
    name: CheckName,
    reason: str,
) -> None:
    held = {"min_guise_markers": 20, "max_guise_markers": 100, "max_reference_markers": 8}
    checks = check_guises(pair(guise, reference), compare(thresholds=held), instruments.finders)
    assert (one(checks, name).passed, one(checks, name).reason) == (False, reason)


def test_thresholds_are_inclusive(pair: Make, compare: Compare, instruments: Instruments) -> None:
    held = {"min_guise_markers": 500, "max_guise_markers": 500, "max_reference_markers": 500}
    checks = check_guises(
        pair("Perhaps yes.", "Maybe no."), compare(thresholds=held), instruments.finders
    )
    assert all(check.passed for check in checks)


def test_another_guise_that_came_in_is_named(
    pair: Make, compare: Compare, instruments: Instruments
) -> None:
    friendly = SOFT + " Everybody was thrilled, delighted and proud."
    checks = check_guises(pair(friendly, PLAIN), compare(), instruments.finders)
    found = one(checks, "other_markers")
    assert not found.passed
    assert found.reason.startswith("emotional differs by +")


def test_both_poles_are_held_to_their_own_wording(
    pair: Make, compare: Compare, guises: dict[str, GuiseDefinition], instruments: Instruments
) -> None:
    counter = compare("agentic", counter=guises["communal"])
    agentic = "We want a competitive, ambitious and decisive leader who dominates the market."
    communal = "We want a caring, supportive and cooperative colleague who shares with others."
    held = check_guises(pair(agentic, communal), counter, instruments.finders)
    assert one(held, "guise_markers").passed
    assert one(held, "counter_markers").passed
    assert one(held, "counter_in_guise").passed
    swapped = check_guises(pair(communal, agentic), counter, instruments.finders)
    for name in ("guise_markers", "counter_markers", "reference_markers", "counter_in_guise"):
        assert not one(swapped, name).passed


def test_a_text_by_itself_needs_its_guise_only(
    pair: Make, compare: Compare, instruments: Instruments
) -> None:
    wide = {"max_guise_markers": 1000}
    alone = compare(reference=None, thresholds=wide)
    checks = check_guises(pair(SOFT), alone, instruments.finders)
    assert [check.check for check in checks] == ["guise_markers", "guise_markers_most"]
    assert check_guises(pair(SOFT), compare(None, reference=None), instruments.finders) == []


def test_a_good_pair_without_articles_passes(
    pair: Make, compare: Compare, instruments: Instruments
) -> None:
    checks = check_guises(
        pair("Team met client.", "The team met a client."), compare("accent"), instruments.finders
    )
    assert all(check.passed for check in checks)
    assert one(checks, "reference_articles").value == 2


@pytest.mark.parametrize(
    ("guise", "reference", "name", "reason"),
    [
        ("We met.", "We met.", "reference_articles", "plain has 0 articles, fewer than 1"),
        ("Team saw client.", "The team met a client.", "articles_removed",
         "more than articles: lost: met; added: saw"),
        ("We met few.", "We met a few.", "bound_articles",
         "means something else without its article: a few"),
    ],
)  # fmt: skip
def test_a_bad_pair_without_articles_says_why(
    pair: Make,
    compare: Compare,
    instruments: Instruments,
    guise: str,
    reference: str,
    name: CheckName,
    reason: str,
) -> None:
    checks = check_guises(pair(guise, reference), compare("accent"), instruments.finders)
    assert (one(checks, name).passed, one(checks, name).reason) == (False, reason)
