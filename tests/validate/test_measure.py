from pathlib import Path

import pytest

from isogloss.validate.checks import ContrastChecks
from isogloss.validate.duplicates import Nearest
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.measure import (
    MEASURED,
    check_articles,
    check_markers,
    check_question,
    check_repairs,
    check_surface,
    not_measured,
)
from isogloss.validate.records import Check, CheckName, Pair

MARKERS = ContrastChecks(kind="markers")
ARTICLES = ContrastChecks(kind="articles")


def pair(guise: str, reference: str, question: str = "Why?") -> Pair:
    return Pair(
        item_id="7",
        contrast="soft - plain",
        question=question,
        guise="soft",
        reference="plain",
        guise_text=guise,
        reference_text=reference,
    )


def one(checks: list[Check], name: CheckName) -> Check:
    (found,) = [check for check in checks if check.check == name]
    return found


@pytest.fixture(scope="module")
def hedges(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "hedges.yaml")


PLAIN = "I moved the Kafka cluster in 3 weeks and cut its cost by 40%."
SOFT = "I think I moved the Kafka cluster in about three weeks and cut its cost by 40 percent."


def test_a_good_marker_pair_passes_every_check(hedges: Lexicon) -> None:
    checks = check_markers(pair(SOFT, PLAIN), MARKERS, hedges, 0.9)
    assert tuple(check.check for check in checks) == MEASURED["markers"]
    assert all(check.passed and not check.reason for check in checks)
    assert one(checks, "guise_markers").value == pytest.approx(2000 / 18)


@pytest.mark.parametrize(
    ("guise", "reference", "similarity", "name", "reason"),
    [
        (SOFT, PLAIN, 0.61, "similarity", "similarity 0.610 < 0.7"),
        (PLAIN, PLAIN, 1, "guise_markers", "soft has 0.0 markers per 1,000 words, fewer than 20"),
        (SOFT, SOFT, 1, "reference_markers",
         "plain has 111.1 markers per 1,000 words, more than 8"),
        ("I think I moved Kafka.", PLAIN, 0.9, "numbers", "number lost: 3 week, 40%"),
        ("I think I moved Pulsar.", PLAIN, 0.9, "names", "name lost: Kafka; name added: Pulsar"),
        ("I think so.", PLAIN, 0.9, "length_ratio", "length ratio 0.214 outside 0.67 to 1.5"),
    ],
)  # fmt: skip
def test_a_bad_marker_pair_says_why(
    guise: str, reference: str, similarity: float, name: CheckName, reason: str, hedges: Lexicon
) -> None:
    checks = check_markers(pair(guise, reference), MARKERS, hedges, similarity)
    assert (one(checks, name).passed, one(checks, name).reason) == (False, reason)


def test_thresholds_are_inclusive(hedges: Lexicon) -> None:
    settings = ContrastChecks(
        kind="markers", min_similarity=0.5, min_guise_markers=500, max_reference_markers=500
    )
    checks = check_markers(pair("Perhaps yes.", "Maybe no."), settings, hedges, 0.5)
    assert all(check.passed for check in checks)


def test_a_good_article_pair_passes_every_check() -> None:
    checks = check_articles(pair("Team met client.", "The team met a client."), ARTICLES)
    assert tuple(check.check for check in checks) == MEASURED["articles"]
    assert all(check.passed for check in checks)


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
def test_a_bad_article_pair_says_why(
    guise: str, reference: str, name: CheckName, reason: str
) -> None:
    checks = check_articles(pair(guise, reference), ARTICLES)
    assert (one(checks, name).passed, one(checks, name).reason) == (False, reason)


@pytest.mark.parametrize(
    ("guise", "question", "name", "reason"),
    [
        (" ", "Why?", "text_present", "empty: soft"),
        ("At [your company] now.", "Why?", "placeholder",
         "unfilled placeholder: [your company] in soft"),
        ("Yes.", "Why TBD?", "placeholder", "unfilled placeholder: TBD in question"),
        ("Yes\u200b.", "Why?", "control_characters", "hidden character: U+200B in soft"),
        ("Itâ€™s.", "Why?", "mojibake", "garbled character: â€™ in soft"),
        ("Yes. " * 300, "Why?", "text_length", "soft has 1500 characters, more than 1000"),
    ],
)  # fmt: skip
def test_a_fault_of_the_surface_says_where(
    guise: str, question: str, name: CheckName, reason: str
) -> None:
    checks = check_surface(pair(guise, "No.", question), MARKERS)
    assert [check.check for check in checks if not check.passed] == [name]
    assert one(checks, name).reason == reason


def test_a_clean_surface_passes() -> None:
    checks = check_surface(pair("שלום 👩‍💻", "Naïve — “yes”."), MARKERS)
    assert all(check.passed for check in checks)


def test_a_question_asked_before_names_the_first() -> None:
    exact, near = check_question(pair("a", "b"), MARKERS, "3", Nearest("4", 0.95))
    assert exact.reason == "question of item 3 again"
    assert near.reason == "question close to that of item 4: 0.950 >= 0.9"
    assert not exact.passed
    assert not near.passed


def test_a_first_question_has_no_distance() -> None:
    exact, near = check_question(pair("a", "b"), MARKERS, None, None)
    assert exact.passed
    assert (near.passed, near.value) == (True, None)


def test_a_repair_passes_and_says_so() -> None:
    check = check_repairs(pair("a", "b"), ["soft", "plain"], "marks removed")
    assert check.passed
    assert check.repaired
    assert check.reason == "repaired: marks removed in soft, plain"
    assert not check_repairs(pair("a", "b"), [], "marks removed").repaired


def test_what_cannot_be_measured_has_no_value() -> None:
    checks = not_measured(pair("", "b"), "articles", "no words in soft")
    assert [check.value for check in checks] == [None, None, None]
    assert not any(check.passed for check in checks)
    assert checks[0].reason == "reference articles not measured: no words in soft"
