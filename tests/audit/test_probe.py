"""Stage S2 asks every question once and loses none of the answers."""

import pytest
from tests.studies.fake_model import FakeModel, shares

from isogloss.audit.grid import DEFAULT_ATTRIBUTES, Background, Grid, grid_of
from isogloss.audit.probe import probe, questions_about
from isogloss.audit.settings import AuditSettings
from isogloss.postings.posting import Posting

POSTING = Posting("Baker", "Bake bread.")
SETTINGS = AuditSettings()


@pytest.fixture
def grid() -> Grid:
    return grid_of(DEFAULT_ATTRIBUTES, (Background("new", "Is new."), Background("old", "Is old.")))


def test_every_persona_meets_every_background_in_both_roles(grid: Grid) -> None:
    asked = questions_about(POSTING, grid, SETTINGS)
    cells = {(one.role, one.persona.name, one.background.name) for one in asked}
    assert len(cells) == len(asked) == 2 * 9 * 2
    texts = {one.messages for one in asked}
    assert len(texts) == len(asked), "no two questions are alike"


def test_probes_hold_the_answers_to_their_questions(grid: Grid) -> None:
    fake = FakeModel()
    asked = questions_about(POSTING, grid, SETTINGS)
    found = probe(asked, grid, fake.asker, SETTINGS)
    prompts = {task.prompt.sha256: task.prompt.text for task in fake.scored["personas"]}
    assert len(found) == len(asked)
    for question, one in zip(asked, found, strict=True):
        text = prompts[one.prompt_sha256]
        raw = shares(text, 10)
        assert question.background.text in text
        assert (one.role, one.persona) == (question.role, question.persona.name)
        assert one.modal == 1 + raw.index(max(raw))
        assert one.expected == pytest.approx(
            sum(n * p for n, p in enumerate(raw, start=1)) / sum(raw)
        )


def test_a_refused_persona_has_probes_without_score(grid: Grid) -> None:
    fake = FakeModel(serves=True, offended="Gender: Female")
    found = probe(questions_about(POSTING, grid, SETTINGS), grid, fake.asker, SETTINGS)
    women = [one for one in found if ("gender", "female") in one.attributes]
    assert {one.outcome for one in women} == {"refusal"}
    assert all(one.modal is None and one.expected is None and one.reason for one in women)
    assert {one.outcome for one in found if one not in women} == {"ok"}


def test_roles_can_be_left_out(grid: Grid) -> None:
    settings = AuditSettings(roles=("recruiter",))
    assert {one.role for one in questions_about(POSTING, grid, settings)} == {"recruiter"}
