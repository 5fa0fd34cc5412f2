"""Vectors as a NumPy array with its words in a file beside it, and such files in a package."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from isogloss.errors import ModelError


def read_array_vectors(array: Path, words: Path) -> tuple[dict[str, int], NDArray[np.floating]]:
    """Return the row of each word, and the vectors, shape (words, dim), mapped and not read.

    `array` is an `.npy` file of floats; nothing in it is executed. `words` has one word on each
    line in UTF-8, or is a Parquet file whose first column holds them. Raises `ModelError` naming
    the file at fault.
    """
    vectors = _array(array)
    listed = _from_parquet(words) if words.suffix == ".parquet" else _from_lines(words)
    if len(listed) != len(vectors):
        raise ModelError(
            f"{words} has {len(listed)} words and {array} {len(vectors)} vectors; "
            "each vector needs its word"
        )
    index: dict[str, int] = {}
    for row, word in enumerate(listed):
        if word in index:
            raise ModelError(f"{words}: line {row + 1}: {word!r} stands twice; remove one")
        index[word] = row
    return index, vectors


def package_file(package: str, member: str) -> Path:
    """Path of a file of an installed package, which is not imported; raises `ModelError`."""
    try:
        spec = find_spec(package.replace("-", "_"))
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        raise ModelError(
            f"package {package} is not installed; run pip install -c constraints.txt {package}"
        )
    path = Path(spec.origin).parent / member
    if not path.is_file():
        raise ModelError(f"package {package} has no file {member}; install the pinned version")
    return path


def _array(path: Path) -> NDArray[np.floating]:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ModelError(f"{path}: not an .npy file of numbers ({error})") from error
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind != "f":
        raise ModelError(f"{path}: not an array of floats of shape (words, dim)")
    return array


def _from_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: the words cannot be read as UTF-8 text ({error})") from error


def _from_parquet(path: Path) -> list[str]:
    try:
        column = pq.read_table(path).column(0)
    except (OSError, pa.ArrowException, IndexError) as error:
        raise ModelError(f"{path}: the words cannot be read as Parquet ({error})") from error
    return [str(word) for word in column.to_pylist()]
