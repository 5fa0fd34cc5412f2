"""The one table that every analysis reads: one row for each response of a model."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from isogloss.errors import ResponseError

Outcome = Literal["ok", "refusal", "malformed", "low_mass", "error"]
"""What became of a question put to a model; only `ok` carries a value into an estimate."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
MISSING: tuple[Outcome, ...] = tuple(o for o in OUTCOMES if o != "ok")

SCHEMA = pa.schema(
    [
        pa.field("study", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("item_set", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("category", pa.string()),
        pa.field("guise", pa.string(), nullable=False),
        pa.field("persona", pa.string()),
        pa.field("condition", pa.string(), nullable=False),
        pa.field("mode", pa.string(), nullable=False),
        pa.field("task", pa.string(), nullable=False),
        pa.field("interview", pa.int64()),
        pa.field("repeat", pa.int64(), nullable=False),
        pa.field("valid_pair", pa.bool_(), nullable=False),
        pa.field("prompt_sha256", pa.string()),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("answer_mass", pa.float64()),
        pa.field("answers", pa.list_(pa.string())),
        pa.field("probabilities", pa.list_(pa.float64())),
        pa.field("expected", pa.float64()),
        pa.field("modal", pa.string()),
        pa.field("text", pa.string()),
    ]
)
"""Columns of the response table.

`persona` is who the item is said to concern, null where a study has no such factor. `task` is what
was asked: `rating` (the model rated one answer), `interview_rating` (a rating drawn for one
simulated interview), `decision` (an interview's outcome), or a role that the model was given.
`valid_pair` says whether validation
accepted the item's wording in this guise. `answers` and `probabilities` are the answer set and the
model's renormalised distribution over it; both are null where the backend gives no probabilities.
`answer_mass` is the probability of the answer set before renormalising. `expected` is the mean of
the distribution for numeric answers, or the value given. `modal` is the most probable answer, or
the answer given. `reason` says why there is no value, or, beside a value, why there is no
distribution. `text` is the reply, or its reasons, where one was written; a reply without a
distribution leaves `answers` null.
"""


@dataclass(frozen=True)
class Response:
    """One row of the response table; see `SCHEMA` for the meaning of each field."""

    study: str
    model: str
    item_set: str
    item_id: str
    guise: str
    condition: str
    mode: str
    task: str
    outcome: Outcome
    category: str | None = None
    persona: str | None = None
    interview: int | None = None
    repeat: int = 0
    valid_pair: bool = True
    prompt_sha256: str | None = None
    reason: str | None = None
    answer_mass: float | None = None
    answers: tuple[str, ...] | None = None
    probabilities: tuple[float, ...] | None = None
    expected: float | None = None
    modal: str | None = None
    text: str | None = None


KEY = [
    "study",
    "model",
    "item_set",
    "item_id",
    "guise",
    "persona",
    "condition",
    "mode",
    "task",
    "interview",
    "repeat",
]
"""Columns that identify a response; no two rows may share them."""


def write_responses(responses: list[Response], path: Path) -> None:
    """Write responses as Parquet in the order given.

    Raises `ResponseError` when two rows have the same key or an outcome is unknown.
    """
    rows = [vars(response) for response in responses]
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    frame = table.select([*KEY, "outcome"]).to_pandas()
    _check(frame, path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # A run that was thought dead may still be writing; a reader must never see half a table.
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".partial-") as folder:
        temporary = Path(folder) / path.name
        pq.write_table(table, temporary)
        temporary.replace(path)


def read_responses(path: Path) -> pd.DataFrame:
    """Read a response table and check its columns, outcomes and keys.

    Raises `ResponseError` naming the file and the column or row at fault.
    """
    try:
        table = pq.read_table(path)
    except FileNotFoundError as error:
        raise ResponseError(f"{path}: there are no responses yet; run `isogloss score`") from error
    except (OSError, pa.ArrowInvalid) as error:
        raise ResponseError(
            f"{path}: not a readable Parquet table ({error}); run `isogloss score` again"
        ) from error
    missing = sorted(set(SCHEMA.names) - set(table.column_names))
    if missing:
        raise ResponseError(f"{path}: columns missing: {', '.join(missing)}")
    try:
        frame: pd.DataFrame = table.select(SCHEMA.names).cast(SCHEMA).to_pandas()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise ResponseError(f"{path}: a column has the wrong type ({error})") from error
    frame["interview"] = frame["interview"].astype("Int64")
    _check(frame, path)
    return frame


def _check(frame: pd.DataFrame, path: Path) -> None:
    unknown = sorted(set(frame["outcome"]) - set(OUTCOMES))
    if unknown:
        raise ResponseError(f"{path}: unknown outcome {unknown[0]!r}; use {', '.join(OUTCOMES)}")
    repeated = frame.duplicated(subset=KEY)
    if repeated.any():
        row = frame.loc[repeated, KEY].iloc[0].to_dict()
        raise ResponseError(f"{path}: two responses for {row}; keep one")
