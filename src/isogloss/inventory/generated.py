"""How many generated texts passed validation, by who made them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from isogloss.analysis.records import table
from isogloss.inventory.records import GeneratedRow
from isogloss.stats.shares import share
from isogloss.validate.items import read_table

_CANDIDATE = ["item_id", "outcome", "valid", "by"]
_CHOSEN = ["item_id", "guise", "status"]


@dataclass(frozen=True)
class Made:
    """Generated texts of the configuration, and where they are."""

    item_set: str
    guise: str
    by: str
    """`rules`, or the name of a model."""
    folder: Path


def generated_table(made: Mapping[str, Made]) -> pd.DataFrame:
    """Return a row of `GeneratedRow` for each entry; raises `ItemError` naming a damaged file."""
    return table(GeneratedRow, [_row(name, one) for name, one in made.items()])


def _row(name: str, made: Made) -> GeneratedRow:
    candidates = read_table(made.folder / "candidates.csv", _CANDIDATE)
    chosen = read_table(made.folder / "chosen.csv", _CHOSEN)
    outcomes = candidates["outcome"].value_counts()
    status = chosen["status"].value_counts()
    asked = len(chosen) - int(status.get("not_asked", 0))
    found = share(int(status.get("chosen", 0)), asked)
    makers = candidates["by"].unique()
    return GeneratedRow(
        name=name,
        item_set=made.item_set,
        guise=made.guise,
        by=str(makers[0]) if len(makers) else made.by,
        items=len(chosen),
        candidates=len(candidates),
        n_ok=int(outcomes.get("ok", 0)),
        n_refusal=int(outcomes.get("refusal", 0)),
        n_malformed=int(outcomes.get("malformed", 0)),
        n_error=int(outcomes.get("error", 0)),
        valid=int((candidates["valid"] == "True").sum()),
        chosen=int(status.get("chosen", 0)),
        share=found.estimate,
        share_low=found.low,
        share_high=found.high,
        not_asked=int(status.get("not_asked", 0)),
    )
