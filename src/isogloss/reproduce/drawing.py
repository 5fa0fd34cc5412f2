"""Draw prompts: a share or a number of them, decided by a seed and by the prompts alone."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from isogloss.errors import ConfigurationError

_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)\s*%", re.ASCII)
_COUNT = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True)
class Sample:
    """How much to draw: a share of each table's prompts, or a number of prompts of all tables."""

    share: Fraction | None = None
    count: int | None = None

    def __str__(self) -> str:
        if self.share is None:
            return f"{self.count} prompts"
        return f"{float(100 * self.share):g}%"


def parse_sample(text: str) -> Sample:
    """Read `5%` or `20`; raise `ConfigurationError` for anything else, and for nothing."""
    if share := _SHARE.fullmatch(text.strip()):
        found = Fraction(share[1]) / 100
        if 0 < found <= 1:
            return Sample(share=found)
    elif _COUNT.fullmatch(text.strip()) and int(text) > 0:
        return Sample(count=int(text))
    raise ConfigurationError(
        f"--sample {text!r} is neither a share above 0% up to 100%, such as 5%, nor a number of "
        "prompts from 1"
    )


def draw(
    prompts: Mapping[str, Iterable[str]], sample: Sample, seed: int
) -> dict[str, frozenset[str]]:
    """Draw from the prompts of each table, without replacement.

    `prompts` holds their hashes by table. A share is rounded up, table by table. A number is
    drawn from all tables together; where there are fewer prompts, all are taken. Those are drawn
    whose SHA-256 of seed, table and prompt is lowest: neither the order of the prompts nor the
    processor has a part in it.
    """
    ranked = {table: _ranked(table, set(hashes), seed) for table, hashes in prompts.items()}
    if sample.share is not None:
        return {
            table: frozenset(hash_ for _, hash_ in order[: ceil(len(order) * sample.share)])
            for table, order in ranked.items()
        }
    everything = sorted((rank, table, h) for table, order in ranked.items() for rank, h in order)
    chosen = everything[: sample.count]
    return {table: frozenset(h for _, t, h in chosen if t == table) for table in prompts}


def _ranked(table: str, hashes: Iterable[str], seed: int) -> list[tuple[str, str]]:
    def rank(prompt: str) -> str:
        return hashlib.sha256(f"{seed}\n{table}\n{prompt}".encode()).hexdigest()

    return sorted((rank(prompt), prompt) for prompt in hashes)
