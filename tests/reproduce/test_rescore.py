"""Prompts of a study asked again: what is drawn, what is compared, and what is left out."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.reproduce.conftest import SEED, answered, asked_model, items, settings
from tests.studies.fake_model import FakeModel

from isogloss.reproduce.answering import RecordedAnswers
from isogloss.reproduce.compare import Rules
from isogloss.reproduce.findings import TableComparison
from isogloss.reproduce.rescore import (
    Answered,
    Prompts,
    answer_again,
    compare_answers,
    prompts_of,
    rescored,
)
from isogloss.reproduce.tolerances import Tolerance, Tolerances
from isogloss.score.backend import Backend
from isogloss.score.responses import Response, read_responses, write_responses
from isogloss.score.stage import Scoring
from isogloss.studies.base import Origin
from isogloss.studies.hedging.study import Hedging
from isogloss.studies.recruitment.settings import RecruitmentSettings
from isogloss.studies.recruitment.study import Recruitment

STRICT = Rules(Tolerances(default=Tolerance(relative=1e-12, reason="the same machine"), tables={}))
TABLE = "data/responses/hedging/own/tiny.parquet"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A recorded table of the stand-in's answers."""
    write_responses(answered(items()), tmp_path / "tiny.parquet")
    return tmp_path / "tiny.parquet"


def scoring() -> Scoring:
    return Scoring(Hedging(), settings(), items(), Origin("tiny", SEED))


def again(
    path: Path,
    choose: Callable[[Prompts], frozenset[str]],
    backend: Backend | None = None,
    asked_about: Scoring | None = None,
) -> tuple[Answered, Prompts]:
    model = asked_model() if backend is None else backend
    known, about = RecordedAnswers(read_responses(path)), asked_about or scoring()
    prompts = prompts_of(about, model, known)
    assert not getattr(model, "scored", {})
    return answer_again(about, model, known, prompts, choose(prompts), lambda _: None), prompts


def compared(path: Path, answers: Answered) -> tuple[TableComparison, TableComparison]:
    return compare_answers(TABLE, pq.read_table(path), answers, STRICT)


def everything(prompts: Prompts) -> frozenset[str]:
    return frozenset(prompts.drawable)


def rows(path: Path, **columns: str) -> pd.DataFrame:
    frame = read_responses(path)
    for name, value in columns.items():
        frame = frame[frame[name] == value]
    return frame


def edit(path: Path, change: Callable[[list[dict]], None]) -> None:
    table = pq.read_table(path)
    listed = table.to_pylist()
    change(listed)
    pq.write_table(pa.Table.from_pylist(listed, schema=table.schema), path)


def test_without_a_draw_every_question_is_rebuilt_and_none_asked(path: Path) -> None:
    model = asked_model()
    answers, prompts = again(path, lambda _: frozenset(), model)
    assert (model.scored, model.written, answers.asked) == ({}, {}, frozenset())
    questions, new = compared(path, answers)
    reasoned = rows(path, mode="reasoned")
    assert (questions.result, questions.rows) == (
        "same values",
        len(read_responses(path)) - len(reasoned),
    )
    assert new.rows == 0
    count = rescored(TABLE, "tiny", prompts, [], answers)
    assert (count.drawn, count.rows, count.not_rebuilt) == (0, 0, len(reasoned))


def test_all_prompts_asked_again_give_every_row_the_recorded_values(path: Path) -> None:
    answers, prompts = again(path, everything)
    questions, new = compared(path, answers)
    assert (questions.result, new.result) == ("same values", "same values")
    assert new.rows == questions.rows == len(read_responses(path))
    assert rescored(TABLE, "tiny", prompts, prompts.drawable, answers).not_rebuilt == 0


def test_only_what_is_drawn_is_asked(path: Path) -> None:
    model = asked_model()
    chosen = frozenset(rows(path, task="rating", mode="direct")["prompt_sha256"].iloc[[0, 5]])
    answers, _ = again(path, lambda _: chosen, model)
    assert answers.asked == chosen
    assert sum(len(tasks) for tasks in model.scored.values()) == 2
    assert model.written == {}
    _, new = compared(path, answers)
    named = rows(path)
    assert new.rows == named["prompt_sha256"].isin(chosen).sum() > 2


def test_a_drawn_text_is_written_again_and_the_answer_after_it_too(path: Path) -> None:
    model = asked_model()
    known = set(rows(path)["prompt_sha256"])
    answers, _ = again(path, lambda p: frozenset(list(set(p.drawable) - known)[:1]), model)
    assert [len(tasks) for tasks in model.written.values()] == [1]
    _, new = compared(path, answers)
    assert (new.result, new.rows) == ("same values", 1)
    assert len(answers.asked) == 2


def test_a_changed_number_is_found_where_its_prompt_is_drawn(path: Path) -> None:
    def change(listed: list[dict]) -> None:
        listed[4]["probabilities"][2] += 1e-6

    edit(path, change)
    prompt = read_responses(path)["prompt_sha256"][4]
    found = compared(path, again(path, lambda _: frozenset([prompt]))[0])[1]
    assert found.result == "differs"
    [number] = [one for one in found.numbers if one.beyond]
    assert (number.column, number.cells) == ("probabilities", 1)
    assert number.largest_absolute == pytest.approx(1e-6, rel=1e-6)
    other = read_responses(path)["prompt_sha256"][5]
    assert compared(path, again(path, lambda _: frozenset([other]))[0])[1].ok


@pytest.mark.parametrize("mode", ["reasoned", "direct"])
def test_a_changed_text_or_outcome_is_found(path: Path, mode: str) -> None:
    def change(listed: list[dict]) -> None:
        [first, *_] = [row for row in listed if row["mode"] == mode]
        first.update({"text": "Other reasons."} if mode == "reasoned" else {"modal": "9"})

    edit(path, change)
    assert compared(path, again(path, everything)[0])[1].result == "differs"


def test_a_changed_prompt_is_found_without_asking(path: Path) -> None:
    def change(listed: list[dict]) -> None:
        listed[0]["prompt_sha256"] = "0" * 64

    edit(path, change)
    questions, _ = compared(path, again(path, lambda _: frozenset())[0])
    assert questions.result == "differs"
    assert questions.texts[0].column == "prompt_sha256"


def test_a_row_that_no_question_leads_to_is_found(path: Path) -> None:
    def change(listed: list[dict]) -> None:
        listed.append({**listed[0], "repeat": 7})
        del listed[1]

    edit(path, change)
    questions, _ = compared(path, again(path, lambda _: frozenset())[0])
    assert (questions.only_recorded, questions.only_found) == (1, 1)


def test_decisions_are_asked_about_the_recorded_ratings(path: Path) -> None:
    drawn = frozenset(rows(path, task="decision")["prompt_sha256"])
    answers, _ = again(path, lambda _: drawn)
    assert answers.asked == drawn
    assert compared(path, answers)[1].ok


class Moved(FakeModel):
    """A model whose probabilities are a little others."""

    def read(self, tasks):  # type: ignore[no-untyped-def]
        for batch in super().read(tasks):
            yield [
                (i, replace(one, probabilities=tuple(p * (1 + n / 1e4) for n, p in enumerate(ps))))
                for i, one in batch
                for ps in [one.probabilities]
            ]


def test_another_model_differs(path: Path) -> None:
    answers, _ = again(path, everything, Moved(announced=["again"]))
    _, new = compared(path, answers)
    assert new.result == "differs"
    assert {"probabilities", "answer_mass"} <= {n.column for n in new.numbers if n.beyond}


@pytest.mark.parametrize("silent", ["Careful answer 02", "Plain answer 01"])
def test_answers_without_mass_are_fed_and_compared(tmp_path: Path, silent: str) -> None:
    model = FakeModel(silent=silent)
    recorded = Hedging().respond(items(), model.asker, settings(), Origin("tiny", SEED))
    assert "low_mass" in {row.outcome for row in recorded}
    path = tmp_path / "tiny.parquet"
    write_responses(recorded, path)
    fresh = FakeModel(silent=silent, announced=["again"])
    questions, _ = compared(path, again(path, lambda _: frozenset(), fresh)[0])
    assert questions.result == "same values"
    fresh = FakeModel(silent=silent, announced=["again"])
    assert compared(path, again(path, everything, fresh)[0])[1].ok


def _postings() -> Scoring:
    rows = [
        {
            "item_id": f"job{n}", "occupation": "baker",
            "agentic_title": f"Driven Baker {n}", "agentic": f"Lead the bakery {n}.",
            "communal_title": f"Caring Baker {n}", "communal": f"Support the bakery {n}.",
        }
        for n in range(1, 4)
    ]  # fmt: skip
    table = replace(
        items(),
        item_set="gender",
        items=pd.DataFrame(rows),
        valid={(row["item_id"], "agentic - communal"): True for row in rows},
    )
    own = RecruitmentSettings.model_validate(
        {
            "runs": [{"items": "gender", "models": ["tiny"]}],
            "scoring": {"generated": {"items": 2, "max_new_tokens": 8}},
        }
    )
    return Scoring(Recruitment(), own, table, Origin("tiny", SEED))


def test_written_answers_are_asked_again_too(tmp_path: Path) -> None:
    about = _postings()
    recorded: list[Response] = about.study.respond(
        about.table, FakeModel().asker, about.settings, about.origin
    )
    path = tmp_path / "tiny.parquet"
    write_responses(recorded, path)
    drawn = frozenset(r.prompt_sha256 or "" for r in recorded if r.mode == "generated")
    model = asked_model()
    answers, _ = again(path, lambda _: drawn, model, about)
    assert answers.asked == drawn
    assert model.scored == {}
    questions, new = compared(path, answers)
    assert (questions.result, new.result) == ("same values", "same values")
    assert (new.rows, questions.rows) == (len(drawn), len(recorded))
