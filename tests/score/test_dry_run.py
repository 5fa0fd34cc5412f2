from collections.abc import Callable
from pathlib import Path

import pytest
from tests.score.local.hooks import watching
from tests.score.local.reference import RATING, user

from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet
from isogloss.score.ask import Asker
from isogloss.score.backend import Decoding
from isogloss.score.dry_run import DryRun, UnchangedStore
from isogloss.score.local.backend import LocalBackend
from isogloss.score.progress import Progress
from isogloss.score.requests import ReasonedRequest, Request, TextRequest
from isogloss.score.store import ResponseStore

AskerFactory = Callable[..., Asker]

LETTERS = AnswerSet(("a", "b"), (("a",), ("b",)), "Answer: ")


@pytest.fixture(scope="module")
def llama(tiny_models: dict[str, LocalModel]) -> LocalModel:
    return tiny_models["llama"]


def test_everything_is_counted_and_nothing_asked_or_stored(
    llama: LocalModel, tmp_path: Path
) -> None:
    dry = DryRun(LocalBackend(llama))
    requests = [Request(user(text), RATING) for text in ("a", "b", "a")]
    reasoned = ReasonedRequest(user("c"), LETTERS, "Reason:", "\nAnswer", max_new_tokens=9)
    text = TextRequest(user("a"), Decoding(5))
    with ResponseStore(tmp_path / "responses.sqlite") as store, watching(llama.model) as work:
        asker = Asker(dry, UnchangedStore(store), progress=Progress)
        readings = asker.score(requests, "all")
        asker.reason([reasoned], "reasoned")
        asker.write([text], "texts")
        assert store.summary() == []
    assert work.tokens == []
    assert [reading.probabilities for reading in readings] == [(0.2,) * 5] * 3
    assert dry.total.requests == 2 + 2 + 1
    assert dry.total.completion_tokens == 9 + 5


def test_what_is_stored_need_not_be_asked(
    llama: LocalModel, tmp_path: Path, asker_for: AskerFactory
) -> None:
    requests = [Request(user(text), RATING) for text in ("a", "b", "c")]
    known = asker_for(llama, store="kept").score(requests[:2], "some")
    dry = DryRun(LocalBackend(llama))
    with ResponseStore(tmp_path / "kept" / "responses.sqlite") as store:
        asker = Asker(dry, UnchangedStore(store), progress=Progress)
        assert asker.score(requests, "all")[:2] == known
    assert dry.total.requests == 1
