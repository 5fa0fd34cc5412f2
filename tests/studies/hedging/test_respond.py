"""Every question of the study is asked once, and every answer has its row."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from tests.studies.fake_model import REFUSAL, FakeModel, likeliest

from isogloss.errors import ItemError
from isogloss.score.parse import DECISIONS
from isogloss.score.responses import Response, read_responses, write_responses
from isogloss.studies.base import ItemTable, Origin
from isogloss.studies.hedging.interviews import draw_interviews, rating_at, sample_items
from isogloss.studies.hedging.prompts import CONDITIONS as INSTRUCTIONS
from isogloss.studies.hedging.prompts import RATING
from isogloss.studies.hedging.settings import (
    HedgingSettings,
    InterviewSettings,
    ReasonedSettings,
    ScoringSettings,
)
from isogloss.studies.hedging.study import Hedging

ITEMS = [f"i{n:02d}" for n in range(1, 15) if n != 5]
"""Items with a valid pair."""
WHOLE = [item for item in ITEMS if item != "i03"]
"""Items whose every guise stands in a valid pair."""
GUISES = ["confident", "hedged", "accent"]
CONDITIONS = ["baseline", "antibias"]
SCORING = ScoringSettings(
    conditions=("baseline", "antibias"),
    reasoned=ReasonedSettings(questions=4, conditions=("baseline",), max_new_tokens=30),
    interviews=InterviewSettings(count=6, questions=5, conditions=("baseline", "antibias")),
)
RATINGS, REASONED, DECIDED = (
    f"m on own: {task}" for task in ("ratings", "reasoned ratings", "decisions")
)
REASONS = f"{REASONED}: reasons"
WORDS = {"confident": "Plain", "hedged": "Careful", "accent": "Bare"}


def settings(scoring: ScoringSettings = SCORING) -> HedgingSettings:
    runs = [{"items": "own", "models": ["m"]}]
    return HedgingSettings.model_validate({"runs": runs, "scoring": scoring})


def ask(
    table: ItemTable, fake: FakeModel, scoring: ScoringSettings = SCORING, seed: int = 3
) -> list[Response]:
    return Hedging().respond(table, fake.asker, settings(scoring), Origin("m", seed))


def of(responses: list[Response], task: str, mode: str = "direct") -> list[Response]:
    return [r for r in responses if (r.task, r.mode) == (task, mode)]


def prompts(fake: FakeModel, what: str) -> list[str]:
    return [task.prompt.text for task in fake.scored[what]]


def beginning(texts: list[str]) -> str:
    """Return what all texts begin with."""
    first, last = min(texts), max(texts)
    return next((first[:i] for i, c in enumerate(first) if last[i : i + 1] != c), first)


def cells(responses: list[Response]) -> Counter[tuple[str, str, str]]:
    return Counter((r.item_id, r.guise, r.condition) for r in responses)


def expected_cells(items: list[str], conditions: list[str]) -> Counter[tuple[str, str, str]]:
    return Counter(
        (item, guise, condition)
        for item in items
        for guise in GUISES
        for condition in conditions
        if (item, guise) != ("i03", "hedged")
    )


def test_each_valid_answer_is_rated_once_under_each_condition(
    table: ItemTable, fake: FakeModel
) -> None:
    ratings = of(ask(table, fake), "rating")
    assert cells(ratings) == expected_cells(ITEMS, CONDITIONS)
    assert {(r.study, r.model, r.item_set, r.outcome) for r in ratings} == {
        ("hedging", "m", "own", "ok")
    }
    assert all(r.answers == ("1", "2", "3", "4", "5") for r in ratings)


def test_a_rating_row_carries_what_the_model_answered(table: ItemTable, fake: FakeModel) -> None:
    ratings = of(ask(table, fake), "rating")
    for response, text in zip(ratings, prompts(fake, RATINGS), strict=True):
        number = response.item_id[1:]
        answer = f"{WORDS[response.guise]} answer {number}."
        assert f"Question: Question {number}?\nAnswer: {answer}\nRating: " in text
        assert sum(text.count(f"{word} answer") for word in WORDS.values()) == 1
        assert f"Category: {response.category}. " in text
        assert response.probabilities is not None
        assert sum(response.probabilities) == pytest.approx(1, abs=1e-12)
        mean = sum(r * p for r, p in enumerate(response.probabilities, start=1))
        assert response.expected == pytest.approx(mean, abs=1e-12)
        assert response.answer_mass is not None
        assert response.answer_mass < 1


def test_prompts_of_one_kind_begin_alike(table: ItemTable, fake: FakeModel) -> None:
    rows = of(ask(table, fake), "rating")
    for condition in CONDITIONS:
        asked = zip(rows, prompts(fake, RATINGS), strict=True)
        shared = beginning([text for row, text in asked if row.condition == condition])
        assert shared.startswith("\n\n".join(INSTRUCTIONS[condition]))
        assert shared.endswith("\n\nCategory: ")
    reasoned = [*prompts(fake, REASONED), *(t.prompt.text for t in fake.written[REASONS])]
    assert beginning(reasoned).startswith("\n\n".join(INSTRUCTIONS["baseline"]))
    assert "1 (far below what the role needs)" in beginning(prompts(fake, DECIDED))


def test_reasons_are_asked_of_the_seeded_sample(table: ItemTable, fake: FakeModel) -> None:
    rows = of(ask(table, fake), "rating", "reasoned")
    chosen = sample_items(ITEMS, 4, 3, "own")
    assert cells(rows) == expected_cells(chosen, ["baseline"])
    written = fake.written[REASONS]
    assert len(written) == len(rows)
    assert {(t.decoding.max_new_tokens, t.decoding.stop) for t in written} == {(30, ("Rating:",))}
    assert {t.decoding.temperature for t in written} == {0.0}


def test_the_rating_after_reasons_reads_the_reasons(table: ItemTable, fake: FakeModel) -> None:
    rows = of(ask(table, fake), "rating", "reasoned")
    asked = zip(rows, fake.written[REASONS], prompts(fake, REASONED), strict=True)
    for row, first, text in asked:
        assert row.text is not None
        assert row.text.startswith("This answer because ")
        begun = first.prompt.text
        assert begun.endswith("\nReasoning: This answer")
        assert f"Answer: {WORDS[row.guise]} answer {row.item_id[1:]}.\n" in begun
        assert text == f"{begun.removesuffix('This answer')}{row.text}\nRating: "
        assert row.answers == RATING.labels
        assert row.probabilities is not None


def test_interviews_ask_every_guise_the_same_questions(table: ItemTable, fake: FakeModel) -> None:
    rows = of(ask(table, fake), "interview_rating")
    assert len(rows) == 6 * 5 * 3 * 2
    asked: dict[int, set[tuple[str, ...]]] = {}
    for number in range(1, 7):
        for guise in GUISES:
            for condition in CONDITIONS:
                sheet = [
                    r.item_id
                    for r in rows
                    if (r.interview, r.guise, r.condition) == (number, guise, condition)
                ]
                assert len(set(sheet)) == 5
                asked.setdefault(number, set()).add(tuple(sheet))
    assert all(len(sheets) == 1 for sheets in asked.values())
    assert len(set().union(*asked.values())) == 6
    assert {r.item_id for r in rows} <= set(WHOLE)


def test_interview_ratings_are_drawn_from_the_direct_ratings(
    table: ItemTable, fake: FakeModel
) -> None:
    responses = ask(table, fake)
    shares = {(r.item_id, r.guise, r.condition): r.probabilities for r in of(responses, "rating")}
    draws = {
        (interview.number, item): u
        for interview in draw_interviews(WHOLE, count=6, questions=5, seed=3, item_set="own")
        for item, u in zip(interview.item_ids, interview.uniforms, strict=True)
    }
    for row in of(responses, "interview_rating"):
        assert row.interview is not None
        found = shares[row.item_id, row.guise, row.condition]
        assert found is not None
        rating = rating_at(draws[row.interview, row.item_id], found)
        assert (row.modal, row.expected) == (str(rating), float(rating))
        assert row.answers is None
        assert row.probabilities is None


def test_each_interview_ends_in_a_decision(table: ItemTable, fake: FakeModel) -> None:
    decisions = of(ask(table, fake), "decision")
    assert cells(decisions) == Counter(
        (f"interview-{n:02d}", guise, condition)
        for n in range(1, 7)
        for guise in GUISES
        for condition in CONDITIONS
    )
    assert {r.outcome for r in decisions} == {"ok"}
    assert all(r.modal in DECISIONS and r.expected is None for r in decisions)


def shown_in(decision: Response, responses: list[Response]) -> str:
    """Return the questions, answers and ratings that the prompt for a decision has to show."""
    sheet = [
        row
        for row in of(responses, "interview_rating")
        if (row.interview, row.guise, row.condition)
        == (decision.interview, decision.guise, decision.condition)
    ]
    return "\n\n".join(
        f"{n}. Question: Question {row.item_id[1:]}?\n"
        f"Answer: {WORDS[row.guise]} answer {row.item_id[1:]}.\nRating: {row.modal}"
        for n, row in enumerate(sheet, start=1)
    )


def test_a_decision_reads_its_interview_and_keeps_the_order_of_options(
    table: ItemTable, fake: FakeModel
) -> None:
    responses = ask(table, fake)
    asked = set(prompts(fake, DECIDED))
    for row in of(responses, "decision"):
        assert row.answers is not None
        end = "".join(f"\nDecision: {option}" for option in row.answers) + "\nDecision:"
        shown = shown_in(row, responses)
        assert any(shown in text and text.endswith(end) for text in asked)
    assert len({r.answers for r in of(responses, "decision")}) > 1


def test_a_missing_rating_is_a_row_and_makes_its_decision_missing(
    table: ItemTable, fake: FakeModel
) -> None:
    fake.silent = "Careful answer 07."
    responses = ask(table, fake)
    silent = [r for r in of(responses, "rating") if (r.item_id, r.guise) == ("i07", "hedged")]
    assert [(r.outcome, r.expected, r.modal) for r in silent] == [("low_mass", None, None)] * 2
    assert all(r.reason for r in silent)
    sheets = [
        r for r in of(responses, "interview_rating") if (r.item_id, r.guise) == ("i07", "hedged")
    ]
    assert sheets
    assert {(r.outcome, r.expected, r.modal) for r in sheets} == {("low_mass", None, None)}
    undecided = [r for r in of(responses, "decision") if r.outcome != "ok"]
    assert {(r.interview, r.guise, r.condition) for r in undecided} == {
        (r.interview, r.guise, r.condition) for r in sheets
    }
    for row in undecided:
        assert row.outcome == "error"
        assert row.reason == "a rating of this interview is missing"
        assert row.modal is None
    assert len(of(responses, "decision")) == 6 * 3 * 2


def test_the_gate_of_answer_mass_reaches_every_rating(table: ItemTable, fake: FakeModel) -> None:
    responses = ask(table, fake, SCORING.model_copy(update={"min_answer_mass": 0.32}))
    for mode in ("direct", "reasoned"):
        rows = of(responses, "rating", mode)
        assert {r.outcome for r in rows} == {"ok", "low_mass"}
        for row in rows:
            assert row.answer_mass is not None
            assert (row.outcome == "low_mass") == (row.answer_mass < 0.32)


def test_the_gate_of_answer_mass_does_not_reach_decisions(
    table: ItemTable, fake: FakeModel
) -> None:
    responses = ask(table, fake, SCORING.model_copy(update={"min_answer_mass": 0.2}))
    decided = [r for r in of(responses, "decision") if r.answer_mass is not None]
    assert {r.outcome for r in decided} == {"ok"}
    assert min(r.answer_mass for r in decided if r.answer_mass) < 0.2


def test_rows_have_keys_of_their_own_and_can_be_written(
    table: ItemTable, fake: FakeModel, tmp_path: Path
) -> None:
    responses = ask(table, fake)
    write_responses(responses, tmp_path / "m.parquet")
    frame = read_responses(tmp_path / "m.parquet")
    assert len(frame) == len(responses) == 76 + 12 + 180 + 36
    assert frame["valid_pair"].all()


def test_the_same_questions_give_the_same_rows(table: ItemTable, fake: FakeModel) -> None:
    assert ask(table, fake) == ask(table, type(fake)())


def test_another_seed_changes_draws_and_no_rating(table: ItemTable, fake: FakeModel) -> None:
    one, two = ask(table, fake), ask(table, type(fake)(), seed=4)
    assert of(one, "rating") == of(two, "rating")
    for task, mode in [("rating", "reasoned"), ("interview_rating", "direct")]:
        assert cells(of(one, task, mode)) != cells(of(two, task, mode))


def test_parts_can_be_turned_off(table: ItemTable, fake: FakeModel) -> None:
    off = SCORING.model_copy(
        update={
            "reasoned": ReasonedSettings(questions=0),
            "interviews": InterviewSettings(count=0),
        }
    )
    responses = ask(table, fake, off)
    assert {(r.task, r.mode) for r in responses} == {("rating", "direct")}
    assert list(fake.scored) == [RATINGS]
    assert fake.written == {}


def test_too_few_valid_items_for_an_interview_is_an_error(
    table: ItemTable, fake: FakeModel
) -> None:
    many = SCORING.model_copy(update={"interviews": InterviewSettings(count=1, questions=13)})
    with pytest.raises(ItemError, match="12 valid items, an interview asks 13"):
        ask(table, fake, many)


def test_too_few_valid_items_are_noticed_before_anything_is_asked(
    table: ItemTable, fake: FakeModel
) -> None:
    many = SCORING.model_copy(update={"interviews": InterviewSettings(count=1, questions=13)})
    with pytest.raises(ItemError):
        ask(table, fake, many)
    assert fake.announced == []


def test_a_set_without_category_has_none_in_its_rows(table: ItemTable, fake: FakeModel) -> None:
    items = table.items.assign(category="", guiding_question="").drop(columns="accent")
    valid = {key: ok for key, ok in table.valid.items() if not key[1].startswith("accent")}
    responses = ask(ItemTable("published", items, valid), fake)
    assert {r.category for r in responses} == {None}
    assert {r.guise for r in responses} == {"confident", "hedged"}
    assert {r.item_id for r in of(responses, "rating")} == set(WHOLE)


def test_progress_is_announced_with_model_and_item_set(table: ItemTable, fake: FakeModel) -> None:
    ask(table, fake)
    assert fake.announced == [RATINGS, REASONS, REASONED, DECIDED]


def test_the_authored_items_give_the_rows_of_the_default_run(
    own_items: pd.DataFrame, fake: FakeModel, tmp_path: Path
) -> None:
    valid = {(i, c.name): True for i in own_items["item_id"] for c in Hedging.contrasts}
    scoring = ScoringSettings(
        reasoned=ReasonedSettings(questions=12),
        interviews=InterviewSettings(count=20, questions=10),
    )
    responses = ask(ItemTable("own", own_items, valid), fake, scoring)
    write_responses(responses, tmp_path / "m.parquet")
    counts = Counter((r.task, r.mode) for r in responses)
    assert counts == {
        ("rating", "direct"): 100 * 3 * 3,
        ("rating", "reasoned"): 12 * 3,
        ("interview_rating", "direct"): 20 * 10 * 3,
        ("decision", "direct"): 20 * 3,
    }


def test_only_the_configured_guises_are_interviewed(table: ItemTable, fake: FakeModel) -> None:
    interviews = InterviewSettings(count=2, questions=3, guises=("hedged", "confident"))
    responses = ask(table, fake, SCORING.model_copy(update={"interviews": interviews}))
    assert Counter(r.guise for r in of(responses, "decision")) == {"confident": 2, "hedged": 2}
    assert {r.guise for r in of(responses, "interview_rating")} == {"confident", "hedged"}
    assert cells(of(responses, "rating")) == expected_cells(ITEMS, CONDITIONS)


def test_without_distributions_a_rating_row_has_what_the_reply_names(
    table: ItemTable, served: FakeModel
) -> None:
    rows = of(ask(table, served), "rating")
    assert cells(rows) == expected_cells(ITEMS, CONDITIONS)
    for row, text in zip(rows, prompts(served, RATINGS), strict=True):
        label = likeliest(text, RATING)
        assert (row.outcome, row.modal, row.expected) == ("ok", label, float(label))
        assert row.text == f"Rating: {label}"
        assert (row.answers, row.probabilities, row.answer_mass) == (None, None, None)
    assert len({row.modal for row in rows}) > 2


def test_without_distributions_reasons_and_rating_come_in_one_reply(
    table: ItemTable, served: FakeModel
) -> None:
    rows = of(ask(table, served), "rating", "reasoned")
    asked = served.scored[REASONED]
    assert served.written == {}
    assert {task.reasons_tokens for task in asked} == {30}
    for row, task in zip(rows, asked, strict=True):
        assert row.modal == likeliest(task.prompt.text, RATING)
        assert row.text == f"It is to the point.\nRating: {row.modal}"
        assert row.probabilities is None


def test_without_distributions_interviews_show_the_rating_that_was_named(
    table: ItemTable, served: FakeModel
) -> None:
    responses = ask(table, served)
    named = {(r.item_id, r.guise, r.condition): r.modal for r in of(responses, "rating")}
    for row in of(responses, "interview_rating"):
        rating = named[row.item_id, row.guise, row.condition]
        assert rating is not None
        assert (row.modal, row.expected) == (rating, float(rating))
    decisions, asked = of(responses, "decision"), served.scored[DECIDED]
    for row, task in zip(decisions, asked, strict=True):
        assert shown_in(row, responses) in task.prompt.text
        assert (row.outcome, row.modal) == ("ok", likeliest(task.prompt.text, task.answers))
        assert (row.expected, row.answers, row.probabilities) == (None, None, None)


def test_a_refusal_is_a_row_and_makes_its_decision_missing(
    table: ItemTable, served: FakeModel
) -> None:
    served.offended = "Careful answer 07."
    responses = ask(table, served)
    ratings = of(responses, "rating") + of(responses, "rating", "reasoned")
    refused = [r for r in ratings if (r.item_id, r.guise) == ("i07", "hedged")]
    assert {r.condition for r in refused} == set(CONDITIONS)
    assert {r.outcome for r in ratings if r not in refused} == {"ok"}
    for row in refused:
        assert (row.outcome, row.text, row.modal) == ("refusal", REFUSAL, None)
        assert row.expected is None
        assert row.reason
    sheets = [r for r in of(responses, "interview_rating") if r.outcome != "ok"]
    assert {(r.item_id, r.guise, r.outcome) for r in sheets} == {("i07", "hedged", "refusal")}
    undecided = [r for r in of(responses, "decision") if r.outcome != "ok"]
    assert {(r.interview, r.guise, r.condition) for r in undecided} == {
        (r.interview, r.guise, r.condition) for r in sheets
    }
    assert {(r.outcome, r.modal, r.reason) for r in undecided} == {
        ("error", None, "a rating of this interview is missing")
    }
