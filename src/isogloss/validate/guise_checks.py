"""Checks of the guise itself: it is there, it is not elsewhere, and no other came with it."""

from collections.abc import Mapping

from isogloss.guises.definition import Density, GuiseDefinition
from isogloss.guises.measure import Finder, density
from isogloss.validate import articles
from isogloss.validate.comparison import Comparison
from isogloss.validate.facts import bounded
from isogloss.validate.outcomes import at_least, at_most, none_of
from isogloss.validate.records import Check, CheckName, Pair
from isogloss.validate.tokens import count_words

Finders = Mapping[str, Finder]
"""What finds a guise's devices, by guise."""


def check_guises(pair: Pair, comparison: Comparison, finders: Finders) -> list[Check]:
    """Check the devices of both wordings; each must have words."""
    checks: list[Check] = []
    if comparison.definition is not None:
        checks += _of_definition(pair, comparison, comparison.definition, finders)
    if comparison.counter is not None and comparison.counter.density is not None:
        checks += _of_counter(pair, comparison.counter, comparison.counter.density, finders)
    if pair.reference_text is not None:
        checks.append(_other_markers(pair, comparison, finders))
    return checks


def _of_definition(
    pair: Pair, comparison: Comparison, guise: GuiseDefinition, finders: Finders
) -> list[Check]:
    if guise.density is None:
        return _of_articles(pair, comparison.thresholds.min_articles)
    held = _limits(guise.density, comparison)
    find = finders[guise.name]
    mine = _density(pair.guise_text, find)
    checks = [
        at_least(pair, "guise_markers", mine, held.least, _few(pair.guise, mine, held.least)),
        at_most(pair, "guise_markers_most", mine, held.most, _many(pair.guise, mine, held.most)),
    ]
    if pair.reference is not None and pair.reference_text is not None:
        theirs, most = _density(pair.reference_text, find), held.reference_most
        reason = _many(pair.reference, theirs, most)
        checks.append(at_most(pair, "reference_markers", theirs, most, reason))
        if held.gain is not None:
            checks.append(_gain(pair, "guise_gain", guise.name, mine - theirs, held.gain))
    return checks


def _of_counter(
    pair: Pair, counter: GuiseDefinition, held: Density, finders: Finders
) -> list[Check]:
    """The same for the guise that the reference must be in."""
    if pair.reference is None or pair.reference_text is None:
        return []
    find, what = finders[counter.name], f"{counter.name} "
    mine = _density(pair.reference_text, find)
    few, many = _few(pair.reference, mine, held.least), _many(pair.reference, mine, held.most)
    other = _density(pair.guise_text, find)
    there = what + _many(pair.guise, other, held.reference_most)
    gain = () if held.gain is None else (held.gain,)
    return [
        at_least(pair, "counter_markers", mine, held.least, what + few),
        at_most(pair, "counter_markers_most", mine, held.most, what + many),
        at_most(pair, "counter_in_guise", other, held.reference_most, there),
        *(_gain(pair, "counter_gain", counter.name, mine - other, least) for least in gain),
    ]


def _gain(pair: Pair, name: CheckName, guise: str, found: float, least: float) -> Check:
    reason = f"{guise}: {found:+.1f} markers per 1,000 words between the wordings, not {least:g}"
    return at_least(pair, name, found, least, reason)


def _limits(held: Density, comparison: Comparison) -> Density:
    """A guise's limits, replaced where the thresholds say so."""
    given = comparison.thresholds
    return Density.model_construct(
        least=held.least if given.min_guise_markers is None else given.min_guise_markers,
        most=held.most if given.max_guise_markers is None else given.max_guise_markers,
        reference_most=(
            held.reference_most
            if given.max_reference_markers is None
            else given.max_reference_markers
        ),
        gain=held.gain,
    )


def _other_markers(pair: Pair, comparison: Comparison, finders: Finders) -> Check:
    """The guise, of those not compared, whose density differs most between the wordings.

    One device more or less is no sign of another guise; in a short text it is a high density.
    """
    assert pair.reference_text is not None
    most = comparison.thresholds.max_other_markers
    moved = {
        name: _density(pair.guise_text, find) - _density(pair.reference_text, find)
        for name, find in finders.items()
        if name not in comparison.own
        and abs(len(find.find(pair.guise_text)) - len(find.find(pair.reference_text))) > 1
    }
    if not moved:
        return at_most(pair, "other_markers", 0.0, most, "")
    name = max(moved, key=lambda name: abs(moved[name]))
    reason = f"{name} differs by {moved[name]:+.1f} markers per 1,000 words, more than {most:g}"
    return at_most(pair, "other_markers", abs(moved[name]), most, reason)


def _of_articles(pair: Pair, least: int) -> list[Check]:
    """Check that the guise is its reference without articles and nothing else."""
    if pair.reference_text is None:
        left = articles.count_articles(pair.guise_text)
        return [none_of(pair, "articles_removed", left, f"articles left: {left}")]
    changes = articles.describe_other_changes(pair.guise_text, pair.reference_text)
    bound = articles.bound_articles(pair.reference_text)
    count = articles.count_articles(pair.reference_text)
    without = f"means something else without its article: {bounded(bound)}"
    few = f"{pair.reference} has {count} articles, fewer than {least}"
    return [
        at_least(pair, "reference_articles", count, least, few),
        none_of(pair, "articles_removed", int(bool(changes)), f"more than articles: {changes}"),
        none_of(pair, "bound_articles", len(bound), without),
    ]


def _density(text: str, find: Finder) -> float:
    return density(len(find.find(text)), count_words(text))


def _few(column: str, value: float, least: float) -> str:
    return f"{column} has {value:.1f} markers per 1,000 words, fewer than {least:g}"


def _many(column: str, value: float, most: float) -> str:
    return f"{column} has {value:.1f} markers per 1,000 words, more than {most:g}"
