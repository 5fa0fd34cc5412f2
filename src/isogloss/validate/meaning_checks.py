"""Checks that both wordings say the same: closeness in meaning, and each kind of fact by itself."""

from collections.abc import Mapping
from typing import Literal

from isogloss.validate.claims import claim_texts, compare_claims
from isogloss.validate.comparison import Comparison
from isogloss.validate.facts import Difference, bounded, compare_entities, compare_quantities
from isogloss.validate.instruments import Instruments
from isogloss.validate.negation import compare_negations
from isogloss.validate.outcomes import NOT_JUDGED, at_least, none_of, outcome
from isogloss.validate.records import Check, CheckName, Pair
from isogloss.validate.similarity import Vector, cosine
from isogloss.validate.technologies import compare_technologies
from isogloss.validate.units import compare_units

Place = tuple[int, int]
Side = Literal["guise", "reference"]


def texts_to_embed(pair: Pair, comparison: Comparison, instruments: Instruments) -> list[str]:
    """Every text whose embedding `check_meaning` needs."""
    if pair.reference_text is None:
        return []
    return [
        pair.guise_text,
        pair.reference_text,
        *claim_texts(pair.guise_text, _devices(pair.guise_text, comparison, instruments)),
        *claim_texts(pair.reference_text, _devices(pair.reference_text, comparison, instruments)),
    ]


def check_meaning(
    pair: Pair,
    comparison: Comparison,
    instruments: Instruments,
    vectors: Mapping[str, Vector],
) -> list[Check]:
    """Check that a pair of two wordings with words says the same in both directions."""
    guise, reference = pair.guise_text, pair.reference_text or ""
    mine = _devices(guise, comparison, instruments)
    theirs = _devices(reference, comparison, instruments)
    return [
        _similarity(pair, comparison, vectors),
        _same(pair, "numbers", compare_quantities(guise, reference), "number"),
        _same(pair, "units", compare_units(guise, reference), "unit"),
        _same(pair, "names", compare_entities(guise, reference), "name"),
        _same(pair, "technologies", compare_technologies(guise, reference), "technology"),
        _same(pair, "negations", compare_negations(guise, reference, mine, theirs), "negation"),
        _claims(pair, comparison, vectors, mine, theirs),
    ]


def _devices(text: str, comparison: Comparison, instruments: Instruments) -> tuple[Place, ...]:
    """Where the devices of the guises stand that are counted by a lexicon, and so carry no fact."""
    finders = [
        instruments.finders[guise.name]
        for guise in comparison.definitions
        if guise.measure == "lexicon"
    ]
    return tuple(sorted({(m.start, m.end) for find in finders for m in find.find(text)}))


def _similarity(pair: Pair, comparison: Comparison, vectors: Mapping[str, Vector]) -> Check:
    least = comparison.thresholds.min_similarity
    value = cosine(vectors, pair.guise_text, pair.reference_text or "")
    if "content" in comparison.moves:
        return outcome(pair, "similarity", value, NOT_JUDGED, True, "")
    return at_least(pair, "similarity", value, least, f"similarity {value:.3f} < {least:g}")


def _same(pair: Pair, name: CheckName, found: Difference, what: str) -> Check:
    return none_of(pair, name, found.size, found.describe(what))


def _claims(
    pair: Pair,
    comparison: Comparison,
    vectors: Mapping[str, Vector],
    mine: tuple[Place, ...],
    theirs: tuple[Place, ...],
) -> Check:
    """The clause that the other wording covers least, and words turned into their opposite."""
    found = compare_claims(pair.guise_text, pair.reference_text or "", vectors, mine, theirs)
    value = min(found.lost.covered, found.added.covered)
    if "content" in comparison.moves:
        return outcome(pair, "claims", value, NOT_JUDGED, True, "")
    least = comparison.thresholds.min_claim_coverage
    reasons = [
        f"claim {how} ({clause.covered:.2f} < {least:g}): {bounded((clause.clause,))}"
        for how, clause in (("lost", found.lost), ("added", found.added))
        if clause.covered < least
    ]
    if found.opposites:
        reasons.append(f"turned into its opposite: {bounded(found.opposites)}")
    reason = "; ".join(reasons)
    return outcome(pair, "claims", value, f">= {least:g}", not reasons, reason)
