"""Load the vectors that a configuration names, and say what they are."""

from collections.abc import Callable, Collection
from importlib import metadata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from isogloss.config.schema import EncoderConfig
from isogloss.config.weat import (
    ArrayFileVectors,
    Case,
    EmbeddingConfig,
    EncoderVectors,
    PackageVectors,
    TextFileVectors,
)
from isogloss.fetch.obtain import sha256_of
from isogloss.weat.array_file import package_file, read_array_vectors
from isogloss.weat.embedding import Embedding
from isogloss.weat.encoded import EncodedVectors
from isogloss.weat.records import EmbeddingRow
from isogloss.weat.static_vectors import StaticVectors
from isogloss.weat.text_file import read_text_vectors

Wanted = Callable[[Case], Collection[str]]
"""Every word that will be looked up, given how words are looked up."""


def load_embedding(
    name: str, config: EmbeddingConfig, project: Path, wanted: Wanted
) -> tuple[Embedding, EmbeddingRow]:
    """Load vectors; raise `ModelError` naming the file at fault.

    Of a text file only the words wanted are kept.
    """
    if isinstance(config, EncoderVectors):
        return _encoder(name, config, project)
    words: Path | None
    array: NDArray[np.floating]
    if isinstance(config, TextFileVectors):
        path, words, origin = project / config.path, None, config.path
    else:
        path, words, origin = _places(config, project)
    if words is None:
        index, array = read_text_vectors(path, wanted(config.case))
    else:
        index, array = read_array_vectors(path, words)
    row = EmbeddingRow(
        embedding=name,
        kind=config.kind,
        origin=origin,
        sha256=sha256_of(path),
        words_sha256="" if words is None else sha256_of(words),
        case=config.case,
        dimension=array.shape[1],
    )
    return StaticVectors(origin, index, array, config.case), row


def _places(config: PackageVectors | ArrayFileVectors, project: Path) -> tuple[Path, Path, str]:
    if isinstance(config, ArrayFileVectors):
        return project / config.path, project / config.words, config.path
    vectors = package_file(config.package, config.vectors)
    words = package_file(config.package, config.words)
    return vectors, words, f"{config.package} {metadata.version(config.package)}"


def _encoder(name: str, config: EncoderVectors, project: Path) -> tuple[Embedding, EmbeddingRow]:
    # Imports sentence-transformers, which static vectors need not.
    from isogloss.models.encoder import encoder_identity, load_encoder

    place = EncoderConfig(package=config.package, path=config.path)
    encode = load_encoder(place, project)
    identity = encoder_identity(place, project)
    row = EmbeddingRow(
        embedding=name,
        kind=config.kind,
        origin=identity["origin"],
        sha256=identity["sha256"],
        words_sha256="",
        case="as_written",
        dimension=int(encode(["word"]).shape[1]),
    )
    return EncodedVectors(encode), row
