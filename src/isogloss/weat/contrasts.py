"""Association tests whose targets are the texts of two guises."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from isogloss.analysis.families import adjusted_tests
from isogloss.stats.arrays import Values
from isogloss.weat.association import associations
from isogloss.weat.association_test import weat
from isogloss.weat.classic import UNADJUSTED
from isogloss.weat.embedding import Embedding, TextVectors
from isogloss.weat.options import Options
from isogloss.weat.records import AssociationRow, ContrastRow, Outcome, outcome
from isogloss.weat.results import Design
from isogloss.weat.untested import untested
from isogloss.weat.words import LookedUp, check_apart, shortage


@dataclass(frozen=True)
class Texts:
    """Texts of one guise."""

    guise: str
    item_ids: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class TextContrast:
    """One part of the items in two guises, with the names of the attributes' lists."""

    contrast: str
    item_set: str
    part: str
    x: Texts
    y: Texts
    a: str
    b: str

    @property
    def paired(self) -> bool:
        """Whether both guises have the same items, each once."""
        ids = sorted(self.x.item_ids)
        return ids == sorted(self.y.item_ids) and len(set(ids)) == len(ids)

    @property
    def where(self) -> str:
        """Name of the texts in the table of words."""
        return f"texts of {self.contrast}, {self.part}"


@dataclass(frozen=True)
class _Side:
    texts: Texts
    vectors: TextVectors
    associations: Values
    """NaN for a text without vector."""

    @property
    def usable(self) -> dict[str, int]:
        """Row of each text that has a vector, by item."""
        rows = np.flatnonzero(np.isfinite(self.associations))
        return {self.texts.item_ids[row]: int(row) for row in rows}


def contrast_rows(
    name: str,
    embedding: Embedding,
    contrast: TextContrast,
    looked_up: Mapping[str, LookedUp],
    min_words: int,
    options: Options,
) -> tuple[list[ContrastRow], list[AssociationRow]]:
    """Test one contrast on the embedding `name`, and give every text's association.

    Where both guises have the same items the test is made twice: with the items' partners
    exchanged (`paired`), which such texts call for, and over all partitions (`unpaired`), which is
    what has been published for such texts. Texts without a vector are rows that say so, and are
    counted. p-values are adjusted later, by `adjust_contrasts`. Raises `StatisticsError` for lists
    that share a word.
    """
    a, b = looked_up[contrast.a], looked_up[contrast.b]
    check_apart(a, b)
    short = shortage((a, b), min_words)
    x, y = (_side(texts, embedding, a, b, short) for texts in (contrast.x, contrast.y))
    designs: tuple[Design, ...] = ("paired", "unpaired") if contrast.paired else ("unpaired",)
    rows = [
        _contrast_row(name, contrast, x, y, a, b, _outcome(x, y, a, b, short, min_words, chosen))
        for chosen in (replace(options, design=design) for design in designs)
    ]
    return rows, [row for side in (x, y) for row in _association_rows(name, contrast, side, short)]


def adjust_contrasts(rows: Sequence[ContrastRow]) -> list[ContrastRow]:
    """Adjust p-values among all embeddings and parts of a contrast in one design."""
    return [replace(row, adjusted=family) for row, family in adjusted_tests(rows, "holm")]


def _side(texts: Texts, embedding: Embedding, a: LookedUp, b: LookedUp, short: str | None) -> _Side:
    vectors = embedding.texts(texts.texts)
    found = np.full(len(texts.texts), np.nan)
    usable = np.isfinite(vectors.vectors).all(axis=1)
    if short is None and usable.any():
        found[usable] = associations(vectors.vectors[usable], a.words.vectors, b.words.vectors)
    return _Side(texts, vectors, found)


def _outcome(
    x: _Side,
    y: _Side,
    a: LookedUp,
    b: LookedUp,
    short: str | None,
    min_words: int,
    options: Options,
) -> Outcome:
    of_x, of_y = x.usable, y.usable
    if options.design == "paired":
        both = [item for item in x.texts.item_ids if item in of_x and item in of_y]
        of_x, of_y = ({item: side[item] for item in both} for side in (of_x, of_y))
    reason = short or _obstacle(x, y, of_x, of_y, min_words)
    if reason is not None:
        return outcome(untested(reason, len(of_x), len(of_y), options))
    first = x.vectors.vectors[list(of_x.values())]
    second = y.vectors.vectors[list(of_y.values())]
    return outcome(weat(first, second, a.words.vectors, b.words.vectors, **vars(options)))


def _obstacle(
    x: _Side, y: _Side, of_x: dict[str, int], of_y: dict[str, int], min_words: int
) -> str | None:
    for side, rows in ((x, of_x), (y, of_y)):
        if len(rows) < min_words:
            return f"{len(rows)} {side.texts.guise} texts have a vector, {min_words} are needed"
    shared = len(set(x.texts.texts) & set(y.texts.texts))
    return f"{shared} texts stand in both guises" if shared else None


def _contrast_row(
    name: str,
    contrast: TextContrast,
    x: _Side,
    y: _Side,
    a: LookedUp,
    b: LookedUp,
    found: Outcome,
) -> ContrastRow:
    words = int(x.vectors.n_words.sum() + y.vectors.n_words.sum())
    known = int(x.vectors.n_found.sum() + y.vectors.n_found.sum())
    without = sum(int((~np.isfinite(s.vectors.vectors).all(axis=1)).sum()) for s in (x, y))
    return ContrastRow(
        embedding=name,
        contrast=contrast.contrast,
        item_set=contrast.item_set,
        part=contrast.part,
        guise=contrast.x.guise,
        reference=contrast.y.guise,
        a=contrast.a,
        b=contrast.b,
        n_a=len(a.words.found),
        n_b=len(b.words.found),
        n_without_vector=without,
        coverage=known / words if words else nan,
        outcome=found,
        adjusted=UNADJUSTED,
    )


def _association_rows(
    name: str, contrast: TextContrast, side: _Side, short: str | None
) -> list[AssociationRow]:
    rows = []
    for place, item in enumerate(side.texts.item_ids):
        value = float(side.associations[place])
        words, known = int(side.vectors.n_words[place]), int(side.vectors.n_found[place])
        defined = np.isfinite(value)
        rows.append(
            AssociationRow(
                embedding=name,
                contrast=contrast.contrast,
                item_set=contrast.item_set,
                part=contrast.part,
                guise=side.texts.guise,
                item_id=item,
                association=value,
                n_words=words,
                n_found=known,
                coverage=known / words if words else nan,
                status="ok" if defined else "not_estimable",
                reason="" if defined else short or "no word of the text has a vector",
            )
        )
    return rows
