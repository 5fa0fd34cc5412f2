"""Item tables of the study, and a stand-in for a model."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pandas as pd
import pytest

from isogloss.score.ask import Asker, Reading, Request, TextRequest, reading_of
from isogloss.stimuli import write_items
from isogloss.studies.base import ItemTable
from isogloss.studies.hedging.study import Hedging
from isogloss.validate.items import read_items

CONTRASTS = [contrast.name for contrast in Hedging.contrasts]


def shares(text: str, count: int) -> list[float]:
    """Return `count` probabilities, not summing to 1, decided by the text alone."""
    digest = hashlib.sha256(text.encode()).digest()
    return [(1 + digest[i]) / 2000 for i in range(count)]


@dataclass
class FakeAsker:
    """Answers at once, and keeps what it was asked."""

    silent: str = "\0"
    """A prompt with this text in it gets no answer mass."""
    scored: list[Request] = field(default_factory=list)
    continued: list[TextRequest] = field(default_factory=list)
    announced: list[str] = field(default_factory=list)

    def score(self, requests: Sequence[Request], what: str) -> list[Reading]:
        self.announced.append(what)
        self.scored += requests
        return [self._reading(request) for request in requests]

    def continue_(self, requests: Sequence[TextRequest], what: str) -> list[str]:
        self.announced.append(what)
        self.continued += requests
        return [f"because {shares(prompt_of(request), 1)[0]}" for request in requests]

    def _reading(self, request: Request) -> Reading:
        prompt = prompt_of(request)
        raw = shares(prompt, len(request.answers.labels))
        if self.silent in prompt:
            raw = [0.0 for _ in raw]
        digest = hashlib.sha256(prompt.encode()).hexdigest()
        return reading_of(raw, request.answers, digest, request.min_answer_mass)

    @property
    def asker(self) -> Asker:
        """The same object, where a real asker is expected."""
        return cast(Asker, self)


def prompt_of(request: Request | TextRequest) -> str:
    """Return everything a model would read."""
    prefix = request.answers.reply_prefix if isinstance(request, Request) else ""
    return "\n".join(m.content for m in request.messages) + "\n" + request.reply + prefix


@pytest.fixture
def fake() -> FakeAsker:
    """A stand-in for a model."""
    return FakeAsker()


@pytest.fixture
def prompt() -> Callable[[Request | TextRequest], str]:
    """Return the text that a request puts to a model."""
    return prompt_of


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
    write_items(study, "own", [project / file for file in study.item_sets["own"].files], out)
    return read_items(out / "items.csv", ["confident", "hedged", "accent"])


@pytest.fixture(scope="session")
def published_items(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The published items as the stage `stimuli` writes them."""
    out = tmp_path_factory.mktemp("published")
    write_items(Hedging(), "published", [mirror / "hedging" / "hedging_questions.csv"], out)
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
