"""Removal of hedging devices, where the sentence is whole without them.

A device is left where taking it out would change what is stated: under a negation, in a comparison,
as a modal before a plain verb (`may help` can stand for `helps` and for `will help`), and where a
word of the list is no hedge (`a kind of`, `I think about`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from isogloss.stimuli.rules.clauses import Sentence, like, rewrite_sentences
from isogloss.stimuli.rules.hedge_phrases import CLASSES, SOURCES, HedgeClass
from isogloss.stimuli.rules.hedge_removals import Removal, removals
from isogloss.stimuli.rules.rewriting import Edit, Rewriting


@dataclass(frozen=True)
class HedgeRemoval:
    """Take hedging devices of some classes out; the seed has no effect."""

    name: str = "unhedge"
    classes: tuple[HedgeClass, ...] = CLASSES
    sources: tuple[str, ...] = SOURCES

    def __call__(self, text: str, seed: int = 0) -> Rewriting:  # noqa: ARG002
        """Return the text without the devices that can be taken out."""
        return rewrite_sentences(text, self._propose)

    def _propose(self, sentence: Sentence) -> Iterator[Edit]:
        wanted = [r for r in removals(sentence) if r.device in self.classes]
        for removal in _joined(wanted):
            yield _edit(sentence.text, removal)


def _joined(found: Iterable[Removal]) -> Iterator[Removal]:
    """Join removals that touch, so that each is one change."""
    last: Removal | None = None
    for removal in found:
        if last is not None and removal.start <= last.end:
            last = Removal(last.start, removal.end, last.after + removal.after, last.device)
            continue
        if last is not None:
            yield last
        last = removal
    if last is not None:
        yield last


def _edit(text: str, removal: Removal) -> Edit:
    """Cut a device, with the capital of a sentence and the form of an article kept right."""
    start, end, after = removal.start, removal.end, removal.after
    opens = not text[:start].strip("\"'\u201c\u2018([ \t")
    if opens and not after and text[end : end + 1].islower():
        return Edit(start, end + 1, text[end].upper(), removal.device)
    article = re.search(r"\b(an?)[ \t]$", text[:start], re.IGNORECASE)
    if article and not after and end < len(text):
        right = like(article_for(text[end:]), article[1])
        if right != article[1]:
            return Edit(article.start(1), end, right + text[article.end(1) : start], removal.device)
    return Edit(start, end, after, removal.device)


def article_for(text: str) -> str:
    """Return the form of the indefinite article before a text, by the sound that it opens with."""
    word = (re.match(r"\w+", text) or [""])[0].lower()
    if re.match(r"uni(?!n|m)|use|usu|eu|one|once|ut[ei]", word):
        return "a"
    silent = re.match(r"hour|honest|honou?r|heir", word)
    return "an" if silent or word[:1] in {"a", "e", "i", "o", "u"} else "a"
