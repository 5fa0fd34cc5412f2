"""Closeness in meaning, as the cosine between sentence embeddings."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from isogloss.errors import ModelError

Vector = npt.NDArray[np.float64]

Encode = Callable[[Sequence[str]], npt.NDArray[np.floating]]
"""An encoder: n texts in, an array of shape (n, dimensions) out."""


def embed(texts: Iterable[str], encode: Encode) -> dict[str, Vector]:
    """Encode each different text once, in one batch, and scale its vector to length 1.

    A vector of length 0 stays as it is. Raises `ModelError` when the encoder returns an array of
    another shape, or a value that is not finite.
    """
    unique = list(dict.fromkeys(texts))
    if not unique:
        return {}
    vectors = np.asarray(encode(unique), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(unique):
        raise ModelError(
            f"the sentence encoder returned shape {vectors.shape} for {len(unique)} texts; "
            "it must return one vector for each text"
        )
    if not np.isfinite(vectors).all():
        raise ModelError("the sentence encoder returned values that are not finite")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled = vectors / np.where(lengths == 0, 1, lengths)
    return dict(zip(unique, scaled, strict=True))


def cosine(vectors: Mapping[str, Vector], text: str, other: str) -> float:
    """Return the cosine between two embedded texts, within [-1, 1]; 0 for a vector of length 0."""
    return float(np.clip(vectors[text] @ vectors[other], -1, 1))
