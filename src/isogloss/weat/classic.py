"""The classic tests on one embedding."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import nan

from isogloss.analysis.families import Adjusted, adjusted_tests
from isogloss.weat.embedding import Embedding
from isogloss.weat.lists import ClassicTest, WordList, WordLists
from isogloss.weat.options import Options
from isogloss.weat.records import ClassicRow, VocabularyRow, outcome
from isogloss.weat.results import WeatResult
from isogloss.weat.untested import untested
from isogloss.weat.words import LookedUp, look_up, shortage, weat_looked_up

UNADJUSTED = Adjusted(nan, "", 0)


def look_up_all(lists: Mapping[str, WordList], embedding: Embedding) -> dict[str, LookedUp]:
    """Look every list up, by name."""
    return {name: look_up(one, embedding) for name, one in lists.items()}


def classic_rows(
    name: str,
    lists: WordLists,
    looked_up: Mapping[str, LookedUp],
    min_words: int,
    options: Options,
) -> list[ClassicRow]:
    """Put the embedding `name` to every classic test of the lists.

    A test of which a list has fewer than `min_words` words with a vector is a row that says so.
    p-values are adjusted among the tests of the embedding. Raises `StatisticsError` for lists that
    cannot be compared.
    """
    rows = [
        _row(name, key, test, looked_up, min_words, options) for key, test in lists.tests.items()
    ]
    return [replace(row, adjusted=family) for row, family in adjusted_tests(rows, "holm")]


def vocabulary_rows(
    name: str, looked_up: Mapping[str, LookedUp], *, has_vocabulary: bool
) -> list[VocabularyRow]:
    """Every word of the lists, in the order of the list: those found, then those missing."""
    rows = []
    for one in looked_up.values():
        words = one.words
        rows += [
            VocabularyRow(name, one.name, word, key, "found" if has_vocabulary else "encoded", 1)
            for word, key in zip(words.found, words.keys, strict=True)
        ]
        rows += [
            VocabularyRow(name, one.name, word, key, "missing", 1)
            for word, key in zip(words.missing, words.missing_keys, strict=True)
        ]
    return rows


def text_vocabulary_rows(
    name: str, where: str, keys: list[str], embedding: Embedding
) -> list[VocabularyRow]:
    """Every different word of texts, given as it is looked up, with how often it stands there."""
    counts = Counter(keys)
    missing = set(embedding.words(list(counts)).missing)
    return [
        VocabularyRow(name, where, key, key, "missing" if key in missing else "found", count)
        for key, count in sorted(counts.items())
    ]


def _row(
    name: str,
    key: str,
    test: ClassicTest,
    looked_up: Mapping[str, LookedUp],
    min_words: int,
    options: Options,
) -> ClassicRow:
    x, y, a, b = (looked_up[one] for one in (test.x, test.y, test.a, test.b))
    missing = [f"{one.name}: {word}" for one in (x, y, a, b) for word in one.missing]
    return ClassicRow(
        embedding=name,
        test=key,
        title=test.title,
        x=test.x,
        y=test.y,
        a=test.a,
        b=test.b,
        n_a=len(a.words.found),
        n_b=len(b.words.found),
        missing="; ".join(missing),
        outcome=outcome(_result(x, y, a, b, min_words, options)),
        adjusted=UNADJUSTED,
        published=nan if test.published is None else test.published,
    )


def _result(
    x: LookedUp, y: LookedUp, a: LookedUp, b: LookedUp, min_words: int, options: Options
) -> WeatResult:
    reason = shortage((x, y, a, b), min_words)
    if reason is not None:
        return untested(reason, len(x.words.found), len(y.words.found), options)
    return weat_looked_up(x, y, a, b, min_words=min_words, options=options).result
