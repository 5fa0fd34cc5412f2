"""Whether one of two opposed registers dominates a posting."""

from dataclasses import dataclass

from isogloss.errors import ConfigurationError


@dataclass(frozen=True)
class DominanceRule:
    """When a register dominates: all three thresholds are reached.

    With the defaults, every posting of the project's own sets is flagged for its own register and
    for no other. Of the published ones, which are shorter, 20 of 20 agentic, 20 of 20 communal, 18
    of 20 inclusive and 14 of 20 coded ones are; with 3 different phrases 12 and 8 of the last two.
    """

    share: float = 0.75
    """Least share that the register has of the matches of both; above one half, so that at most one
    of the two dominates."""
    distinct: int = 2
    """Least number of different phrases: one word said again and again is no register."""
    per_thousand: float = 10.0
    """Least number of matches per 1,000 words: a few words in a long text are no register."""

    def __post_init__(self) -> None:
        if not (0.5 < self.share <= 1 and self.distinct >= 1 and self.per_thousand >= 0):
            raise ConfigurationError(
                "dominance needs a share above 0.5 and at most 1, at least 1 distinct phrase and a "
                f"density of 0 or more, not {self.share}, {self.distinct} and {self.per_thousand}"
            )


DEFAULT_RULE = DominanceRule()


@dataclass(frozen=True)
class Tally:
    """How often a register occurs in a text."""

    register: str
    count: int
    """Number of matches."""
    distinct: int
    """Number of different phrases among them."""


@dataclass(frozen=True)
class Dominance:
    """What two opposed registers of a posting come to."""

    pair: tuple[str, str]
    register: str | None
    """The register that dominates; None where neither does."""
    share: float | None
    """Share of the more frequent register in the matches of both; None where there are none."""
    reason: str
    """Why one dominates, or why none does, in a sentence."""


def dominant(one: Tally, other: Tally, words: int, rule: DominanceRule) -> Dominance:
    """Weigh two registers of a text of so many words.

    The more frequent register dominates when `count / (count + other count) >= rule.share`, it has
    at least `rule.distinct` different phrases, and `1000 count / words >= rule.per_thousand`.
    """
    pair = (one.register, other.register)
    total = one.count + other.count
    if not total:
        return Dominance(pair, None, None, f"No {_said(pair[0])} and no {_said(pair[1])} words.")
    more, less = (one, other) if one.count >= other.count else (other, one)
    faults = _faults(more, total, words, rule)
    reason = _counted(more, less, words) + (f", but {' and '.join(faults)}." if faults else ".")
    return Dominance(pair, None if faults else more.register, more.count / total, reason)


def _faults(more: Tally, total: int, words: int, rule: DominanceRule) -> list[str]:
    faults = []
    if more.count < rule.share * total:
        faults.append(f"{rule.share:.0%} of both are the least")
    if more.distinct < rule.distinct:
        faults.append(f"{rule.distinct} different phrases are the least")
    if 1000 * more.count < rule.per_thousand * words:
        faults.append(f"{rule.per_thousand:g} per 1,000 words are the least")
    return faults


def _counted(more: Tally, less: Tally, words: int) -> str:
    total = more.count + less.count
    name, other = _said(more.register), _said(less.register)
    phrases = "1 phrase" if more.distinct == 1 else f"{more.distinct} different phrases"
    return (
        f"{more.count} of {total} {name} and {other} matches ({more.count / total:.0%}) are "
        f"{name}: {phrases}, {1000 * more.count / words:.1f} per 1,000 words"
    )


def _said(register: str) -> str:
    return register.replace("_", " ")
