"""Claims that one text makes and the other does not, found by their content words.

Each content word of a text is covered by the other text fully where that has a word of its family,
and else in part, by the cosine between the embeddings of the word and of the nearest word there. A
claim that has come in, or is gone, leaves a run of words that nothing covers; a paraphrase of one
word does not. The measure is for wordings that tell the same in nearly the same content words;
guises that choose other things to speak of leave such runs by being what they are.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.validate.negated import find_negations
from isogloss.validate.opposites import opposites_among
from isogloss.validate.quantities import is_number
from isogloss.validate.sentences import Span, sentence_spans
from isogloss.validate.similarity import Vector
from isogloss.validate.stems import content_words, is_family, stem
from isogloss.validate.tokens import Token, tokenise

RUN: int = 3
"""Content words of a run, within one sentence; a sentence with fewer is one run."""
SHORTEST: int = 2
"""Fewest content words of a sentence that is looked at."""
UNRELATED: float = 0.3
"""Cosine up to which a word counts as not covered at all."""


@dataclass(frozen=True)
class Least:
    """The run of content words of one text that the other text covers least."""

    clause: str
    """The text from the first to the last word of the run; empty for a text without runs."""
    covered: float
    """Mean coverage of the words of the run, from 0 to 1; 1 for a text without runs."""


@dataclass(frozen=True)
class Claims:
    """How the content of two texts compares."""

    lost: Least
    """The run of the reference that the text covers least."""
    added: Least
    """The run of the text that the reference covers least."""
    opposites: tuple[str, ...]
    """Words that were replaced by their opposite, as `raised -> lowered`."""


def claim_texts(text: str, ignored: Sequence[Span] = ()) -> tuple[str, ...]:
    """Return what `compare_claims` needs the embeddings of: a text's content words, each once."""
    return tuple(dict.fromkeys(token.word for token in _content(text, ignored)))


def compare_claims(
    text: str,
    reference: str,
    vectors: Mapping[str, Vector],
    ignored_text: Sequence[Span] = (),
    ignored_reference: Sequence[Span] = (),
) -> Claims:
    """Compare the content of two texts in both directions.

    A word is covered by 1 where the other text has its family (see `stems.is_family`), and else by
    `max(0, (c - 0.3) / 0.7)` with `c` its greatest cosine with a content word there. Left out are
    function words, numbers, and words within the ignored spans (devices of a guise). `vectors` must
    hold the words of `claim_texts` of both texts, scaled to length 1.
    """
    mine, theirs = _content(text, ignored_text), _content(reference, ignored_reference)
    return Claims(
        lost=_least(reference, theirs, mine, vectors),
        added=_least(text, mine, theirs, vectors),
        opposites=_turned(_unignored(text, ignored_text), _unignored(reference, ignored_reference)),
    )


def _unignored(text: str, ignored: Sequence[Span]) -> str:
    """Return the text with blanks in place of the ignored spans, offsets as they were."""
    for start, end in ignored:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _content(text: str, ignored: Sequence[Span]) -> list[Token]:
    words = content_words(_unignored(text, ignored))
    return [token for token in words if not is_number(token)]


def _least(
    text: str, words: Sequence[Token], others: Sequence[Token], vectors: Mapping[str, Vector]
) -> Least:
    coverage = dict(zip(words, _coverage(words, others, vectors), strict=True))
    runs = [run for sentence in _sentences(text, words) for run in _runs(sentence)]
    if not runs:
        return Least("", 1.0)
    means = [float(np.mean([coverage[word] for word in run])) for run in runs]
    first = means.index(min(means))
    span = text[runs[first][0].start : runs[first][-1].end]
    return Least(" ".join(span.split()), means[first])


def _sentences(text: str, words: Sequence[Token]) -> list[list[Token]]:
    ends = [end for _, end in sentence_spans(text)]
    groups: dict[int, list[Token]] = {}
    for word in words:
        groups.setdefault(bisect_left(ends, word.end), []).append(word)
    return list(groups.values())


def _runs(words: Sequence[Token]) -> list[Sequence[Token]]:
    """Return the runs of a sentence; one with a single content word has none."""
    if len(words) < SHORTEST:
        return []
    length = min(RUN, len(words))
    return [words[i : i + length] for i in range(len(words) - length + 1)]


def _coverage(
    words: Sequence[Token], others: Sequence[Token], vectors: Mapping[str, Vector]
) -> npt.NDArray[np.float64]:
    """Return the coverage of each word, shape (words,)."""
    families = _by_start({stem(token.word) for token in others})
    known = list(dict.fromkeys(token.word for token in others))
    table = np.array([vectors[word] for word in known]) if known else None
    found: dict[str, float] = {}
    for word in dict.fromkeys(token.word for token in words):
        if any(is_family(stem(word), other) for other in families.get(stem(word)[:4], ())):
            found[word] = 1.0
        elif table is None:
            found[word] = 0.0
        else:
            nearest = float((table @ vectors[word]).max())
            found[word] = min(1.0, max(0.0, (nearest - UNRELATED) / (1 - UNRELATED)))
    return np.array([found[token.word] for token in words])


def _by_start(stems: set[str]) -> dict[str, list[str]]:
    """Group stems by their first four letters, which all of one family have in common."""
    groups: dict[str, list[str]] = {}
    for word in sorted(stems):
        groups.setdefault(word[:4], []).append(word)
    return groups


def _turned(text: str, reference: str) -> tuple[str, ...]:
    """Find words that only the reference has and whose opposite only the text has.

    Where one of the two is negated, the meaning is kept and nothing is found.
    """
    mine, theirs = _words(text), _words(reference)
    added, lost = _surplus(mine, theirs), _surplus(theirs, mine)
    denied, other_denied = _denied(text), _denied(reference)
    return tuple(
        f"{theirs[word][0]} -> {mine[opposite][0]}"
        for word in sorted(lost)
        for opposite in sorted(opposites_among(word, added))
        if (word in other_denied) == (opposite in denied)
    )


def _words(text: str) -> dict[str, list[str]]:
    """Group the words of a text by stem."""
    words: dict[str, list[str]] = {}
    for token in tokenise(text):
        words.setdefault(stem(token.word), []).append(token.word)
    return words


def _surplus(words: dict[str, list[str]], others: dict[str, list[str]]) -> set[str]:
    count = Counter({word: len(forms) for word, forms in words.items()})
    count.subtract({word: len(forms) for word, forms in others.items()})
    return {word for word, surplus in count.items() if surplus > 0}


def _denied(text: str) -> set[str]:
    return {word for negation in find_negations(text) for word in negation.scope}
