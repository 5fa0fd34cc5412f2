"""A lexicon of markers by class, read from YAML and compiled into word patterns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from isogloss.errors import ItemError
from isogloss.validate.tokens import fold, tokenise

SPECIAL_NEIGHBOURS = frozenset({"<start>", "<end>", "<number>"})
"""Neighbours that a guard may name besides words: a clause's start or end, or any number."""

LEAST_STEM, LONGEST_STEM = 3, 20
"""Letters that a stem may have."""


def _neighbour(word: str) -> str:
    if word not in SPECIAL_NEIGHBOURS and [t.raw for t in tokenise(word)] != [word]:
        raise ValueError(f"{word!r} is neither one word nor one of {sorted(SPECIAL_NEIGHBOURS)}")
    return word if word in SPECIAL_NEIGHBOURS else fold(word)


def _phrase(phrase: str) -> str:
    for slot in phrase.split():
        words = [word.removesuffix("*") for word in slot.removesuffix("?").split("|")]
        if any([t.raw for t in tokenise(word)] != [word] for word in words):
            raise ValueError(f"{phrase!r}: {slot!r} is not a word, or words joined by '|'")
        if not all(LEAST_STEM <= len(stem) <= LONGEST_STEM for stem in _stems(slot)):
            raise ValueError(f"{phrase!r}: a stem needs {LEAST_STEM} to {LONGEST_STEM} letters")
    if not phrase.split() or all(slot.endswith("?") for slot in phrase.split()):
        raise ValueError("a phrase needs at least one word that is not optional")
    return fold(phrase)


def _stems(slot: str) -> list[str]:
    words = slot.removesuffix("?").split("|")
    return [word.removesuffix("*") for word in words if word.endswith("*")]


Neighbours = tuple[Annotated[str, AfterValidator(_neighbour)], ...]


class Entry(BaseModel):
    """One marker and the neighbours that it needs or must not have.

    In `phrase`, `|` parts words that may stand in one place and `?` behind a place makes it
    optional: `i really? think|guess` stands for four phrases. A word that ends in `*` is a stem: it
    stands for every word that begins so, except those of `but_not`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    phrase: Annotated[str, AfterValidator(_phrase)]
    """Words in order; see above."""
    after: Neighbours = ()
    """If given, one of these must come just before the phrase."""
    not_after: Neighbours = ()
    """None of these may come just before the phrase."""
    before: Neighbours = ()
    """If given, one of these must come just behind the phrase."""
    not_before: Neighbours = ()
    """None of these may come just behind the phrase."""
    not_a_name: bool = False
    """Whether the phrase does not count when it is capitalised inside a sentence (`May`)."""
    but_not: Neighbours = ()
    """Words that begin with a stem of the phrase and do not count."""
    note: str = ""
    """Why the entry is here or is guarded, where that is not plain."""

    def phrases(self) -> Iterator[tuple[str, ...]]:
        """Yield every sequence of words that the phrase stands for."""
        slots = [_alternatives(slot) for slot in self.phrase.split()]
        for words in product(*slots):
            yield tuple(word for word in words if word)


def _alternatives(slot: str) -> list[str]:
    words = slot.removesuffix("?").split("|")
    return [*words, ""] if slot.endswith("?") else words


def _entry(value: object) -> object:
    return {"phrase": value} if isinstance(value, str) else value


class MarkerClass(BaseModel):
    """A class of markers with the literature that describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str
    """What the markers of this class do."""
    sources: tuple[str, ...] = Field(min_length=1)
    """Keys of the lexicon's `sources`."""
    entries: tuple[Annotated[Entry, BeforeValidator(_entry)], ...] = Field(min_length=1)
    """The markers; a plain string is an entry without guards."""


class LexiconFile(BaseModel):
    """Form of a lexicon file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    """Name of the lexicon."""
    language: str
    """Language tag of the words."""
    sources: dict[str, str] = Field(min_length=1)
    """Bibliographic references by key."""
    left_out: dict[str, str] = {}
    """Words that the literature lists and this lexicon leaves out, each with the reason."""
    classes: dict[str, MarkerClass] = Field(min_length=1)
    """Classes of markers by name."""

    @model_validator(mode="after")
    def _sources_exist(self) -> "LexiconFile":
        for name, marker_class in self.classes.items():
            unknown = sorted(set(marker_class.sources) - set(self.sources))
            if unknown:
                raise ValueError(f"class {name} cites {unknown[0]!r}, which is not in sources")
        return self


@dataclass(frozen=True)
class Pattern:
    """A sequence of words that marks a class, with the guards of its entry."""

    words: tuple[str, ...]
    """Words in comparison form (`tokens.fold`); a stem ends in `*`."""
    marker_class: str
    """Class that the pattern marks."""
    entry: Entry
    """Entry that the pattern comes from."""

    def matches(self, words: Sequence[str]) -> bool:
        """Tell whether these words, as many as the pattern has, are what it stands for."""
        return all(map(self._stands_for, self.words, words))

    def _stands_for(self, pattern: str, word: str) -> bool:
        if not pattern.endswith("*"):
            return pattern == word
        return word.startswith(pattern[:-1]) and word not in self.entry.but_not


@dataclass(frozen=True)
class Lexicon:
    """A compiled lexicon."""

    name: str
    """Name of the lexicon."""
    classes: tuple[str, ...]
    """Names of the marker classes, in file order."""
    patterns: Mapping[str, tuple[Pattern, ...]]
    """Patterns by their first word or stem, the longest first."""

    def starting_with(self, word: str) -> Iterator[Pattern]:
        """Yield the patterns that may begin with a word, in the order in which they are tried.

        Patterns of more words come first; among equally many a plain word comes before a stem, and
        a longer stem before a shorter one.
        """
        stems = (f"{word[:n]}*" for n in range(min(len(word), LONGEST_STEM), LEAST_STEM - 1, -1))
        found = [p for key in (word, *stems) for p in self.patterns.get(key, ())]
        yield from sorted(found, key=lambda pattern: -len(pattern.words))


def load_lexicon(path: Path) -> Lexicon:
    """Read a lexicon file (form: `LexiconFile`) and compile it.

    Raises `ItemError` naming the file and the field when the file cannot be read, is not YAML, has
    another form, or lists one phrase twice.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        return compile_lexicon(LexiconFile.model_validate(content))
    except OSError as error:
        raise ItemError(f"{path}: the lexicon cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ItemError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except yaml.YAMLError as error:
        raise ItemError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
    except ValidationError as error:
        raise ItemError(f"{path}: {_faults(error)}") from error
    except ItemError as error:
        raise ItemError(f"{path}: {error}") from error


def compile_lexicon(file: LexiconFile) -> Lexicon:
    """Expand the entries of a lexicon into patterns.

    Raises `ItemError` when two entries stand for the same words.
    """
    seen: dict[tuple[str, ...], Pattern] = {}
    for name, marker_class in file.classes.items():
        for entry in marker_class.entries:
            for words in entry.phrases():
                if words in seen:
                    where = seen[words].marker_class
                    raise ItemError(f"'{' '.join(words)}' is in {where} and again in {name}")
                seen[words] = Pattern(words, name, entry)
    return Lexicon(file.name, tuple(file.classes), _by_first_word(seen.values()))


def _by_first_word(patterns: Iterable[Pattern]) -> dict[str, tuple[Pattern, ...]]:
    groups: dict[str, list[Pattern]] = {}
    for pattern in sorted(patterns, key=lambda p: (-len(p.words), p.words)):
        groups.setdefault(pattern.words[0], []).append(pattern)
    return {word: tuple(group) for word, group in groups.items()}


def _faults(error: ValidationError) -> str:
    """Return the first faults of a file as `field: what is wrong`."""
    faults = [
        f"{'.'.join(map(str, fault['loc'])) or 'file'}: {fault['msg']}" for fault in error.errors()
    ]
    more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
    return "; ".join(faults[:3]) + more
