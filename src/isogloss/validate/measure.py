"""Measure one pair: what was found, what it is held to, and the reason where it fails."""

from collections.abc import Callable

from isogloss.validate import articles, facts, surface
from isogloss.validate.checks import ChecksKind, ContrastChecks
from isogloss.validate.duplicates import Nearest
from isogloss.validate.lexicon import Lexicon
from isogloss.validate.markers import count_markers
from isogloss.validate.records import Check, CheckName, Pair
from isogloss.validate.tokens import count_words

MEASURED: dict[ChecksKind, tuple[CheckName, ...]] = {
    "markers": (
        "similarity",
        "guise_markers",
        "reference_markers",
        "numbers",
        "names",
        "length_ratio",
    ),
    "articles": ("reference_articles", "articles_removed", "bound_articles"),
}
"""Checks that compare the two wordings of a pair, by kind of contrast."""


def check_surface(pair: Pair, settings: ContrastChecks) -> list[Check]:
    """Check question and wordings for faults that need no comparison."""
    empty = [column for column, text in pair.cells.items() if not text.strip()]
    return [
        _none_of(pair, "text_present", len(empty), f"empty: {', '.join(empty)}"),
        _faults(pair, "placeholder", surface.placeholders, "unfilled placeholder"),
        _faults(pair, "control_characters", surface.control_characters, "hidden character"),
        _faults(pair, "mojibake", surface.mojibake, "garbled character"),
        _text_length(pair, settings.max_characters),
    ]


def check_repairs(pair: Pair, columns: list[str], repair: str) -> Check:
    """Record that cells of the pair were repaired; the pair passes."""
    reason = f"repaired: {repair} in {', '.join(columns)}" if columns else ""
    return Check(
        item_id=pair.item_id,
        contrast=pair.contrast,
        check="wrapped_quotes",
        value=len(columns),
        threshold="= 0",
        passed=True,
        repaired=bool(columns),
        reason=reason,
    )


def check_question(
    pair: Pair, settings: ContrastChecks, repeated: str | None, nearest: Nearest | None
) -> list[Check]:
    """Check that no earlier item asks the same question in the same or in other words."""
    most = settings.near_duplicate
    exact = _none_of(
        pair, "duplicate_question", int(repeated is not None), f"question of item {repeated} again"
    )
    if nearest is None:
        return [exact, _made(pair, "near_duplicate_question", None, f"< {most:g}", True, "")]
    reason = (
        f"question close to that of item {nearest.item_id}: {nearest.similarity:.3f} >= {most:g}"
    )
    near = _made(
        pair,
        "near_duplicate_question",
        nearest.similarity,
        f"< {most:g}",
        nearest.similarity < most,
        reason,
    )
    return [exact, near]


def check_markers(
    pair: Pair, settings: ContrastChecks, lexicon: Lexicon, similarity: float
) -> list[Check]:
    """Check that the guise adds markers to its reference and keeps the rest.

    Both wordings must have words.
    """
    quantities = facts.compare_quantities(pair.guise_text, pair.reference_text)
    names = facts.compare_entities(pair.guise_text, pair.reference_text)
    return [
        _similarity(pair, settings.min_similarity, similarity),
        _guise_markers(pair, settings.min_guise_markers, lexicon),
        _reference_markers(pair, settings.max_reference_markers, lexicon),
        _none_of(pair, "numbers", quantities.size, quantities.describe("number")),
        _none_of(pair, "names", names.size, names.describe("name")),
        _length_ratio(pair, settings.min_length_ratio, settings.max_length_ratio),
    ]


def check_articles(pair: Pair, settings: ContrastChecks) -> list[Check]:
    """Check that the guise is its reference without articles and nothing else."""
    changes = articles.describe_other_changes(pair.guise_text, pair.reference_text)
    bound = articles.bound_articles(pair.reference_text)
    return [
        _reference_articles(pair, settings.min_articles),
        _none_of(pair, "articles_removed", int(bool(changes)), f"more than articles: {changes}"),
        _none_of(
            pair,
            "bound_articles",
            len(bound),
            f"means something else without its article: {facts.bounded(bound)}",
        ),
    ]


def not_measured(pair: Pair, kind: ChecksKind, why: str) -> list[Check]:
    """Return the failed, valueless checks of a pair that cannot be compared."""
    return [
        _made(pair, name, None, "", False, f"{name.replace('_', ' ')} not measured: {why}")
        for name in MEASURED[kind]
    ]


def _similarity(pair: Pair, least: float, similarity: float) -> Check:
    reason = f"similarity {similarity:.3f} < {least:g}"
    return _made(pair, "similarity", similarity, f">= {least:g}", similarity >= least, reason)


def _guise_markers(pair: Pair, least: float, lexicon: Lexicon) -> Check:
    density = _density(pair.guise_text, lexicon)
    reason = f"{pair.guise} has {density:.1f} markers per 1,000 words, fewer than {least:g}"
    return _made(pair, "guise_markers", density, f">= {least:g}", density >= least, reason)


def _reference_markers(pair: Pair, most: float, lexicon: Lexicon) -> Check:
    density = _density(pair.reference_text, lexicon)
    reason = f"{pair.reference} has {density:.1f} markers per 1,000 words, more than {most:g}"
    return _made(pair, "reference_markers", density, f"<= {most:g}", density <= most, reason)


def _density(text: str, lexicon: Lexicon) -> float:
    density = count_markers(text, lexicon).per_thousand
    if density is None:
        raise ValueError("a text without words has no marker density")
    return density


def _length_ratio(pair: Pair, least: float, most: float) -> Check:
    ratio = count_words(pair.guise_text) / count_words(pair.reference_text)
    reason = f"length ratio {ratio:.3f} outside {least:g} to {most:g}"
    passed = least <= ratio <= most
    return _made(pair, "length_ratio", ratio, f"{least:g} to {most:g}", passed, reason)


def _reference_articles(pair: Pair, least: int) -> Check:
    count = articles.count_articles(pair.reference_text)
    reason = f"{pair.reference} has {count} articles, fewer than {least}"
    return _made(pair, "reference_articles", count, f">= {least}", count >= least, reason)


def _text_length(pair: Pair, most: int) -> Check:
    longest = max(pair.cells, key=lambda column: len(pair.cells[column]))
    length = len(pair.cells[longest])
    reason = f"{longest} has {length} characters, more than {most}"
    return _made(pair, "text_length", length, f"<= {most}", length <= most, reason)


def _faults(
    pair: Pair, name: CheckName, find: Callable[[str], tuple[str, ...]], what: str
) -> Check:
    found = {column: find(text) for column, text in pair.cells.items()}
    named = [f"{facts.bounded(parts)} in {column}" for column, parts in found.items() if parts]
    return _none_of(pair, name, sum(map(len, found.values())), f"{what}: {', '.join(named)}")


def _none_of(pair: Pair, name: CheckName, found: int, reason: str) -> Check:
    return _made(pair, name, found, "= 0", found == 0, reason)


def _made(
    pair: Pair, name: CheckName, value: float | None, threshold: str, passed: bool, reason: str
) -> Check:
    return Check(
        item_id=pair.item_id,
        contrast=pair.contrast,
        check=name,
        value=value,
        threshold=threshold,
        passed=passed,
        repaired=False,
        reason="" if passed else reason,
    )
