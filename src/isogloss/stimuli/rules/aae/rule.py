"""The rule that brings the features of African American English into a text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from isogloss.stimuli.rules.aae.copula import finna, zero_copula
from isogloss.stimuli.rules.aae.habitual import habitual_be
from isogloss.stimuli.rules.aae.negation import aint, negative_concord
from isogloss.stimuli.rules.aae.nouns import (
    demonstrative_them,
    existential_it,
    possessive_they,
    yall,
    zero_possessive,
)
from isogloss.stimuli.rules.aae.verbs import completive_done, was_levelling, zero_third_s
from isogloss.stimuli.rules.clauses import Clause, Sentence, clauses, rewrite_sentences
from isogloss.stimuli.rules.rewriting import Edit, Rewriting

Feature = Callable[[Clause], Iterator[Edit]]

FEATURES: dict[str, Feature] = {
    "existential_it": existential_it,
    "habitual_be": habitual_be,
    "completive_done": completive_done,
    "aint": aint,
    "negative_concord": negative_concord,
    "zero_copula": zero_copula,
    "finna": finna,
    "was_levelling": was_levelling,
    "zero_third_s": zero_third_s,
    "possessive_they": possessive_they,
    "zero_possessive": zero_possessive,
    "demonstrative_them": demonstrative_them,
    "yall": yall,
}
"""Features by device, in the order in which they may claim a word."""


@dataclass(frozen=True)
class AfricanAmericanEnglish:
    """Bring features in wherever their conditions hold.

    A feature whose conditions cannot be seen to hold is left out: the rule rather leaves a sentence
    as it is than writes one that no speaker would say. The seed has no effect.
    """

    name: str = "aae"
    features: tuple[str, ...] = tuple(FEATURES)
    sources: tuple[str, ...] = (
        "green2002",
        "labov1969",
        "labov1972",
        "rickford1999",
        "wolfram_schilling2016",
    )

    def __call__(self, text: str, seed: int = 0) -> Rewriting:  # noqa: ARG002
        """Return the text with the features, and the places where each stands."""
        return rewrite_sentences(text, self._propose)

    def _propose(self, sentence: Sentence) -> Iterator[Edit]:
        parts = tuple(clauses(sentence))
        for name in self.features:
            for clause in parts:
                yield from FEATURES[name](clause)
