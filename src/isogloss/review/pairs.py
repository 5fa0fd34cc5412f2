"""The pairs that people review: both wordings, what the machine found, and a hash of the texts."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pandas as pd

from isogloss.errors import ConfigurationError, ItemError
from isogloss.stimuli.sets import Compared, StimulusSet
from isogloss.validate.items import read_table
from isogloss.validate.records import Check
from isogloss.validate.table import read_checks, read_verdicts

CONTEXT_COLUMNS = ("context", "question")
"""Columns of an item table that a reviewer reads before the two wordings."""


@dataclass(frozen=True)
class PairKey:
    """What names a pair, in every file and at every time."""

    item_set: str
    """Study and set, for instance `hedging/own`."""
    item_id: str
    contrast: str

    def __str__(self) -> str:
        return f"{self.item_set}, item {self.item_id}, {self.contrast}"


@dataclass(frozen=True)
class ReviewPair:
    """Two wordings of an item as they stand now."""

    key: PairKey
    context: str
    """What comes before both wordings; empty where nothing does."""
    guise: str
    """Column of the wording in the guise."""
    reference: str
    """Column of the other wording; empty for a text by itself."""
    guise_text: str
    reference_text: str
    """The other wording; empty for a text by itself."""
    valid: bool
    """Whether the pair passed every check of the machine."""
    reason: str
    """Why it did not; empty for a valid pair."""
    checks: tuple[Check, ...]
    definitions: tuple[str, ...] = ()
    """Names of the guise definitions that the wordings are held to."""

    @property
    def sha256(self) -> str:
        """SHA-256 over key, context and both texts, as a JSON list."""
        key = (self.key.item_set, self.key.item_id, self.key.contrast)
        content = [*key, self.context, self.guise_text, self.reference_text]
        return sha256(json.dumps(content).encode()).hexdigest()


def set_name(folder: Path) -> str:
    """Return the name of the item set in `folder`: the last two parts of its path."""
    return "/".join(folder.resolve().parts[-2:])


def read_pairs(folder: Path, declared: StimulusSet | None = None) -> tuple[ReviewPair, ...]:
    """Read every validated pair of the item set in `folder`, in the order of the verdicts.

    `folder` holds `items.csv`, `checks.csv` and `verdicts.csv`. The set's declaration says which
    column is the context, which is a part of a pair's hash; without one it is `CONTEXT_COLUMNS`.
    Which columns a contrast compares it says as well; without one, a contrast is called
    `guise - reference` or, for a text by itself, as its one column.

    Raises `ItemError` naming the file and what is wrong with it.
    """
    path = folder / "items.csv"
    items = read_table(path, []).fillna("")
    if "item_id" not in items.columns:
        raise ItemError(f"{path}: column missing: item_id; add it to the header")
    rows = {str(row["item_id"]): row for row in items.to_dict("records")}
    checks = _checks(folder / "checks.csv")
    verdicts = read_verdicts(folder / "verdicts.csv")
    pairs = []
    for record in verdicts.to_dict("records"):
        key = PairKey(set_name(folder), str(record["item_id"]), str(record["contrast"]))
        if key.item_id not in rows:
            raise ItemError(f"{path}: no item {key.item_id!r}, which has a verdict; validate again")
        found = checks.get((key.item_id, key.contrast), ())
        row = {str(name): str(cell) for name, cell in rows[key.item_id].items()}
        verdict = bool(record["valid"]), str(record["reason"])
        pairs.append(_pair(key, row, verdict, found, path, declared))
    return tuple(pairs)


def sample(pairs: Sequence[ReviewPair], size: int | None, seed: int) -> tuple[ReviewPair, ...]:
    """Return `size` pairs drawn without replacement, in their order; all of them for None.

    The same pairs, size and seed give the same draw. Raises `ConfigurationError` for a size below 1
    or above the number of pairs.
    """
    if size is None:
        return tuple(pairs)
    if not 1 <= size <= len(pairs):
        raise ConfigurationError(f"a sample of {size} from {len(pairs)} pairs; give 1 to that many")
    drawn = sorted(random.Random(seed).sample(range(len(pairs)), size))
    return tuple(pairs[i] for i in drawn)


def _pair(
    key: PairKey,
    row: dict[str, str],
    verdict: tuple[bool, str],
    checks: tuple[Check, ...],
    path: Path,
    declared: StimulusSet | None,
) -> ReviewPair:
    compared = _compared(key.contrast, declared)
    guise, reference = compared.guise, compared.reference
    for name in filter(None, (guise, reference)):
        if name not in row:
            raise ItemError(f"{path}: no column {name!r}, which {key.contrast!r} needs")
    return ReviewPair(
        key=key,
        context=_context(row, declared),
        guise=guise,
        reference=reference or "",
        guise_text=row[guise],
        reference_text=row[reference] if reference else "",
        valid=verdict[0],
        reason=verdict[1],
        checks=checks,
        definitions=tuple(filter(None, (compared.definition, compared.counter))),
    )


def _context(row: dict[str, str], declared: StimulusSet | None) -> str:
    named = declared is not None and declared.context
    columns = (named,) if named else CONTEXT_COLUMNS
    return "\n".join(row[name] for name in columns if row.get(name))


def _compared(contrast: str, declared: StimulusSet | None) -> Compared:
    """Return what a contrast compares, as declared or as its name says."""
    for compared in declared.compare if declared is not None else ():
        if compared.called == contrast:
            return compared
    guise, _, reference = contrast.partition(" - ")
    return Compared(guise=guise, reference=reference or None)


def _checks(path: Path) -> dict[tuple[str, str], tuple[Check, ...]]:
    found: dict[tuple[str, str], tuple[Check, ...]] = {}
    for record in read_checks(path).to_dict("records"):
        value = None if pd.isna(record["value"]) else float(record["value"])
        check = Check(**{**{str(k): v for k, v in record.items()}, "value": value})
        pair = check.item_id, check.contrast
        found[pair] = (*found.get(pair, ()), check)
    return found
