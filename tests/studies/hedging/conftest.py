"""Item tables of the study, and a stand-in for a model."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from tests.studies.fake_model import FakeModel

from isogloss.stimuli import write_items
from isogloss.studies.base import ItemTable
from isogloss.studies.hedging.study import Hedging
from isogloss.validate.items import read_items

CONTRASTS = [contrast.name for contrast in Hedging.contrasts]


@pytest.fixture
def fake() -> FakeModel:
    """A stand-in for a model whose probabilities are seen and whose replies can be begun."""
    return FakeModel()


@pytest.fixture
def served() -> FakeModel:
    """A stand-in for a model behind a server without log-probabilities."""
    return FakeModel(serves=True)


def rows(count: int) -> list[dict[str, str]]:
    """Return items whose texts say which item and guise they are."""
    return [
        {
            "item_id": f"i{n:02d}",
            "category": "Teamwork" if n % 2 else "Initiative",
            "guiding_question": "What do others gain?" if n % 2 else "What did they begin?",
            "question": f"Question {n:02d}?",
            "confident": f"Plain answer {n:02d}.",
            "hedged": f"Careful answer {n:02d}.",
            "accent": f"Bare answer {n:02d}.",
        }
        for n in range(1, count + 1)
    ]


@pytest.fixture
def table() -> ItemTable:
    """Fourteen items: two without a valid hedged answer, one of them without any valid pair."""
    items = pd.DataFrame(rows(14))
    valid = {(item, name): True for item in items["item_id"] for name in CONTRASTS}
    valid["i03", CONTRASTS[0]] = False
    valid["i05", CONTRASTS[0]] = valid["i05", CONTRASTS[1]] = False
    return ItemTable("own", items, valid)


@pytest.fixture(scope="session")
def own_items(project: Path, tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The authored items as the stage `stimuli` writes them."""
    out = tmp_path_factory.mktemp("own")
    study = Hedging()
    paths = [project / file for file in study.item_sets["own"].files]
    write_items(study.read_items("own", paths), "question", str(paths[0]), out)
    return read_items(out / "items.csv", ["confident", "hedged", "accent"])


@pytest.fixture(scope="session")
def published_items(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The published items as the stage `stimuli` writes them."""
    out = tmp_path_factory.mktemp("published")
    path = mirror / "hedging" / "hedging_questions.csv"
    write_items(Hedging().read_items("published", [path]), "question", str(path), out)
    return read_items(out / "items.csv", ["confident", "hedged"])


@pytest.fixture
def published(published_items: pd.DataFrame) -> ItemTable:
    """The published items, every pair valid but the second."""
    name = CONTRASTS[0]
    valid = {(item, name): item != "published-002" for item in published_items["item_id"]}
    return ItemTable("published", published_items, valid)


@pytest.fixture
def words() -> Callable[[str], set[str]]:
    """Return the words of a text."""
    return lambda text: set(re.findall(r"[a-z']+", text.lower()))
