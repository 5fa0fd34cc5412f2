"""Omission of the English articles, as learners of languages without articles omit them.

Sources: Master 1997; Ionin, Ko and Wexler 2004. The rule is `validate.articles.remove_articles`, by
which the guise is checked; it takes every article, quotations included.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.stimuli.rules.rewriting import Edit, Rewriting, rewrite
from isogloss.validate.articles import remove_articles

_DEVICE = "article"
_CANDIDATE = re.compile(r"\b(?:an?|the)\b[ \t]*", re.IGNORECASE)


@dataclass(frozen=True)
class ArticleOmission:
    """Leave out `a`, `an` and `the`, each sentence still opening with a capital.

    The seed has no effect.
    """

    name: str = "articles"
    sources: tuple[str, ...] = ("master1997", "ionin2004")

    def __call__(self, text: str, seed: int = 0) -> Rewriting:  # noqa: ARG002
        """Return `remove_articles(text)` and the places where an article stood."""
        without = remove_articles(text)
        rewriting = rewrite(text, _edits(text, without))
        return rewriting if rewriting.text == without else rewrite(text, [_whole(text, without)])


def _edits(text: str, without: str) -> Iterator[Edit]:
    """Find the removed articles by reading both texts side by side."""
    shift = 0
    candidates = list(_CANDIDATE.finditer(text))
    for i, match in enumerate(candidates):
        limit = candidates[i + 1].start() if i + 1 < len(candidates) else len(text)
        place = match.start() - shift
        if without.startswith(text[match.start() : limit], place):
            continue
        shift += len(match.group())
        raised = without[place : place + 1]
        if limit > match.end() and raised != text[match.end()]:
            yield Edit(match.start(), match.end() + 1, raised, _DEVICE)
        else:
            yield Edit(match.start(), match.end(), "", _DEVICE)


def _whole(text: str, without: str) -> Edit:
    """Return one edit over all that differs, for a text in which articles stand side by side."""
    return Edit(0, len(text), without, _DEVICE)
