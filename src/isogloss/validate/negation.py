"""What one text negates and the other does not."""

from collections import Counter
from collections.abc import Iterable, Sequence

from isogloss.validate.facts import Difference
from isogloss.validate.negated import Negation, find_negations
from isogloss.validate.opposites import opposites_among
from isogloss.validate.sentences import Span
from isogloss.validate.stems import content_words, is_family, stem

_MOST_COMPARED = 20_000


def compare_negations(
    text: str,
    reference: str,
    ignored_text: Sequence[Span] = (),
    ignored_reference: Sequence[Span] = (),
) -> Difference:
    """Compare the negated clauses of two texts.

    Two negations are one when they bear on a word in common. Those left are paired one by one, as
    paraphrases of each other, unless the word that one bears on stands in the other text without
    negation: then the negation has moved, and is both lost and added. A negation is kept, too,
    where the other text has an opposite of a word that it bears on (`not met`, `missed`).
    `ignored_text` and `ignored_reference` are spans in which no negation is looked for.
    """
    mine = _Side(text, ignored_text)
    theirs = _Side(reference, ignored_reference)
    lost, added = _unmatched(theirs.negations, mine.negations)
    lost = [negation for negation in lost if not mine.has_opposite(negation)]
    added = [negation for negation in added if not theirs.has_opposite(negation)]
    lost, added = _unpaired(lost, added, mine, theirs)
    return Difference(
        lost=tuple(sorted(negation.phrase for negation in lost)),
        added=tuple(sorted(negation.phrase for negation in added)),
    )


class _Side:
    """A text's negations, and the content words that stand outside of them."""

    def __init__(self, text: str, ignored: Sequence[Span]) -> None:
        self.negations = find_negations(text, ignored)
        negated = {word for negation in self.negations for word in negation.scope}
        negated |= {stem(negation.marker) for negation in self.negations}
        words = {stem(token.word) for token in content_words(text)}
        self.plain = frozenset(words - negated)
        self._by_start: dict[str, list[str]] = {}
        for word in self.plain:
            self._by_start.setdefault(word[:3], []).append(word)

    def has_opposite(self, negation: Negation) -> bool:
        return any(opposites_among(word, self.plain) for word in negation.scope[:2])

    def affirms(self, negation: Negation) -> bool:
        """Tell whether the text has the word nearest to a negation, and not negated."""
        head = negation.head or ""
        return any(is_family(head, word) for word in self._by_start.get(head[:3], ()))


def _unmatched(
    first: Iterable[Negation], second: Iterable[Negation]
) -> tuple[list[Negation], list[Negation]]:
    """Match negations that bear on a common word, the nearest words first; return the rest."""
    left, right = _without_same(list(first), list(second))
    for reach in (1, 2, 6):
        if len(left) * len(right) > _MOST_COMPARED:
            break
        for negation in list(left):
            found = [other for other in right if _overlap(negation, other, reach)]
            if found:
                left.remove(negation)
                right.remove(found[0])
    return left, right


def _without_same(
    first: list[Negation], second: list[Negation]
) -> tuple[list[Negation], list[Negation]]:
    common = Counter(n.scope for n in first) & Counter(n.scope for n in second)
    return _drop(first, common), _drop(second, common)


def _drop(negations: list[Negation], scopes: Counter[tuple[str, ...]]) -> list[Negation]:
    left, rest = Counter(scopes), []
    for negation in negations:
        if left[negation.scope] > 0:
            left[negation.scope] -= 1
        else:
            rest.append(negation)
    return rest


def _overlap(first: Negation, second: Negation, reach: int) -> bool:
    return any(
        is_family(word, other) for word in first.scope[:reach] for other in second.scope[:reach]
    )


def _unpaired(
    lost: list[Negation], added: list[Negation], mine: _Side, theirs: _Side
) -> tuple[list[Negation], list[Negation]]:
    moved_away = [negation for negation in lost if mine.affirms(negation)]
    moved_here = [negation for negation in added if theirs.affirms(negation)]
    free_lost = [negation for negation in lost if negation not in moved_away]
    free_added = [negation for negation in added if negation not in moved_here]
    paired = min(len(free_lost), len(free_added))
    return moved_away + free_lost[paired:], moved_here + free_added[paired:]
