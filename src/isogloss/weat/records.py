"""Rows of the tables of association tests."""

from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from isogloss.analysis.families import Adjusted, family_name
from isogloss.stats.results import Status
from isogloss.weat.results import WeatResult


@dataclass(frozen=True)
class Outcome:
    """Columns of a test."""

    n_x: int
    n_y: int
    effect_size: float
    """d, positive where X is the closer to A."""
    low: float
    """Lower end of the bootstrap interval of d."""
    high: float
    p_value: float
    statistic: float
    """Difference in mean association."""
    status: Status
    reason: str
    """Why d and p are undefined; empty where they are defined."""
    interval_reason: str
    """Why there is no interval; empty where there is one."""
    design: str
    exact: bool
    n_partitions: float
    """Ways to exchange items; a float, for there may be more than an integer column holds."""
    n_draws: int
    alternative: str
    ddof: int
    alpha: float
    n_bootstrap: int
    seed: int
    method: str


@dataclass(frozen=True)
class ClassicRow:
    """One row of `classic.csv`: a classic test on one embedding."""

    embedding: str
    test: str
    title: str
    x: str
    """Name of the word list of target X; the other three likewise."""
    y: str
    a: str
    b: str
    n_a: int
    n_b: int
    missing: str
    """Words of the four lists that are out of vocabulary, as `list: word`, parted by semicolons."""
    outcome: Outcome
    adjusted: Adjusted
    published: float
    """d that the test's authors found with vectors of their own; NaN where they give none."""

    @property
    def p_value(self) -> float:
        """Not adjusted."""
        return self.outcome.p_value

    @property
    def family(self) -> str:
        """All classic tests on the embedding."""
        return family_name("classic tests", self.embedding)


@dataclass(frozen=True)
class ContrastRow:
    """One row of `contrasts.csv`: two guises' texts on one embedding."""

    embedding: str
    contrast: str
    item_set: str
    part: str
    """Which text of an item, such as `title`."""
    guise: str
    """Whose texts are X."""
    reference: str
    """Whose texts are Y."""
    a: str
    """Name of the word list; `b` likewise."""
    b: str
    n_a: int
    n_b: int
    n_without_vector: int
    """Texts of both guises without a word that has a vector, which are left out."""
    coverage: float
    """Share of all texts' words that have a vector."""
    outcome: Outcome
    adjusted: Adjusted

    @property
    def p_value(self) -> float:
        """Not adjusted."""
        return self.outcome.p_value

    @property
    def family(self) -> str:
        """All embeddings and parts of the contrast in one design."""
        return family_name(self.contrast, self.outcome.design)


@dataclass(frozen=True)
class AssociationRow:
    """One row of `associations.csv`: one text on one embedding."""

    embedding: str
    contrast: str
    item_set: str
    part: str
    guise: str
    item_id: str
    association: float
    """mean_a cos - mean_b cos; positive where the text is closer to A."""
    n_words: int
    n_found: int
    """Words of the text that have a vector."""
    coverage: float
    """n_found / n_words."""
    status: Status
    reason: str


@dataclass(frozen=True)
class VocabularyRow:
    """One row of `vocabulary.csv`: a word that was looked for in one embedding."""

    embedding: str
    list: str
    """Name of the word list; for texts the contrast and the part."""
    word: str
    """As it is written; of a text's words, as it is looked up."""
    looked_up: str
    status: Literal["found", "missing", "encoded"]
    """`encoded` by an encoder, which has no vocabulary."""
    occurrences: int
    """How often it stands in the list or in the texts."""


@dataclass(frozen=True)
class EmbeddingRow:
    """One row of `embeddings.csv`: where vectors come from."""

    embedding: str
    kind: str
    origin: str
    """File, or package with its version."""
    sha256: str
    """Of the file with the vectors or weights."""
    words_sha256: str
    """Of the file with the words; empty where they stand with the vectors."""
    case: str
    """How words are looked up: `lower` or `as_written`."""
    dimension: int


WEAT_TABLES: dict[str, type[Any]] = {
    "classic": ClassicRow,
    "contrasts": ContrastRow,
    "associations": AssociationRow,
    "vocabulary": VocabularyRow,
    "embeddings": EmbeddingRow,
}
"""The tables, each written as `<name>.csv`, and the record that describes its columns."""


def outcome(result: WeatResult) -> Outcome:
    """Columns of a result."""
    return Outcome(
        n_x=result.n_x,
        n_y=result.n_y,
        effect_size=result.effect_size,
        low=result.low,
        high=result.high,
        p_value=result.p_value,
        statistic=result.statistic,
        status=result.status,
        reason=result.reason or "",
        interval_reason=result.interval_reason or "",
        design=result.design,
        exact=result.exact,
        n_partitions=_float(result.n_partitions),
        n_draws=result.n_draws,
        alternative=result.alternative,
        ddof=result.ddof,
        alpha=result.alpha,
        n_bootstrap=result.n_bootstrap,
        seed=result.seed,
        method=result.method,
    )


def _float(count: int) -> float:
    try:
        return float(count)
    except OverflowError:
        return inf
