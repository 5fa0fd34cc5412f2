"""Every question of the study is asked once, and every answer has its row."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.studies.fake_model import FakeModel, shares, written_number

from isogloss.postings.posting import Posting
from isogloss.score.responses import Response, read_responses, write_responses
from isogloss.studies.base import ItemTable, Origin
from isogloss.studies.recruitment.items import Wording
from isogloss.studies.recruitment.respond import drawn_items
from isogloss.studies.recruitment.settings import (
    AblationSettings,
    GeneratedSettings,
    RecruitmentSettings,
    ScoringSettings,
)
from isogloss.studies.recruitment.study import Recruitment

SCORING = ScoringSettings()
SINGLE_RACES = {"unspecified", "white", "black", "asian", "hispanic"}


def ask(table: ItemTable, fake: FakeModel, scoring: ScoringSettings = SCORING) -> list[Response]:
    runs = [{"items": table.item_set, "models": ["m"]}]
    settings = RecruitmentSettings.model_validate({"runs": runs, "scoring": scoring})
    return Recruitment().respond(table, fake.asker, settings, Origin("m", 7))


def test_every_cell_of_the_gender_design_has_one_row(gender: ItemTable, fake: FakeModel) -> None:
    rows = ask(gender, fake)
    cells = Counter((r.item_id, r.guise, r.persona, r.task, r.condition) for r in rows)
    expected = {
        (item, guise, persona, role, part)
        for item in ("job1", "job3", "job4")
        for guise in ("agentic", "communal")
        for persona in ("unspecified", "female", "male")
        for role in ("recruiter", "job_seeker")
        for part in ("full", "description", "title")
    }
    assert cells == Counter(dict.fromkeys(expected, 1))


def test_races_are_crossed_with_gender_for_the_whole_posting(
    exclusion: ItemTable, fake: FakeModel
) -> None:
    rows = ask(exclusion, fake)
    by_part = {
        part: {str(r.persona) for r in rows if r.condition == part}
        for part in ("full", "description", "title")
    }
    assert by_part["description"] == SINGLE_RACES
    assert len(by_part["full"]) == 13
    assert by_part["full"] > SINGLE_RACES
    assert not by_part["title"], "both wordings share the title, which tells nothing apart"


def test_settings_leave_questions_out(exclusion: ItemTable, fake: FakeModel) -> None:
    scoring = ScoringSettings(
        roles=("recruiter",), crossed=False, ablations=AblationSettings(conditions=(), roles=())
    )
    rows = ask(exclusion, fake, scoring)
    assert {(r.task, r.condition) for r in rows} == {("recruiter", "full")}
    assert {r.persona for r in rows} == SINGLE_RACES


def test_failed_wordings_are_asked_about_on_request_and_marked(
    gender: ItemTable, unpaired: ItemTable, fake: FakeModel
) -> None:
    assert all(r.valid_pair for r in ask(gender, fake))
    scoring = ScoringSettings(failed_wordings=True)
    marked = {r.item_id: r.valid_pair for r in ask(gender, fake, scoring)}
    assert marked == {"job1": True, "job2": False, "job3": True, "job4": True}
    assert {r.item_id for r in ask(unpaired, fake)} == {"1", "2", "3"}


def test_a_row_holds_the_answer_to_its_own_question(gender: ItemTable, fake: FakeModel) -> None:
    rows = ask(gender, fake)
    row = next(
        r
        for r in rows
        if (r.item_id, r.guise, r.persona) == ("job3", "agentic", "female")
        and (r.task, r.condition) == ("job_seeker", "description")
    )
    (task,) = [
        task
        for task in fake.scored["m on gender: scores"]
        if "Lead the bakery 3." in task.prompt.text
        and "Driven" not in task.prompt.text
        and "Gender: Female" in task.prompt.text
        and "interest_score" in task.prompt.text
    ]
    raw = shares(task.prompt.text, 10)
    assert row.prompt_sha256 == task.prompt.sha256
    assert row.probabilities == pytest.approx([p / sum(raw) for p in raw])
    assert row.expected == pytest.approx(sum(n * p for n, p in enumerate(raw, start=1)) / sum(raw))


def test_written_scores_are_read_or_malformed(gender: ItemTable, fake: FakeModel) -> None:
    scoring = ScoringSettings(generated=GeneratedSettings(items=2))
    rows = [r for r in ask(gender, fake, scoring) if r.mode == "generated"]
    assert len({r.item_id for r in rows}) == 2
    assert len(rows) == 2 * 2 * 3 * 2
    tasks = {t.prompt.sha256: t for t in fake.written["m on gender: written scores"]}
    assert all(t.decoding.temperature == 0 for t in tasks.values())
    for row in rows:
        number = written_number(tasks[str(row.prompt_sha256)].prompt.text)
        if number > 10:
            assert (row.outcome, row.expected, row.modal) == ("malformed", None, None)
            assert row.reason == f"not from 1 to 10: '{number}'"
        else:
            assert (row.outcome, row.expected, row.modal) == ("ok", float(number), str(number))
        assert row.probabilities is None
    assert {r.outcome for r in rows} == {"ok", "malformed"}


def test_a_persona_that_is_refused_has_rows_that_say_so(gender: ItemTable) -> None:
    fake = FakeModel(serves=True, offended="Gender: Female")
    scoring = ScoringSettings(generated=GeneratedSettings(items=3))
    rows = ask(gender, fake, scoring)
    refused = {(r.persona, r.mode) for r in rows if r.outcome == "refusal"}
    assert refused == {("female", "direct"), ("female", "generated")}
    assert all(r.expected is None and r.reason for r in rows if r.outcome == "refusal")
    assert all(r.outcome == "refusal" for r in rows if r.persona == "female")


def test_rows_survive_the_table(gender: ItemTable, fake: FakeModel, tmp_path: Path) -> None:
    rows = ask(gender, fake, ScoringSettings(generated=GeneratedSettings(items=1)))
    write_responses(rows, tmp_path / "m.parquet")
    frame = read_responses(tmp_path / "m.parquet")
    assert list(frame["persona"]) == [r.persona for r in rows]


def wording(item_id: str, guise: str) -> Wording:
    return Wording(item_id, guise, Posting("t", item_id), valid=True)


def test_items_are_drawn_from_every_kind() -> None:
    paired = [wording(f"p{n}", guise) for n in range(9) for guise in ("a", "b")]
    single = [wording(f"{guise}{n}", guise) for n in range(5) for guise in ("a", "b")]
    drawn = drawn_items([*paired, *single], 3, 11, "set")
    assert Counter(name[0] for name in drawn) == {"p": 3, "a": 3, "b": 3}
    assert drawn == drawn_items([*single, *paired][::1], 3, 11, "set")
    assert drawn != drawn_items([*paired, *single], 3, 12, "set")
    assert drawn_items(paired, 0, 11, "set") == set()
    assert len(drawn_items(paired, 99, 11, "set")) == 9


def test_no_answer_mass_is_low_mass(gender: ItemTable, fake: FakeModel) -> None:
    silent = replace(fake, silent="Gender: Male")
    rows = ask(gender, silent)
    assert {r.outcome for r in rows if r.persona == "male"} == {"low_mass"}
    assert {r.outcome for r in rows if r.persona != "male"} == {"ok"}
