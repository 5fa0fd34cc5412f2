"""The stage weat: word lists, item tables and vectors in, tables of association tests out."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from isogloss.analysis.records import table
from isogloss.analysis.tables import write_tables
from isogloss.config.weat import Case, GuiseTexts, WeatContrast, WeatSettings
from isogloss.errors import ConfigurationError, ItemError
from isogloss.validate.items import read_table
from isogloss.weat.classic import classic_rows, look_up_all, text_vocabulary_rows, vocabulary_rows
from isogloss.weat.contrasts import TextContrast, Texts, adjust_contrasts, contrast_rows
from isogloss.weat.embedding import Embedding
from isogloss.weat.lists import WordList, WordLists, load_lists
from isogloss.weat.loading import load_embedding
from isogloss.weat.options import Options
from isogloss.weat.records import WEAT_TABLES, EmbeddingRow
from isogloss.weat.static_vectors import StaticVectors, key_of, keys_of_text


@dataclass(frozen=True)
class Asked:
    """Everything that is asked of an embedding."""

    lists: WordLists
    """With the classic tests to make: none where they are switched off."""
    contrasts: tuple[TextContrast, ...]
    min_words: int
    options: Options

    def used_lists(self) -> dict[str, WordList]:
        """Word lists that a test or a contrast refers to."""
        tests = self.lists.tests.values()
        names = [name for test in tests for name in (test.x, test.y, test.a, test.b)]
        names += [name for one in self.contrasts for name in (one.a, one.b)]
        return {name: self.lists.named(name) for name in dict.fromkeys(names)}

    def keys(self, case: Case) -> Collection[str]:
        """Everything that will be looked up."""
        of_lists = {key_of(w, case) for one in self.used_lists().values() for w in one.words}
        sides = [side for one in self.contrasts for side in (one.x, one.y)]
        of_texts = {
            key for side in sides for text in side.texts for key in keys_of_text(text, case)
        }
        return of_lists | of_texts


def run_weat(
    settings: WeatSettings, project: Path, items: Mapping[str, Path], seed: int, out: Path
) -> dict[str, pd.DataFrame]:
    """Write the tables of `WEAT_TABLES` into a folder and return them.

    `items` gives the item table of each set that a contrast refers to; a contrast whose set is not
    among them is left out. Embeddings are loaded one after the other. Raises `ItemError`,
    `ConfigurationError`, `ModelError` or `StatisticsError` naming what is at fault, before
    anything is written.
    """
    asked = _asked(settings, project, items, seed)
    rows: dict[str, list[object]] = {name: [] for name in WEAT_TABLES}
    for name, config in settings.embeddings.items():
        embedding, described = load_embedding(name, config, project, asked.keys)
        for key, found in _of_embedding(name, embedding, described, asked).items():
            rows[key] += found
    rows["contrasts"] = [*adjust_contrasts(rows["contrasts"])]  # type: ignore[arg-type]
    tables = {name: table(kind, rows[name]) for name, kind in WEAT_TABLES.items()}
    write_tables(tables, out)
    return tables


def _asked(settings: WeatSettings, project: Path, items: Mapping[str, Path], seed: int) -> Asked:
    lists = load_lists(project / settings.lists)
    for name, contrast in settings.contrasts.items():
        for wanted in (contrast.a, contrast.b):
            if wanted not in lists.lists:
                known = ", ".join(lists.lists)
                raise ConfigurationError(
                    f"weat.contrasts.{name}: {lists.path} has no word list {wanted!r}; "
                    f"there are {known}"
                )
    contrasts = tuple(
        text_contrast
        for name, contrast in settings.contrasts.items()
        if contrast.set in items
        for text_contrast in read_contrast(name, contrast, items[contrast.set])
    )
    return Asked(
        replace(lists, tests=lists.tests if settings.classic else {}),
        contrasts,
        settings.min_words,
        _options(settings, seed),
    )


def _options(settings: WeatSettings, seed: int) -> Options:
    return Options(
        alternative=settings.alternative,
        ddof=settings.ddof,
        max_exact=settings.max_exact,
        n_permutations=settings.n_permutations,
        seed=seed,
        n_bootstrap=settings.n_bootstrap,
        alpha=settings.alpha,
    )


def read_contrast(name: str, contrast: WeatContrast, path: Path) -> list[TextContrast]:
    """Read the texts of a contrast, part by part; raise `ItemError` naming file and column."""
    items = read_table(path, [])
    x, y = (_texts(items, guise, path) for guise in (contrast.guise, contrast.reference))
    return [
        TextContrast(name, contrast.set, part, x[part], y[part], contrast.a, contrast.b)
        for part in contrast.guise.texts
    ]


def _texts(items: pd.DataFrame, guise: GuiseTexts, path: Path) -> dict[str, Texts]:
    wanted = ["item_id", *guise.where, *guise.texts.values()]
    missing = [column for column in wanted if column not in items.columns]
    if missing:
        raise ItemError(f"{path}: column missing: {', '.join(missing)}; correct weat.contrasts")
    chosen = items
    for column, value in guise.where.items():
        chosen = chosen[chosen[column] == value]
    if chosen.empty:
        raise ItemError(f"{path}: no row of guise {guise.name}; correct its where")
    twice = chosen.loc[chosen["item_id"].duplicated(), "item_id"]
    if len(twice):
        raise ItemError(f"{path}: two rows of guise {guise.name} have item_id {twice.iloc[0]!r}")
    ids = tuple(chosen["item_id"])
    return {part: Texts(guise.name, ids, tuple(chosen[c])) for part, c in guise.texts.items()}


def _of_embedding(
    name: str, embedding: Embedding, described: EmbeddingRow, asked: Asked
) -> dict[str, list[object]]:
    """Rows of every table about one embedding; contrasts with p-values as they are."""
    looked_up = look_up_all(asked.used_lists(), embedding)
    vocabulary = vocabulary_rows(name, looked_up, has_vocabulary=embedding.has_vocabulary)
    rows: dict[str, list[object]] = {
        "classic": [*classic_rows(name, asked.lists, looked_up, asked.min_words, asked.options)],
        "contrasts": [],
        "associations": [],
        "vocabulary": [*vocabulary],
        "embeddings": [described],
    }
    for contrast in asked.contrasts:
        tests, values = contrast_rows(
            name, embedding, contrast, looked_up, asked.min_words, asked.options
        )
        rows["contrasts"] += tests
        rows["associations"] += values
        if isinstance(embedding, StaticVectors):
            texts = [*contrast.x.texts, *contrast.y.texts]
            keys = [key for text in texts for key in keys_of_text(text, embedding.case)]
            rows["vocabulary"] += text_vocabulary_rows(name, contrast.where, keys, embedding)
    return rows
