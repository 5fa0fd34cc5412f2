"""Words of a text that no English word list knows.

The list is pyspellchecker's for American English (about 160,000 forms, shipped with the package).
British spellings are turned into American ones by rule before they are looked up, and the project
adds words of its own (`data/lexicons/vocabulary.yaml`): present-day words that the list is too old
for, and spellings of dialect and of casual speech. A word that is spelled right and stands in the
wrong place (`form` for `from`) is not found.
"""

import re
import unicodedata
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from spellchecker import SpellChecker

from isogloss.errors import ItemError
from isogloss.validate.measures import UNITS
from isogloss.validate.tokens import Token, tokenise

_CODE = re.compile(r"`[^`\n]{0,200}`|\S*(?:://|www\.|@)\S*|\S+[/\\_]\S+|[#.]\w\S*", re.ASCII)
_LONGEST = 60
_BRITISH = (
    (r"isation(s?|al)$", r"ization\1"),
    (r"is(e[dsr]?|ing|ers|able)$", r"iz\1"),
    (r"ys(e[dsr]?|ing|ers)$", r"yz\1"),
    (r"our(s|ed|ing|ful|able|hood|ite|ites|less|al|ally|er|ers|y)?$", r"or\1"),
    (r"(c|b|p|t|f)re(s|d)?$", r"\1er\2"),
    (r"ogue(s|d)?$", r"og\1"),
    (r"ence(s|less)?$", r"ense\1"),
    (r"ll(ed|ing|er|ers|or|ors|ous)$", r"l\1"),
    (r"(ful|wil|kil|til|nrol|ulfil|stal)(s|ment|ments|fully|ful)?$", r"\1l\2"),
    (r"ae", "e"),
    (r"oe", "e"),
    (r"amme(s|d)?$", r"am\1"),
    (r"(w|b|p|m|n|l)t$", r"\1ed"),
)


class Vocabulary(BaseModel):
    """Words that are spelled right although the word list does not know them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    general: frozenset[str]
    """Words of standard English, British irregular spellings among them."""
    dialect: frozenset[str]
    """Spellings of dialect and of casual speech."""
    mistakes: frozenset[str]
    """Forms that the list knows and that are nearly always a slip (`cant` for `can't`)."""

    @cached_property
    def own(self) -> frozenset[str]:
        """All words that are spelled right."""
        return self.general | self.dialect


@dataclass(frozen=True)
class Spelling:
    """What was looked up in a text, and what was not found."""

    looked_up: int
    """Number of different words that were looked up."""
    unknown: tuple[str, ...]
    """Words that were not found, in lower case and in the order of the text, each once."""


def load_vocabulary(path: Path) -> Vocabulary:
    """Read a file of words; raise `ItemError` naming the file and the field at fault."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        words = {name: str(text).split() for name, text in dict(content).items()}
        return Vocabulary.model_validate(words)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, TypeError, ValueError) as error:
        cause = error.errors()[0] if isinstance(error, ValidationError) else None
        what = f"{cause['loc'][0]}: {cause['msg']}" if cause else " ".join(str(error).split())
        raise ItemError(f"{path}: the words cannot be read ({what})") from error


def measure_spelling(
    text: str,
    vocabulary: Vocabulary,
    *,
    reference: str = "",
    allowed: Set[str] = frozenset(),
) -> Spelling:
    """Look up the words of a text that its reference does not have.

    Not looked up are words with a capital inside a sentence, words in capitals, words with figures,
    links, addresses, paths and code, words in other letters than Latin ones, and the words in
    `allowed` (lower case). An unknown word at the start of a sentence is taken for a name, unless
    one letter makes it a known word. A form in `-in` stands for `-ing`.
    """
    tokens = tokenise(_CODE.sub(" ", text))
    others = tokenise(_CODE.sub(" ", reference))
    known = {token.word for token in others} | _names(tokens) | _names(others)
    words = _looked_up(tokens, known | allowed)
    unknown = [word for word in words if not is_known(word, vocabulary)]
    slips = [word for word in unknown if not words[word] or _is_close(word, vocabulary)]
    return Spelling(len(words), tuple(slips))


def is_known(word: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a word (lower case, plain apostrophes) is spelled as some English is."""
    if word in vocabulary.mistakes:
        return False
    bare = word.removesuffix("'s").strip("'")
    own = vocabulary.own
    if (
        len(bare) < 2
        or bare in UNITS
        or word in own
        or bare in own
        or in_word_list(word)
        or in_word_list(bare)
    ):
        return True
    if bare.endswith("in") and in_word_list(f"{bare}g"):
        return True
    return any(in_word_list(form) or form in own for form in (*_american(bare), *_bases(bare, own)))


def _looked_up(tokens: tuple[Token, ...], known: Set[str]) -> dict[str, bool]:
    """Map each word that is looked up to whether it may be a name that opens a sentence."""
    words: dict[str, bool] = {}
    for token in tokens:
        is_capital = token.raw[:1].isupper()
        is_name = is_capital and not token.opens_sentence
        is_odd = token.raw[1:] != token.raw[1:].lower() or token.word in known
        if not (is_name or is_odd) and _is_readable(token.word):
            words[token.word] = is_capital and words.get(token.word, True)
    return words


def _is_readable(word: str) -> bool:
    letters = word.replace("'", "")
    return letters.isalpha() and max(letters) <= "\u024f" and len(word) <= _LONGEST


def _is_close(word: str, vocabulary: Vocabulary) -> bool:
    """Tell whether one letter more, less, other or in another place makes a word a known one."""
    return any(is_known(form, vocabulary) for form in _checker().edit_distance_1(word))


def _names(tokens: tuple[Token, ...]) -> set[str]:
    return {
        token.word.removesuffix("'s")
        for token in tokens
        if token.raw[:1].isupper() and not token.opens_sentence
    }


def _american(word: str) -> Iterator[str]:
    for pattern, ending in _BRITISH:
        form, found = re.subn(pattern, ending, word)
        if found:
            yield form


def _bases(word: str, own: Set[str]) -> Iterator[str]:
    """Yield the base of an inflected word where the base is a word of the project's own."""
    for ending, back in (("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")):
        base = word.removesuffix(ending) + back
        if word.endswith(ending) and base in own:
            yield base


@lru_cache(maxsize=50_000)
def in_word_list(word: str) -> bool:
    """Tell whether the word list itself has a word (lower case), accents left aside."""
    return word in _list() or _without_accents(word) in _list()


def _without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(char for char in letters if not unicodedata.combining(char))


@lru_cache(maxsize=1)
def _list() -> frozenset[str]:
    return frozenset(_checker().word_frequency.dictionary)


@lru_cache(maxsize=1)
def _checker() -> SpellChecker:
    return SpellChecker(language="en", distance=1)
