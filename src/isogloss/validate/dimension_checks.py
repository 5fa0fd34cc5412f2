"""Checks that a guise moved no other dimension: length, reading grade, sentiment, politeness."""

from isogloss.validate.comparison import Comparison
from isogloss.validate.facts import bounded
from isogloss.validate.instruments import Instruments
from isogloss.validate.outcomes import NOT_JUDGED, at_most, not_measured, outcome
from isogloss.validate.politeness import measure_politeness
from isogloss.validate.readability import measure_readability
from isogloss.validate.records import Check, Pair
from isogloss.validate.sentiment import measure_sentiment
from isogloss.validate.tokens import count_words

FEWEST_WORDS = 25
"""Words from which on a reading grade says something: in a sentence of ten, one long word more is
worth two grades."""


def check_dimensions(pair: Pair, comparison: Comparison, instruments: Instruments) -> list[Check]:
    """Check a pair of two wordings with words; what its guises move is not judged."""
    return [
        _length(pair, comparison),
        _grade(pair, comparison),
        _sentiment(pair, comparison),
        _politeness(pair, comparison, instruments),
    ]


def _length(pair: Pair, comparison: Comparison) -> Check:
    held = comparison.thresholds
    least, most = held.min_length_ratio, held.max_length_ratio
    ratio = count_words(pair.guise_text) / count_words(pair.reference_text or "")
    if "length" in comparison.moves:
        return outcome(pair, "length_ratio", ratio, NOT_JUDGED, True, "")
    reason = f"length ratio {ratio:.3f} outside {least:g} to {most:g}"
    passed = least <= ratio <= most
    return outcome(pair, "length_ratio", ratio, f"{least:g} to {most:g}", passed, reason)


def _grade(pair: Pair, comparison: Comparison) -> Check:
    most = comparison.thresholds.max_grade_difference
    judged = "reading_grade" not in comparison.moves
    if min(map(count_words, pair.wordings.values())) < FEWEST_WORDS:
        why = f"fewer than {FEWEST_WORDS} words"
        return not_measured(pair, "reading_grade", why, judged=False)
    mine = measure_readability(pair.guise_text).grade
    theirs = measure_readability(pair.reference_text or "").grade
    if mine is None or theirs is None:
        return not_measured(pair, "reading_grade", "no words to read", judged=False)
    reason = f"reading grade {mine:.1f} against {theirs:.1f}, further apart than {most:g}"
    return at_most(pair, "reading_grade", abs(mine - theirs), most, reason, judged=judged)


def _sentiment(pair: Pair, comparison: Comparison) -> Check:
    most = comparison.thresholds.max_sentiment_difference
    judged = "sentiment" not in comparison.moves
    mine = measure_sentiment(pair.guise_text).valence
    theirs = measure_sentiment(pair.reference_text or "").valence
    if mine is None or theirs is None:
        return not_measured(pair, "sentiment", "no words to score", judged=False)
    reason = f"valence {mine:+.2f} against {theirs:+.2f}, further apart than {most:g}"
    return at_most(pair, "sentiment", abs(mine - theirs), most, reason, judged=judged)


def _politeness(pair: Pair, comparison: Comparison, instruments: Instruments) -> Check:
    most = comparison.thresholds.max_politeness_difference
    mine = measure_politeness(pair.guise_text, instruments.politeness)
    theirs = measure_politeness(pair.reference_text or "", instruments.politeness)
    # One marker more or less is no other tone; in a short text it is a high density.
    alike = abs(len(mine.markers) - len(theirs.markers)) < 2
    moved = 0.0 if alike else abs((mine.per_thousand or 0.0) - (theirs.per_thousand or 0.0))
    found = bounded((*mine.found, *theirs.found))
    said = f"politeness differs by {moved:.1f} markers per 1,000 words, more than {most:g}"
    reason = f"{said}: {found}"
    judged = "politeness" not in comparison.moves
    return at_most(pair, "politeness", moved, most, reason, judged=judged)
