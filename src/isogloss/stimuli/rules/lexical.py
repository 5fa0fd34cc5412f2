"""What word classes an English word can have, and its forms, from a dictionary.

The dictionary is that of `lemminflect` (from the NIH SPECIALIST lexicon). It lists every class that
a word can have and chooses none; a rule that needs one class asks for words that have no other, or
for a place in the sentence where no other can stand.
"""

from functools import lru_cache
from typing import Literal

from lemminflect import getAllLemmas, getInflection

WordClass = Literal["VERB", "NOUN", "ADJ", "ADV", "AUX"]
VerbForm = Literal["VBD", "VBN", "VBG", "VBZ"]


@lru_cache(maxsize=20_000)
def lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """Return the base forms of a word by the classes it can have; empty for an unknown word."""
    return dict(getAllLemmas(word)) if len(word) <= 40 else {}


def can_be(word: str, word_class: WordClass) -> bool:
    """Tell whether the dictionary lists a word under a class."""
    return word_class in lemmas(word)


@lru_cache(maxsize=20_000)
def verb_form(base: str, form: VerbForm) -> str | None:
    """Return a form of a verb; None where there is none, or more than one."""
    forms = set(getInflection(base, form, inflect_oov=False))
    return forms.pop() if len(forms) == 1 else None


def base_of(word: str, form: VerbForm) -> str | None:
    """Return the verb of which a word is a form; None where there is none, or more than one."""
    bases = {
        base
        for base in lemmas(word).get("VERB", ())
        if "-" not in base and word in getInflection(base, form, inflect_oov=False)
    }
    return bases.pop() if len(bases) == 1 else None


def is_base(word: str) -> bool:
    """Tell whether a word is the base form of a verb."""
    return word in lemmas(word).get("VERB", ())


def is_plural(word: str) -> bool:
    """Tell whether a word is a noun in the plural and cannot be one in the singular."""
    bases = lemmas(word).get("NOUN", ())
    return bool(bases) and word not in bases


def is_singular(word: str) -> bool:
    """Tell whether a word can be a noun in the singular."""
    return word in lemmas(word).get("NOUN", ())
