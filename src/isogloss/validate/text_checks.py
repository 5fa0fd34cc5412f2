"""Checks of texts that need no comparison: language, spelling, and what gives a guise away."""

from isogloss.validate.comparison import Comparison
from isogloss.validate.facts import bounded
from isogloss.validate.instruments import Instruments
from isogloss.validate.language import measure_english
from isogloss.validate.leakage import find_demographics, find_labels
from isogloss.validate.outcomes import at_least, at_most, none_of, not_measured
from isogloss.validate.records import Check, Pair
from isogloss.validate.spelling import measure_spelling


def check_texts(pair: Pair, comparison: Comparison, instruments: Instruments) -> list[Check]:
    """Check the texts of a pair one by one."""
    if not any(text.strip() for text in pair.wordings.values()):
        return []
    checks = [
        _language(pair, comparison.thresholds.min_english_margin),
        _spelling(pair, comparison.thresholds.max_misspelt, instruments),
    ]
    if comparison.definitions:
        checks += [_labels(pair, comparison), _demographics(pair, instruments)]
    return checks


def _language(pair: Pair, least: float) -> Check:
    """The least English stretch of the wordings; short texts are not measured, and pass."""
    measured = {column: measure_english(text) for column, text in pair.wordings.items()}
    margins = {c: found.margin for c, found in measured.items() if found.margin is not None}
    if not margins:
        return not_measured(pair, "language", "too few words to tell", judged=False)
    column = min(margins, key=lambda column: margins[column])
    found = measured[column]
    reason = f"{column} does not read as English ({found.other}): {bounded((found.stretch,))}"
    return at_least(pair, "language", margins[column], least, reason)


def _spelling(pair: Pair, most: int, instruments: Instruments) -> Check:
    """Unknown words that only one of two wordings has; what both have is no slip of one of them."""
    reference = pair.reference_text or ""
    texts = [(pair.guise, pair.guise_text, reference)]
    if pair.reference is not None:
        texts.append((pair.reference, reference, pair.guise_text))
    unknown = [
        (column, word)
        for column, text, beside in texts
        for word in measure_spelling(text, instruments.vocabulary, reference=beside).unknown
    ]
    named = bounded(tuple(f"{word} in {column}" for column, word in unknown))
    return at_most(pair, "spelling", len(unknown), most, f"unknown words: {named}")


def _labels(pair: Pair, comparison: Comparison) -> Check:
    labels = {label for guise in comparison.definitions for label in guise.labels}
    found = [
        f"{label} in {column}"
        for column, text in pair.wordings.items()
        for label in find_labels(text, labels)
    ]
    return none_of(pair, "label_leak", len(found), f"names the guise: {bounded(tuple(found))}")


def _demographics(pair: Pair, instruments: Instruments) -> Check:
    found = [
        f"{phrase} in {column}"
        for column, text in pair.wordings.items()
        for phrase in find_demographics(text, instruments.demographics).of_speaker
    ]
    reason = f"tells who the speaker is: {bounded(tuple(found))}"
    return none_of(pair, "demographic_leak", len(found), reason)
