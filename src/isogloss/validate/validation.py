"""Validate every item of a set for every comparison."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import pandas as pd

from isogloss.validate.collection_checks import check_collection, collect
from isogloss.validate.comparison import Comparison
from isogloss.validate.dimension_checks import check_dimensions
from isogloss.validate.guise_checks import check_guises
from isogloss.validate.instruments import Instruments
from isogloss.validate.items import check_items
from isogloss.validate.judge import Judge
from isogloss.validate.meaning_checks import check_meaning, texts_to_embed
from isogloss.validate.outcomes import none_of, not_measured
from isogloss.validate.records import Check, CheckName, Pair, Verdict
from isogloss.validate.repair import WRAPPED, Repaired, unwrap_items
from isogloss.validate.similarity import Vector, embed
from isogloss.validate.surface_checks import check_repairs, check_surface
from isogloss.validate.table import checks_table, rows_of, verdicts_table
from isogloss.validate.text_checks import check_texts
from isogloss.validate.tokens import count_words

COMPARED: tuple[CheckName, ...] = (
    "similarity",
    "numbers",
    "names",
    "claims",
    "guise_markers",
    "reference_markers",
    "length_ratio",
)
"""Checks that stand, failed, for all that could not be measured because wordings have no words."""


@dataclass(frozen=True)
class Form:
    """What the columns of an item table are."""

    context: str | None = None
    """Column with what both wordings refer to."""
    also: tuple[str, ...] = ()
    """Columns with further texts."""


@dataclass(frozen=True)
class Beside:
    """What is known about an item set beside its items."""

    repairs: pd.DataFrame | None = None
    """Cells that were repaired before: columns of `Repaired.repairs`."""
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Texts of other sets, in which none of this one may stand, by the name of the set."""
    source: str = "items"
    """What errors call the table."""


@dataclass(frozen=True)
class Validation:
    """What validation found."""

    checks: pd.DataFrame
    """One row for each comparison, item and check; columns `table.CHECK_COLUMNS`."""
    verdicts: pd.DataFrame
    """One row for each comparison and item; columns `table.VERDICT_COLUMNS`."""


@dataclass(frozen=True)
class Compared:
    """A pair with what it is held to."""

    pair: Pair
    comparison: Comparison


def validate_items(
    items: pd.DataFrame,
    comparisons: Sequence[Comparison],
    instruments: Instruments,
    form: Form = Form(),
    beside: Beside = Beside(),
    judge: Judge | None = None,
) -> Validation:
    """Check each item's wordings for each comparison.

    Texts are measured without quotation marks around the whole cell, which is noted as a repair
    and excludes nothing. Each different text is encoded once. A pair is valid when it passes every
    check; its verdict lists the reasons of all that it fails. A judge is asked about the pairs of
    two wordings that passed everything else.

    Raises `ItemError` naming the table and the row or column when the table itself is at fault (see
    `check_items`), and `ModelError` when the encoder returns something unusable.
    """
    columns = [column for comparison in comparisons for column in comparison.columns]
    check_items(items, [*columns, *form.also], beside.source, form.context)
    context = [] if form.context is None else [form.context]
    texts = list(dict.fromkeys([*context, *columns, *form.also]))
    repaired = _repair(items, texts, beside.repairs)
    found = [
        Compared(pair, comparison)
        for comparison in comparisons
        for pair in _pairs(repaired.items, comparison, form)
    ]
    wrapped = set(zip(repaired.repairs["item_id"], repaired.repairs["column"], strict=True))
    checks = check_pairs(found, instruments, wrapped=wrapped, others=beside.others)
    if judge is not None:
        checks += judge(_passed([one.pair for one in found], checks))
    return Validation(checks_table(checks), verdicts_table(verdicts(checks)))


def _passed(pairs: Sequence[Pair], checks: Sequence[Check]) -> list[Pair]:
    """The pairs of two wordings that passed every check."""
    valid = {(v.item_id, v.contrast) for v in verdicts(checks) if v.valid}
    return [p for p in pairs if p.reference is not None and (p.item_id, p.contrast) in valid]


def check_pairs(
    compared: Sequence[Compared],
    instruments: Instruments,
    *,
    wrapped: Set[tuple[str, str]] = frozenset(),
    others: Mapping[str, Sequence[str]] | None = None,
) -> list[Check]:
    """Check every pair by itself and among the others.

    `wrapped` names cells (item and column) whose quotation marks were removed; `others` holds the
    texts of other sets.
    """
    collection = collect([one.pair for one in compared], others or {})
    vectors = embed(_embedded(compared, instruments), instruments.encode)
    return [
        check
        for pair, comparison in ((one.pair, one.comparison) for one in compared)
        for check in (
            check_repairs(pair, [c for c in pair.cells if (pair.item_id, c) in wrapped], WRAPPED),
            *check_pair(pair, comparison, instruments, vectors),
            *check_collection(pair, comparison, collection, vectors),
        )
    ]


def check_pair(
    pair: Pair, comparison: Comparison, instruments: Instruments, vectors: Mapping[str, Vector]
) -> list[Check]:
    """Check a pair by itself, without regard to the rest of its set.

    `vectors` holds the embedding of each of `texts_to_embed`.
    """
    checks = [
        *check_surface(pair, comparison.thresholds.max_characters),
        *check_texts(pair, comparison, instruments),
    ]
    reason = unreadable(pair, comparison)
    if reason:
        return [*checks, *(not_measured(pair, name, reason) for name in _compared(pair))]
    if pair.reference_text is not None:
        same = int(pair.guise_text.strip() == pair.reference_text.strip())
        checks.append(none_of(pair, "identical", same, "both wordings are the same text"))
        checks += check_meaning(pair, comparison, instruments, vectors)
        checks += check_dimensions(pair, comparison, instruments)
    return [*checks, *check_guises(pair, comparison, instruments.finders)]


def unreadable(pair: Pair, comparison: Comparison) -> str:
    """Say why the wordings of a pair cannot be compared; empty where they can."""
    wordless = [name for name, text in pair.wordings.items() if not count_words(text)]
    if wordless:
        return f"no words in {', '.join(wordless)}"
    most = comparison.thresholds.max_characters
    long = [name for name, text in pair.wordings.items() if len(text) > most]
    return f"too long in {', '.join(long)}" if long else ""


def verdicts(checks: Sequence[Check]) -> list[Verdict]:
    """Return one verdict for each comparison and item, in the order of the checks."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for check in checks:
        failed = reasons.setdefault((check.contrast, check.item_id), [])
        if not check.passed:
            failed.append(check.reason)
    return [
        Verdict(item_id, contrast, valid=not failed, reason="; ".join(dict.fromkeys(failed)))
        for (contrast, item_id), failed in reasons.items()
    ]


def _compared(pair: Pair) -> Iterable[CheckName]:
    return COMPARED if pair.reference is not None else ("guise_markers",)


def _repair(items: pd.DataFrame, columns: list[str], before: pd.DataFrame | None) -> Repaired:
    """Repair the columns and add the repairs that were made before."""
    repaired = unwrap_items(items, columns)
    if before is None:
        return repaired
    repairs = pd.concat([before, repaired.repairs], ignore_index=True).drop_duplicates()
    return Repaired(repaired.items, repairs)


def _embedded(compared: Sequence[Compared], instruments: Instruments) -> list[str]:
    """Every text whose meaning some check compares."""
    contexts = [text for one in compared for text in one.pair.context.values()]
    wordings = [
        text
        for one in compared
        if not unreadable(one.pair, one.comparison)
        for text in texts_to_embed(one.pair, one.comparison, instruments)
    ]
    return [text for text in (*contexts, *wordings) if text.strip()]


def _pairs(items: pd.DataFrame, comparison: Comparison, form: Form) -> list[Pair]:
    """The pairs of a comparison, of the rows that it is about."""
    rows = items
    for column, value in comparison.where:
        rows = rows[rows[column] == value]
    return [_pair(row, comparison, form) for row in rows_of(rows)]


def _pair(row: Mapping[str, str], comparison: Comparison, form: Form) -> Pair:
    reference = comparison.reference
    return Pair(
        item_id=row["item_id"],
        contrast=comparison.name,
        guise=comparison.guise,
        guise_text=row[comparison.guise],
        reference=reference,
        reference_text=None if reference is None else row[reference],
        context={} if form.context is None else {form.context: row[form.context]},
        also={column: row[column] for column in form.also},
    )
