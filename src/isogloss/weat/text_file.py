"""Vectors in the text form of word2vec and GloVe: a word and its numbers on each line."""

import gzip
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from isogloss.errors import ModelError

LONGEST_LINE = 1_000_000
"""Longest line that is read, in bytes."""


def read_text_vectors(
    path: Path, wanted: Collection[str] | None = None
) -> tuple[dict[str, int], NDArray[np.float64]]:
    """Return the row of each word, and the vectors, shape (words, dim).

    The file may be gzipped (`.gz`), and may begin with a line that states the number of words and
    of dimensions, as word2vec writes it; a stated number of words is checked. Only `wanted` words
    are kept, so that memory does not follow the file; the form of every line is checked all the
    same. A word may hold blanks. Raises `ModelError` naming the file and the line at fault.
    """
    keep = None if wanted is None else {word.encode() for word in wanted}
    index: dict[str, int] = {}
    rows: list[NDArray[np.float64]] = []
    stated, dimension, read = None, 0, 0
    with _opened(path) as stream:
        for number, line in _lines(stream, path):
            if number == 1:
                stated, dimension = _shape(line, path)
                if stated is not None:
                    continue
            word, numbers = _parts(line, dimension, path, number)
            read += 1
            if keep is None or word in keep:
                text = _decoded(word, path, number)
                if text in index:
                    raise ModelError(f"{path}: line {number}: {text!r} stands twice; remove one")
                index[text] = len(rows)
                rows.append(_values(numbers, path, number))
    if not read:
        raise ModelError(f"{path}: no vectors in the file")
    if stated not in (None, read):
        raise ModelError(f"{path}: line 1 states {stated} words, and there are {read}; get it anew")
    return index, np.array(rows).reshape(len(rows), dimension)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"{path}: the vectors cannot be read ({reason})") from error


def _lines(stream: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise ModelError(f"{path}: line {number} is longer than {LONGEST_LINE} bytes")
        yield number, line.rstrip(b" \t\r\n")


def _shape(line: bytes, path: Path) -> tuple[int | None, int]:
    """Number of words, where the first line states it, and of dimensions."""
    fields = line.split(b" ")
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        count, dimension = int(fields[0]), int(fields[1])
        if not 0 < dimension <= LONGEST_LINE:
            raise ModelError(f"{path}: line 1 states {dimension} dimensions")
        return count, dimension
    if len(fields) < 2:
        raise ModelError(f"{path}: line 1: a word and its numbers are expected, parted by blanks")
    return None, len(fields) - 1


def _parts(line: bytes, dimension: int, path: Path, number: int) -> tuple[bytes, list[bytes]]:
    word, *numbers = line.rsplit(b" ", dimension)
    if len(numbers) < dimension or not word:
        raise ModelError(
            f"{path}: line {number}: {len(numbers) if word else 0} numbers behind a word, "
            f"not {dimension} as in line 1; the line is damaged or cut off"
        )
    if b" " in word and _is_number(word.rpartition(b" ")[2]):
        raise ModelError(f"{path}: line {number}: more than {dimension} numbers, unlike line 1")
    return word, numbers


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _values(numbers: list[bytes], path: Path, number: int) -> NDArray[np.float64]:
    try:
        values = np.array([float(field) for field in numbers])
    except ValueError as error:
        raise ModelError(f"{path}: line {number}: {error}; a vector holds numbers only") from error
    if not np.isfinite(values).all():
        raise ModelError(f"{path}: line {number}: a value is not finite")
    return values


def _decoded(word: bytes, path: Path, number: int) -> str:
    try:
        return word.decode()
    except UnicodeDecodeError as error:
        raise ModelError(f"{path}: line {number}: the word is not UTF-8") from error
