"""Association tests of word lists: look the words up, and refuse lists that cannot be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from isogloss.errors import StatisticsError
from isogloss.weat.association_test import weat
from isogloss.weat.embedding import Embedding, WordVectors
from isogloss.weat.lists import WordList
from isogloss.weat.options import Options
from isogloss.weat.results import WeatResult

MIN_WORDS = 4
"""Words each list must have in the vocabulary: with three against three the smallest two-sided p is
2/20, so that no result could be significant at 5 %; with four it is 2/70."""

DEFAULTS = Options()


@dataclass(frozen=True)
class LookedUp:
    """A word list with the vectors of its words."""

    name: str
    words: WordVectors

    @property
    def missing(self) -> tuple[str, ...]:
        """Words out of vocabulary."""
        return self.words.missing


@dataclass(frozen=True)
class WordTest:
    """A test of word lists, with what became of each word."""

    result: WeatResult
    x: LookedUp
    y: LookedUp
    a: LookedUp
    b: LookedUp

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """Every word out of vocabulary, with the name of its list in front."""
        lists = (self.x, self.y, self.a, self.b)
        return tuple((one.name, word) for one in lists for word in one.missing)


def look_up(given: WordList, embedding: Embedding) -> LookedUp:
    """Look the words of a list up; raise `StatisticsError` when one stands in it twice."""
    words = embedding.words(given.words)
    keys = [*words.keys, *words.missing_keys]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        raise StatisticsError(f"word list {given.name}: {twice[0]!r} stands twice; remove one")
    return LookedUp(given.name, words)


def weat_words(
    x: WordList,
    y: WordList,
    a: WordList,
    b: WordList,
    embedding: Embedding,
    *,
    min_words: int = MIN_WORDS,
    options: Options = DEFAULTS,
) -> WordTest:
    """Test targets X and Y with attributes A and B, as `weat` does, given as words.

    Words out of vocabulary are left out and named in the result. Raises `StatisticsError` when a
    word is in X and Y or in A and B, stands twice in a list, and when fewer than `min_words` words
    of a list are in the vocabulary; `ModelError` when a word's vector has no direction.
    """
    lists = [look_up(given, embedding) for given in (x, y, a, b)]
    return weat_looked_up(*lists, min_words=min_words, options=options)


def weat_looked_up(
    x: LookedUp, y: LookedUp, a: LookedUp, b: LookedUp, *, min_words: int, options: Options
) -> WordTest:
    """Do what `weat_words` does with words that have been looked up."""
    check_apart(x, y)
    check_apart(a, b)
    reason = shortage((x, y, a, b), min_words)
    if reason is not None:
        raise StatisticsError(f"{reason}; use another embedding or a longer list")
    vectors = (one.words.vectors for one in (x, y, a, b))
    return WordTest(weat(*vectors, **vars(options)), x, y, a, b)


def check_apart(first: LookedUp, second: LookedUp) -> None:
    """Raise `StatisticsError` when two lists share a word, in the vocabulary or not."""
    keys = {*first.words.keys, *first.words.missing_keys}
    shared = [k for k in (*second.words.keys, *second.words.missing_keys) if k in keys]
    if shared:
        raise StatisticsError(
            f"{shared[0]!r} is in both word lists {first.name} and {second.name}; "
            "remove it from one"
        )


def shortage(lists: Sequence[LookedUp], min_words: int) -> str | None:
    """Say which list has fewer than `min_words` words with a vector; None when all have enough."""
    for one in lists:
        found = len(one.words.found)
        if found < min_words:
            missing = ", ".join(one.missing)
            return (
                f"word list {one.name}: {found} of {found + len(one.missing)} words have a "
                f"vector, {min_words} are needed (missing: {missing})"
            )
    return None
