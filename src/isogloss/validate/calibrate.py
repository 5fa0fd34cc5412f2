"""Calibrate the checks: labelled pairs in, tables of how well each check does out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from isogloss.config.thresholds import Thresholds
from isogloss.errors import ItemError
from isogloss.guises.definition import GuiseDefinition
from isogloss.validate.calibration import list_errors, measure_checks, measure_verdicts
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments
from isogloss.validate.labelled import Labelled, load_labelled
from isogloss.validate.records import Pair
from isogloss.validate.table import checks_table, rows_of, write_table
from isogloss.validate.validation import Compared, check_pairs

GUISE, REFERENCE, CONTEXT = "text", "reference", "context"
"""Columns of a labelled pair."""


def check_labelled(
    labelled: Labelled,
    guises: Mapping[str, GuiseDefinition],
    thresholds: Thresholds,
    instruments: Instruments,
) -> pd.DataFrame:
    """Return the check table of the labelled pairs; `item_id` is the `pair_id`.

    Raises `ItemError` for a guise that is not defined.
    """
    compared = [_compared(row, guises, thresholds) for row in rows_of(labelled.pairs)]
    return checks_table(check_pairs(compared, instruments))


def write_calibration(
    folder: Path,
    guises: Mapping[str, GuiseDefinition],
    thresholds: Thresholds,
    instruments: Instruments,
    out: Path,
) -> list[str]:
    """Check the labelled pairs of a folder, write how well the checks did, and say it in lines."""
    labelled = load_labelled(folder)
    checks = check_labelled(labelled, guises, thresholds, instruments)
    verdicts = measure_verdicts(checks, labelled)
    write_table(checks, out / "checks.csv")
    write_table(measure_checks(checks, labelled), out / "performance.csv")
    write_table(verdicts, out / "verdicts.csv")
    write_table(list_errors(checks, labelled), out / "misses.csv")
    return [_line(row) for row in rows_of(verdicts) if row["part"] in ("all", "split")]


def _compared(
    row: Mapping[str, str], guises: Mapping[str, GuiseDefinition], thresholds: Thresholds
) -> Compared:
    named = [name for name in (row["guise"], row["reference_guise"]) if name]
    unknown = [name for name in named if name not in guises]
    if unknown:
        raise ItemError(f"labelled pair {row['pair_id']}: no guise {unknown[0]!r} in data/guises")
    comparison = Comparison(
        name=" - ".join(named),
        guise=GUISE,
        reference=REFERENCE,
        definition=guises[row["guise"]],
        counter=guises[row["reference_guise"]] if row["reference_guise"] else None,
        thresholds=thresholds,
    )
    pair = Pair(
        item_id=row["pair_id"],
        contrast=comparison.name,
        guise=GUISE,
        guise_text=row["text"],
        reference=REFERENCE,
        reference_text=row["reference"],
        context={CONTEXT: row["context"]} if row["context"] else {},
    )
    return Compared(pair, comparison)


def _line(row: Mapping[str, Any]) -> str:
    return (
        f"{row['level']}: {row['failed_bad']} of {row['bad']} bad pairs failed "
        f"({row['failed_as_meant']} for what is wrong with them), "
        f"{row['failed_good']} of {row['good']} good ones"
    )
