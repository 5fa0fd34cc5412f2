"""One item set scored with a tiny model from a folder, through store and manifest."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from isogloss.config.schema import OpenAIModel, Run, StudySettings, TransformersModel
from isogloss.errors import ModelError, ResponseError
from isogloss.models.identity import manifest_of, write_manifest
from isogloss.models.local import LocalModel, load_model
from isogloss.score.answers import rating_scale
from isogloss.score.ask import Asker
from isogloss.score.prompts import Message
from isogloss.score.requests import Request
from isogloss.score.responses import Response, read_responses, write_responses
from isogloss.score.stage import Opened, Scoring, estimate_items, open_backend, score_items
from isogloss.score.store import DEFAULT_STORE, ResponseStore
from isogloss.studies.base import ItemTable, Origin, Study

RATING = rating_scale(1, 5, "Rating: ")
SETTINGS = StudySettings(runs=(Run(items="own", models=("tiny",)),))
CONFIG = TransformersModel(backend="transformers", path="model")


class ToyStudy(Study):
    """One rating for each item; can be made to die after some batches."""

    name = "toy"
    dies_after: int | None = None

    def respond(
        self,
        table: ItemTable,
        asker: Asker,
        settings: StudySettings,  # noqa: ARG002
        origin: Origin,
    ) -> list[Response]:
        requests = [
            Request((Message("user", question),), RATING) for question in table.items["question"]
        ]
        if self.dies_after is not None:
            asker.score(requests[: self.dies_after], "ratings")
            raise KeyboardInterrupt
        row = Response(
            study="toy", model=origin.model, item_set=table.item_set, item_id="", guise="plain",
            condition="baseline", mode="direct", task="rating", outcome="error",
        )  # fmt: skip
        readings = asker.score(requests, "ratings")
        return [
            reading.onto(replace(row, item_id=item_id), RATING)
            for item_id, reading in zip(table.items["item_id"], readings, strict=True)
        ]

    def read_items(self, item_set: str, paths: Sequence[Path]) -> pd.DataFrame:
        raise NotImplementedError

    def checks(self, item_set: str, settings: StudySettings) -> Any:
        raise NotImplementedError

    def replay(self, table: ItemTable, path: Path, origin: Origin) -> list[Response]:
        raise NotImplementedError

    def plan(self, settings: StudySettings, seed: int) -> Any:
        raise NotImplementedError


@pytest.fixture
def place(tiny_models: dict[str, LocalModel], tmp_path: Path) -> Path:
    """Return a project with a model in `model/` and its manifest."""
    local = tiny_models["llama"]
    local.model.save_pretrained(tmp_path / "model")
    local.tokenizer.save_pretrained(tmp_path / "model")
    described = load_model("tiny", CONFIG, {}, tmp_path).identity
    write_manifest(manifest_of(described), tmp_path / "tiny.json")
    return tmp_path


def _scoring(study: ToyStudy | None = None) -> Scoring:
    questions = [f"is it {'so ' * n}" for n in range(1, 7)]
    items = pd.DataFrame({"item_id": [f"item-{n}" for n in range(6)], "question": questions})
    table = ItemTable("own", items, {})
    return Scoring(study or ToyStudy(), SETTINGS, table, Origin("tiny", seed=1))


def _opened(place: Path) -> Opened:
    return open_backend("tiny", CONFIG, {}, place)


def _score(place: Path, study: ToyStudy | None = None) -> list[Response]:
    return score_items(_scoring(study), _opened(place), place / "tiny.json", place)


def test_every_item_gets_a_row_and_the_table_comes_back(place: Path) -> None:
    rows = _score(place)
    write_responses(rows, place / "tiny.parquet")
    frame = read_responses(place / "tiny.parquet")
    assert list(frame["item_id"]) == [f"item-{n}" for n in range(6)]
    assert set(frame["outcome"]) == {"ok"}
    assert list(frame["expected"]) == [row.expected for row in rows]
    assert frame["expected"].between(1, 5).all()
    assert frame["expected"].nunique() == 6


def test_a_run_that_died_goes_on_to_the_same_numbers(
    place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = _score(place)
    (place / DEFAULT_STORE).unlink()
    dying = ToyStudy()
    dying.dies_after = 3
    with pytest.raises(KeyboardInterrupt):
        _score(place, dying)
    resumed = _score(place)
    for a, b in zip(resumed, whole, strict=True):
        # Other batches, other order of sums: the bound of the engine's own tests.
        assert a.probabilities == pytest.approx(b.probabilities, abs=1e-5)
        assert replace(a, probabilities=None, expected=None, answer_mass=None) == replace(
            b, probabilities=None, expected=None, answer_mass=None
        )
    assert _score(place) == resumed


def test_another_model_than_the_manifest_describes_is_not_asked(place: Path) -> None:
    template = place / "model" / "chat_template.jinja"
    template.write_text(template.read_text(encoding="utf-8") + " ", encoding="utf-8")
    with pytest.raises(ModelError, match="model tiny is not the one that"):
        _score(place)
    assert not (place / DEFAULT_STORE).exists()


def test_a_missing_manifest_is_named(place: Path) -> None:
    (place / "tiny.json").unlink()
    with pytest.raises(ModelError, match=r"tiny\.json: not a readable model manifest"):
        _score(place)


def test_a_store_that_is_none_stops_the_run(place: Path) -> None:
    (place / DEFAULT_STORE).parent.mkdir()
    (place / DEFAULT_STORE).write_bytes(b"nothing of the kind " * 100)
    with pytest.raises(ResponseError, match="not a database"):
        _score(place)


def test_the_store_knows_the_model_by_name(place: Path) -> None:
    _score(place)
    with ResponseStore(place / DEFAULT_STORE) as store:
        (stored,) = store.summary()
    assert stored.name == "tiny"


def test_a_dry_run_counts_what_is_left_and_stores_nothing(place: Path) -> None:
    opened = _opened(place)
    prompts = [
        opened.backend.render((Message("user", question),), "Rating: ").tokens
        for question in _scoring().table.items["question"]
    ]
    beginnings = {tokens[:n] for tokens in prompts for n in range(1, len(tokens) + 1)}
    estimate = estimate_items(_scoring(), opened, place)
    assert (estimate.requests, estimate.prompt_tokens) == (6, len(beginnings))
    assert estimate.completion_tokens == 0
    assert estimate_items(_scoring(), opened, place) == estimate
    _score(place)
    assert estimate_items(_scoring(), opened, place).requests == 0


def test_a_server_is_opened_without_being_spoken_to(place: Path) -> None:
    served = OpenAIModel(
        backend="openai", base_url="https://api.example.org/v1", model="big", api_key_env="NO_KEY"
    )
    opened = open_backend("big", served, {}, place)
    assert opened.identity.name == "big"
    assert opened.backend.digest == opened.identity.digest
    assert not opened.backend.begins_replies
    assert estimate_items(_scoring(), opened, place).requests == 6
