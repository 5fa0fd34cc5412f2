"""Stage S1 of an audit: the registers of a posting, by the words of their lexicons."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from isogloss.audit.dominance import DEFAULT_RULE, Dominance, DominanceRule, Tally, dominant
from isogloss.errors import ConfigurationError
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import find_markers
from isogloss.validate.tokens import count_words

REGISTERS = ("agentic", "communal", "inclusive", "coded_exclusion")
"""Registers of a posting, each with a lexicon of its name."""

OPPOSED = (("agentic", "communal"), ("inclusive", "coded_exclusion"))
"""Registers that are weighed against each other."""


@dataclass(frozen=True)
class Match:
    """Words of a posting that a lexicon lists."""

    register: str
    """Name of the lexicon."""
    marker_class: str
    """Class of the lexicon."""
    phrase: str
    """The words in lower case, one blank between them."""
    start: int
    """Offset of the first character in the text."""
    end: int
    """Offset behind the last character in the text."""

    @property
    def words(self) -> int:
        """Number of words."""
        return len(self.phrase.split())

    def overlaps(self, other: "Match") -> bool:
        """Tell whether the two share characters of the text."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class RegisterProfile:
    """What a text has of one register."""

    register: str
    words: int
    """Number of words in the whole text."""
    matches: tuple[Match, ...]
    """Matches from left to right; those of one register never overlap."""
    classes: tuple[str, ...]
    """Classes of the lexicon."""

    @property
    def count(self) -> int:
        """Number of matches."""
        return len(self.matches)

    @property
    def distinct(self) -> int:
        """Number of different phrases among the matches."""
        return len({match.phrase for match in self.matches})

    @property
    def matched_words(self) -> int:
        """Number of words in the matches."""
        return sum(match.words for match in self.matches)

    @property
    def share(self) -> float | None:
        """Coverage, `matched_words / words`; None for a text without words."""
        return self.matched_words / self.words if self.words else None

    @property
    def per_thousand(self) -> float | None:
        """Matches per 1,000 words, `1000 count / words`; None for a text without words."""
        return 1000 * self.count / self.words if self.words else None

    @property
    def by_class(self) -> Mapping[str, int]:
        """Number of matches of each class; 0 where there is none."""
        found = Counter(match.marker_class for match in self.matches)
        return {name: found[name] for name in self.classes}


@dataclass(frozen=True)
class Profile:
    """The registers of a posting."""

    words: int
    """Number of words in the text."""
    registers: tuple[RegisterProfile, ...]
    """One for each lexicon, in the order in which they were given."""
    dominance: tuple[Dominance, ...]
    """For each pair of opposed registers, whether one dominates, and why."""

    @property
    def matches(self) -> tuple[Match, ...]:
        """All matches by where they stand; words that two registers list are there twice."""
        found = [match for register in self.registers for match in register.matches]
        return tuple(sorted(found, key=lambda match: (match.start, match.end, match.register)))

    @property
    def overlaps(self) -> tuple[tuple[Match, Match], ...]:
        """Pairs of matches of two registers that share words; each counts in its register."""
        return tuple(pair for pair in combinations(self.matches, 2) if pair[0].overlaps(pair[1]))

    @property
    def dominated_by(self) -> tuple[str, ...]:
        """Registers that dominate the posting; a pair has at most one."""
        return tuple(found.register for found in self.dominance if found.register is not None)

    def of(self, register: str) -> RegisterProfile:
        """Return the profile of one register; raise `KeyError` if there is none."""
        return {found.register: found for found in self.registers}[register]


def load_registers(folder: Path) -> tuple[Lexicon, ...]:
    """Read the lexicons of `REGISTERS` from a folder.

    Raises `ItemError` naming the file and the field at fault.
    """
    return tuple(load_lexicon(folder / f"{name}.yaml") for name in REGISTERS)


def profile(
    text: str,
    lexicons: Sequence[Lexicon],
    *,
    rule: DominanceRule = DEFAULT_RULE,
    opposed: Sequence[tuple[str, str]] = OPPOSED,
) -> Profile:
    """Find the words of each lexicon in a text, title included, and weigh the opposed registers.

    Each lexicon is matched by itself as in validation: whole words, the longest phrase first,
    guards kept (`find_markers`). A word that two lexicons list counts in both. Raises
    `ConfigurationError` when `opposed` names a register that no lexicon has.
    """
    found = tuple(_register(text, lexicon) for lexicon in lexicons)
    tallies = {one.register: Tally(one.register, one.count, one.distinct) for one in found}
    missing = [name for pair in opposed for name in pair if name not in tallies]
    if missing:
        raise ConfigurationError(
            f"the register {missing[0]!r} has no lexicon; add one, or leave it"
        )
    words = count_words(text)
    weighed = [dominant(tallies[one], tallies[other], words, rule) for one, other in opposed]
    return Profile(words, found, tuple(weighed))


def _register(text: str, lexicon: Lexicon) -> RegisterProfile:
    matches = [
        Match(lexicon.name, found.marker_class, found.phrase, found.start, found.end)
        for found in find_markers(text, lexicon)
    ]
    return RegisterProfile(lexicon.name, count_words(text), tuple(matches), lexicon.classes)
