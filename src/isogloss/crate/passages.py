"""Whether one text holds passages of another."""

import csv
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSAGE = 10
"""Words in a row that count as a passage: eight also happen by chance in two texts on one topic."""
CELL = 5
"""Words of a whole table cell that count as a passage."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_CELL_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Passages:
    """The passages of some files, to compare others with."""

    runs: frozenset[int]
    """Hashes of all runs of `PASSAGE` words."""
    cells: frozenset[int]
    """Hashes of the words of all pieces with at least `CELL` words."""

    def are_in(self, pieces: Iterable[str]) -> bool:
        """Whether any piece has a run of words, or all the words, of one of these passages."""
        for piece in pieces:
            words = _words(piece)
            if hash(words) in self.cells or not self.runs.isdisjoint(_runs(words)):
                return True
        return False


def passages_of(pieces: Iterable[str]) -> Passages:
    """Passages of texts that are given in pieces."""
    runs: set[int] = set()
    cells: set[int] = set()
    for piece in pieces:
        words = _words(piece)
        runs.update(_runs(words))
        if len(words) >= CELL:
            cells.add(hash(words))
    return Passages(frozenset(runs), frozenset(cells))


def pieces_of(path: Path) -> tuple[str, ...] | None:
    """The texts in a file: cells of a table, strings of a document, or the file as one text.

    Returns:
        None when the file cannot be read as text.
    """
    try:
        if path.suffix == ".parquet":
            return tuple(_parquet(path))
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, ValueError):
        return None
    if path.suffix == ".csv":
        return tuple(_csv(text))
    if path.suffix in {".json", ".jsonl"}:
        return tuple(_json(text))
    if path.suffix in {".html", ".svg"}:
        return (html.unescape(_TAG.sub(" ", text)),)
    return (text, *text.splitlines())


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.replace("’", "'") for word in _WORD.findall(text.lower()))


def _runs(words: Sequence[str]) -> Iterator[int]:
    return (hash(tuple(words[i : i + PASSAGE])) for i in range(len(words) - PASSAGE + 1))


def _csv(text: str) -> Iterator[str]:
    before = csv.field_size_limit(_CELL_LIMIT)
    try:
        for row in csv.reader(text.splitlines(keepends=True)):
            yield from row
    finally:
        csv.field_size_limit(before)


def _json(text: str) -> Iterator[str]:
    try:
        yield from _strings([json.loads(line) for line in _documents(text)])
    except ValueError:
        yield text


def _documents(text: str) -> Iterable[str]:
    try:
        json.loads(text)
    except ValueError:
        return text.splitlines()
    return [text]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _parquet(path: Path) -> Iterator[str]:
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(path).iter_batches():
        for column in batch.columns:
            yield from _strings(column.to_pylist())
