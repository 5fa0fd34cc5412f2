"""The two tables of a run: every candidate, and the chosen ones."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from isogloss.stimuli.draft.records import Attempt, Change, Choice, Drafts, Judged, Task

CANDIDATES = "candidates.csv"
CHOSEN = "chosen.csv"

CANDIDATE_COLUMNS = (
    "item_id",
    "candidate",
    "outcome",
    "reason",
    "text",
    "devices",
    "spans",
    "spans_hold",
    "valid",
    "verdict_reason",
    "similarity",
    "by",
    "model",
    "model_digest",
    "prompt_sha256",
    "answered_by",
    "request_id",
    "answered_at",
    "temperature",
    "top_p",
    "seed",
    "max_new_tokens",
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "currency",
)
"""Columns of `candidates.csv`."""

CHOSEN_COLUMNS = (
    "item_id",
    "context",
    "reference",
    "reference_text",
    "guise",
    "guise_text",
    "status",
    "reason",
    "candidate",
    "by",
)
"""Columns of `chosen.csv`."""


def write_drafts(drafts: Drafts, out: Path) -> None:
    """Write `candidates.csv` and `chosen.csv` into a folder; the same drafts, the same bytes.

    UTF-8 CSV with a line feed behind each row, cells quoted where they need it. An empty cell is
    what does not apply or is not known.
    """
    out.mkdir(parents=True, exist_ok=True)
    pairs = zip(drafts.attempts, drafts.judged, strict=True)
    _write(out / CANDIDATES, CANDIDATE_COLUMNS, (_candidate(*pair) for pair in pairs))
    _write(out / CHOSEN, CHOSEN_COLUMNS, (_chosen(c, drafts.task) for c in drafts.choices))


def _candidate(attempt: Attempt, judged: Judged | None) -> dict[str, object]:
    origin = asdict(attempt.provenance)
    found = {} if judged is None else {"valid": judged.valid, "verdict_reason": judged.reason}
    similarity = None if judged is None or judged.similarity is None else judged.similarity
    return {
        "item_id": attempt.item.item_id,
        "candidate": attempt.candidate,
        "outcome": attempt.outcome,
        "reason": attempt.reason,
        "text": attempt.text,
        "devices": _json(attempt.devices),
        "spans": _json([_span(change) for change in attempt.changes]),
        "spans_hold": attempt.changes_hold,
        **found,
        "similarity": None if similarity is None else f"{similarity:.6f}",
        **origin,
        "cost": None if origin["cost"] is None else f"{origin['cost']:.8f}",
    }


def _span(change: Change) -> dict[str, object]:
    return {name: value for name, value in asdict(change).items() if value is not None}


def _chosen(choice: Choice, task: Task) -> dict[str, object]:
    attempt = choice.attempt
    return {
        "item_id": choice.item.item_id,
        "context": choice.item.context,
        "reference": task.reference,
        "reference_text": choice.item.text,
        "guise": task.guise.name,
        "guise_text": "" if attempt is None else attempt.text,
        "status": choice.status,
        "reason": choice.reason,
        "candidate": None if attempt is None else attempt.candidate,
        "by": None if attempt is None else attempt.provenance.by,
    }


def _json(content: Sequence[object]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(", ", ": "))


def _write(path: Path, columns: Sequence[str], rows: Iterable[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
