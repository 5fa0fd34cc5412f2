"""Checks of a pair among others: the question asked again, the text written before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from isogloss.validate.comparison import Comparison
from isogloss.validate.copies import Copied, Corpus
from isogloss.validate.duplicates import Nearest, find_nearest, find_repeats
from isogloss.validate.outcomes import none_of, outcome
from isogloss.validate.records import Check, CheckName, Pair
from isogloss.validate.similarity import Vector


@dataclass(frozen=True)
class Collection:
    """What stands beside the pairs of a set."""

    questions: Mapping[str, str]
    """What the wordings of an item refer to, by item; blank ones left out."""
    earlier: Mapping[str, Copied]
    """The closest text of an earlier item, by item."""
    elsewhere: Mapping[str, Copied]
    """The closest text of another set, by item."""
    _nearest: dict[float, dict[str, Nearest]] = field(default_factory=dict, repr=False)

    @cached_property
    def repeats(self) -> dict[str, str]:
        """Items whose question an earlier item asked, and that item."""
        return find_repeats(self.questions)

    def nearest(self, vectors: Mapping[str, Vector], most: float) -> dict[str, Nearest]:
        """The earlier question closest to each; see `find_nearest`."""
        if most not in self._nearest:
            self._nearest[most] = find_nearest(self.questions, vectors, most)
        return self._nearest[most]


def collect(pairs: Sequence[Pair], others: Mapping[str, Sequence[str]]) -> Collection:
    """Find what each item has in common with earlier items and with other sets."""
    questions = {p.item_id: "\n".join(p.context.values()) for p in pairs}
    texts: dict[str, dict[str, None]] = {}
    for pair in pairs:
        texts.setdefault(pair.item_id, {}).update(dict.fromkeys(pair.wordings.values()))
    outside = Corpus()
    for name, theirs in others.items():
        outside.add(name, theirs)
    inside = Corpus()
    earlier, elsewhere = {}, {}
    for item_id, mine in texts.items():
        earlier[item_id] = inside.closest(list(mine))
        elsewhere[item_id] = outside.closest(list(mine))
        inside.add(item_id, mine)
    return Collection(
        {item_id: text for item_id, text in questions.items() if text.strip()},
        {item_id: found for item_id, found in earlier.items() if found is not None},
        {item_id: found for item_id, found in elsewhere.items() if found is not None},
    )


def check_collection(
    pair: Pair, comparison: Comparison, collection: Collection, vectors: Mapping[str, Vector]
) -> list[Check]:
    """Check a pair against earlier items of its set and against other sets."""
    held = comparison.thresholds
    checks = []
    if pair.context:
        checks += _question(pair, held.near_duplicate_question, collection, vectors)
    earlier = collection.earlier.get(pair.item_id)
    elsewhere = collection.elsewhere.get(pair.item_id)
    same = int(earlier is not None and earlier.share == 1)
    name = "" if earlier is None else earlier.name
    return [
        *checks,
        none_of(pair, "duplicate_text", same, f"text of item {name} again"),
        _close(pair, "near_duplicate_text", earlier, held.near_duplicate_text, "item"),
        _close(pair, "duplicate_across", elsewhere, held.near_duplicate_text, "set"),
    ]


def _close(pair: Pair, name: CheckName, found: Copied | None, most: float, whose: str) -> Check:
    share = 0.0 if found is None else found.share
    of = "" if found is None else found.name
    reason = f"text close to one of {whose} {of}: {share:.3f} >= {most:g}"
    return outcome(pair, name, share, f"< {most:g}", share < most, reason)


def _question(
    pair: Pair, most: float, collection: Collection, vectors: Mapping[str, Vector]
) -> list[Check]:
    repeated = collection.repeats.get(pair.item_id)
    again = f"question of item {repeated} again"
    nearest = collection.nearest(vectors, most).get(pair.item_id)
    exact = none_of(pair, "duplicate_question", int(repeated is not None), again)
    if nearest is None:
        return [exact, outcome(pair, "near_duplicate_question", None, f"< {most:g}", True, "")]
    value = nearest.similarity
    reason = f"question close to that of item {nearest.item_id}: {value:.3f} >= {most:g}"
    passed = value < most
    near = outcome(pair, "near_duplicate_question", value, f"< {most:g}", passed, reason)
    return [exact, near]
