"""Validate every item of a set for every contrast."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from isogloss.studies.base import Contrast
from isogloss.validate.checks import ContrastChecks
from isogloss.validate.duplicates import find_nearest, find_repeats
from isogloss.validate.items import check_items
from isogloss.validate.lexicon import Lexicon
from isogloss.validate.measure import (
    check_articles,
    check_markers,
    check_question,
    check_repairs,
    check_surface,
    not_measured,
)
from isogloss.validate.records import Check, Pair, Verdict
from isogloss.validate.repair import WRAPPED, Repaired, unwrap_items
from isogloss.validate.similarity import Encode, Vector, cosine, embed
from isogloss.validate.table import checks_table, verdicts_table
from isogloss.validate.tokens import count_words


@dataclass(frozen=True)
class Validation:
    """What validation found."""

    checks: pd.DataFrame
    """One row for each contrast, item and check; columns `table.CHECK_COLUMNS`."""
    verdicts: pd.DataFrame
    """One row for each contrast and item; columns `table.VERDICT_COLUMNS`."""


@dataclass(frozen=True)
class _Tools:
    lexicon: Lexicon
    vectors: dict[str, Vector]


def validate_items(
    items: pd.DataFrame,
    contrasts: Sequence[tuple[Contrast, ContrastChecks]],
    lexicon: Lexicon,
    encode: Encode,
    *,
    repairs: pd.DataFrame | None = None,
    source: str = "items",
) -> Validation:
    """Check each item's pair of wordings for each contrast.

    Texts are measured without quotation marks around the whole cell, which is noted as a repair
    and excludes nothing. `repairs` (columns of `Repaired.repairs`) names cells whose marks were
    removed before, so that they are noted too. Each different text is encoded once. A pair is
    valid when it passes every check; its verdict lists the reasons of all that it fails.

    Raises `ItemError` naming `source` and the row or column when the table itself is at fault (see
    `check_items`), and `ModelError` when the encoder returns something unusable.
    """
    guises = [guise for contrast, _ in contrasts for guise in (contrast.reference, contrast.guise)]
    check_items(items, guises, source)
    repaired = _repair(items, ["question", *dict.fromkeys(guises)], repairs)
    tools = _Tools(lexicon, embed(_texts(repaired.items, contrasts), encode))
    checks = [
        check
        for contrast, settings in contrasts
        for check in _check_contrast(repaired, contrast, settings, tools)
    ]
    return Validation(checks_table(checks), verdicts_table(_verdicts(checks)))


def _repair(items: pd.DataFrame, columns: list[str], before: pd.DataFrame | None) -> Repaired:
    """Repair the columns and add the repairs that were made before."""
    repaired = unwrap_items(items, columns)
    if before is None:
        return repaired
    repairs = pd.concat([before, repaired.repairs], ignore_index=True).drop_duplicates()
    return Repaired(repaired.items, repairs)


def _texts(items: pd.DataFrame, contrasts: Sequence[tuple[Contrast, ContrastChecks]]) -> list[str]:
    """Return every text whose meaning some check compares, blank ones left out."""
    columns = ["question"]
    for contrast, settings in contrasts:
        if settings.kind == "markers":
            columns += [contrast.reference, contrast.guise]
    texts = [text for column in dict.fromkeys(columns) for text in items[column]]
    return [text for text in texts if text.strip()]


def _check_contrast(
    repaired: Repaired, contrast: Contrast, settings: ContrastChecks, tools: _Tools
) -> Iterable[Check]:
    items = repaired.items
    questions = dict(zip(items["item_id"], items["question"], strict=True))
    repeats = find_repeats(questions)
    nearest = find_nearest(questions, tools.vectors, settings.near_duplicate)
    wrapped = set(zip(repaired.repairs["item_id"], repaired.repairs["column"], strict=True))
    for pair in _pairs(items, contrast):
        columns = [column for column in pair.cells if (pair.item_id, column) in wrapped]
        yield check_repairs(pair, columns, WRAPPED)
        yield from check_surface(pair, settings)
        yield from check_question(
            pair, settings, repeats.get(pair.item_id), nearest.get(pair.item_id)
        )
        yield from _compare(pair, settings, tools)


def _pairs(items: pd.DataFrame, contrast: Contrast) -> Iterable[Pair]:
    columns = [items[c] for c in ("item_id", "question", contrast.guise, contrast.reference)]
    for item_id, question, guise_text, reference_text in zip(*columns, strict=True):
        yield Pair(
            item_id=item_id,
            contrast=contrast.name,
            question=question,
            guise=contrast.guise,
            reference=contrast.reference,
            guise_text=guise_text,
            reference_text=reference_text,
        )


def _compare(pair: Pair, settings: ContrastChecks, tools: _Tools) -> list[Check]:
    wordings = {pair.guise: pair.guise_text, pair.reference: pair.reference_text}
    wordless = [guise for guise, text in wordings.items() if not count_words(text)]
    if wordless:
        return not_measured(pair, settings.kind, f"no words in {', '.join(wordless)}")
    long = [guise for guise, text in wordings.items() if len(text) > settings.max_characters]
    if long:
        return not_measured(pair, settings.kind, f"too long in {', '.join(long)}")
    if settings.kind == "articles":
        return check_articles(pair, settings)
    similarity = cosine(tools.vectors, pair.guise_text, pair.reference_text)
    return check_markers(pair, settings, tools.lexicon, similarity)


def _verdicts(checks: Sequence[Check]) -> list[Verdict]:
    """Return one verdict for each contrast and item, in the order of the checks."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for check in checks:
        failed = reasons.setdefault((check.contrast, check.item_id), [])
        if not check.passed:
            failed.append(check.reason)
    return [
        Verdict(item_id, contrast, valid=not failed, reason="; ".join(failed))
        for (contrast, item_id), failed in reasons.items()
    ]
