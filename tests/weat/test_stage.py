"""The stage on a small project: files in, five tables out, which read back."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.weat.test_words import VECTORS

from isogloss import weat_cli
from isogloss.analysis.records import columns_of
from isogloss.analysis.tables import read_tables
from isogloss.config.weat import WeatSettings
from isogloss.errors import ConfigurationError, IsoglossError, ItemError
from isogloss.weat.files import TABLE_NAMES
from isogloss.weat.records import WEAT_TABLES
from isogloss.weat.stage import run_weat

LISTS = """
sources: {me: here}
lists:
  flowers: [rose, lily, iris, tulip, gladiola]
  insects: [ant, bee, fly, moth]
  good: [love, joy, peace, health]
  bad: [pain, grief, war, filth]
  unused: [cut, short]
tests: {T1: {title: Flowers, x: flowers, y: insects, a: good, b: bad, published: 1.5}}
"""
ITEMS = """item_id,kind,nice,nasty
i1,p,Rose and lily,ant
i2,p,iris,bee
i3,p,tulip,fly
i4,p,Lily,moth
i5,q,rose,Nowhere
"""
SIDES = {
    "guise": {"name": "nice", "texts": {"text": "nice"}},
    "reference": {"name": "nasty", "texts": {"text": "nasty"}},
}
CONTRAST = {"set": "some/set", **SIDES, "a": "good", "b": "bad"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with lists, items, and the same vectors in three forms."""
    (tmp_path / "lists.yaml").write_text(LISTS, encoding="utf-8")
    (tmp_path / "items.csv").write_text(ITEMS, encoding="utf-8")
    words = list(VECTORS.index)
    lines = [" ".join([w, *map(str, VECTORS.array[VECTORS.index[w]])]) for w in words]
    text = "\n".join([f"{len(words)} 2", *lines, ""])
    (tmp_path / "v.txt").write_text(text, encoding="utf-8")
    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(text.encode()))
    np.save(tmp_path / "v.npy", VECTORS.array.astype(float))
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    return tmp_path


def settings(**changes: Any) -> WeatSettings:
    given = {
        "embeddings": {
            "text": {"kind": "text", "path": "v.txt", "case": "lower"},
            "packed": {"kind": "text", "path": "v.txt.gz", "case": "lower"},
            "array": {"kind": "npy", "path": "v.npy", "words": "words.txt", "case": "lower"},
        },
        "lists": "lists.yaml",
        "contrasts": {"c": CONTRAST},
        "n_bootstrap": 200,
        **changes,
    }
    return WeatSettings.model_validate(given)


def ran(root: Path, chosen: WeatSettings) -> dict[str, pd.DataFrame]:
    return run_weat(chosen, root, {"some/set": root / "items.csv"}, 7, root / "out")


def test_tables_are_written_and_read_back(root: Path) -> None:
    tables = ran(root, settings())
    assert sorted(path.name for path in (root / "out").iterdir()) == sorted(
        f"{name}.csv" for name in TABLE_NAMES
    )
    back = read_tables(root / "out", WEAT_TABLES)
    for name, kind in WEAT_TABLES.items():
        assert list(back[name]) == columns_of(kind)
        assert len(back[name]) == len(tables[name]) > 0
    assert (
        back["contrasts"]["n_partitions"].tolist() == tables["contrasts"]["n_partitions"].tolist()
    )
    assert set(back["classic"]["exact"]) == {"True"}
    assert set(back["classic"]["seed"]) == {7}


def test_the_form_of_the_file_does_not_matter(root: Path) -> None:
    tables = ran(root, settings())
    for name in ("classic", "contrasts", "associations", "vocabulary"):
        parts = [
            part.drop(columns=["embedding", "family"], errors="ignore").reset_index(drop=True)
            for _, part in tables[name].groupby("embedding")
        ]
        for part in parts[1:]:
            pd.testing.assert_frame_equal(part, parts[0])
    described = tables["embeddings"].set_index("embedding")
    assert described.loc["text", "sha256"] != described.loc["packed", "sha256"]
    assert described["dimension"].tolist() == [2, 2, 2]
    assert described.loc["array", "words_sha256"]


def test_what_was_lost_is_in_the_tables(root: Path) -> None:
    tables = ran(root, settings())
    assert tables["classic"]["missing"].tolist() == ["flowers: gladiola"] * 3
    vocabulary = tables["vocabulary"].query("embedding == 'array'")
    missing = vocabulary[vocabulary["status"] == "missing"]
    assert list(zip(missing["list"], missing["word"], strict=True)) == [
        ("flowers", "gladiola"),
        ("texts of c, text", "and"),
        ("texts of c, text", "nowhere"),
    ]
    assert "unused" not in set(vocabulary["list"])
    paired = tables["contrasts"].query("embedding == 'array' and design == 'paired'").iloc[0]
    assert (paired["n_x"], paired["n_without_vector"], paired["p_value"]) == (4, 1, 2 / 16)
    lost = tables["associations"].query("item_id == 'i5' and guise == 'nasty'")
    assert set(lost["status"]) == {"not_estimable"}


def test_rows_can_be_chosen_by_a_column(root: Path) -> None:
    """Two guises in one column, told apart by another, as published sets have them."""
    sides = {
        "guise": {"name": "first", "texts": {"text": "nice"}, "where": {"kind": "p"}},
        "reference": {"name": "second", "texts": {"text": "nasty"}, "where": {"kind": "p"}},
    }
    tables = ran(root, settings(contrasts={"c": {**CONTRAST, **sides}}))
    assert set(tables["associations"]["item_id"]) == {"i1", "i2", "i3", "i4"}


def test_classic_tests_can_be_switched_off_and_sets_be_out_of_reach(root: Path) -> None:
    tables = ran(root, settings(classic=False))
    assert tables["classic"].empty
    assert len(tables["contrasts"]) == 6
    tables = run_weat(settings(), root, {}, 7, root / "other")
    assert tables["contrasts"].empty
    assert len(tables["classic"]) == 3
    assert run_weat(WeatSettings(), Path(__file__).parents[2], {}, 7, root / "none")[
        "classic"
    ].empty


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"a": "nice"}, ConfigurationError, r"weat\.contrasts\.c: .* no word list 'nice'"),
        (
            {"guise": {"name": "nice", "texts": {"text": "gone"}}},
            ItemError,
            r"items\.csv: column missing: gone; correct weat\.contrasts",
        ),
        (
            {"guise": {**SIDES["guise"], "where": {"kind": "z"}}},
            ItemError,
            r"items\.csv: no row of guise nice",
        ),
    ],
)
def test_faults_are_named_before_anything_is_written(
    root: Path, change: dict[str, Any], kind: type[IsoglossError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        ran(root, settings(contrasts={"c": {**CONTRAST, **change}}))
    assert not (root / "out").exists()


def test_an_encoder_is_asked_for_words_and_texts(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(texts: list[str]) -> np.ndarray:
        sums = [[sum(map(ord, t)) % 97 + 1, len(t), t.count("e") + 1] for t in texts]
        return np.array(sums, dtype=np.float32)

    identity = {"origin": "some model", "sha256": "0" * 64, "backend": "x"}
    monkeypatch.setattr("isogloss.models.encoder.load_encoder", lambda *_: encode)
    monkeypatch.setattr("isogloss.models.encoder.encoder_identity", lambda *_: identity)
    tables = ran(root, settings(embeddings={"enc": {"kind": "encoder"}}))
    assert set(tables["vocabulary"]["status"]) == {"encoded"}
    assert tables["classic"]["n_x"].tolist() == [5]
    assert tables["associations"]["status"].tolist() == ["ok"] * 10
    assert tables["embeddings"].iloc[0]["dimension"] == 3


def test_an_item_twice_in_a_guise_is_named(root: Path) -> None:
    path = root / "items.csv"
    path.write_text(ITEMS.replace("i2,", "i1,"), encoding="utf-8")
    with pytest.raises(ItemError, match="two rows of guise nice have item_id 'i1'"):
        ran(root, settings())


@pytest.mark.slow
def test_the_default_encoder_knows_flowers_from_insects(project: Path, tmp_path: Path) -> None:
    chosen = WeatSettings.model_validate(
        {"embeddings": {"encoder": {"kind": "encoder"}}, "n_bootstrap": 200, "n_permutations": 999}
    )
    found = run_weat(chosen, project, {}, 7, tmp_path)["classic"].set_index("test")
    assert found.loc["W1", "effect_size"] > 1
    assert found.loc["W1", "p_value"] == 1 / 1000
    assert set(found["status"]) == {"ok"}


class _Project:
    """What the command needs of a project."""

    def __init__(self, root: Path, chosen: WeatSettings, sets: list[str]) -> None:
        self.root, self._sets = root, sets
        self.config = type("Config", (), {"weat": chosen, "seed": 7})

    def sets(self) -> list[str]:
        return self._sets

    def weat_paths(self) -> list[str]:
        return [f"data/results/weat/{name}.csv" for name in ("classic", "contrasts")]


@pytest.mark.parametrize(
    ("within_reach", "min_words", "said"),
    [
        (True, 4, "c, text, text, paired: d = "),
        (True, 5, "c, text, text, paired: not estimable (word list good: 4 of 4"),
        (False, 4, "c was not tested: item set some/set"),
    ],
)
def test_the_command_reads_the_items_of_sets_within_reach(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    within_reach: bool,
    min_words: int,
    said: str,
) -> None:
    folder = root / "data/items/some/set"
    folder.mkdir(parents=True)
    (root / "items.csv").rename(folder / "items.csv")
    project = _Project(root, settings(min_words=min_words), ["some/set"] if within_reach else [])
    monkeypatch.setattr(weat_cli, "open_project", lambda _: project)
    monkeypatch.setattr("isogloss.weat_cli.logger.propagate", True)
    with caplog.at_level("INFO", logger="isogloss"):
        weat_cli.weat(root / "out", Path("config.yaml"))
    assert (root / "out" / "classic.csv").is_file()
    assert said in caplog.text
