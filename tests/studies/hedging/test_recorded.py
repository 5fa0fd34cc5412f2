"""Published score sheets become rows: each rating once, each decision as it was meant."""

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from isogloss.errors import ResponseError
from isogloss.score.responses import Response, read_responses, write_responses
from isogloss.studies.base import ItemTable, Origin
from isogloss.studies.hedging.study import Hedging

A, R, N = "advance", "advance with reservations", "do not advance"
PUBLISHED = [
    ("CohereForAI_c4ai-command-r-plus-4bit", 3.255, 2.650, {R: 20}, {R: 19, N: 1}),
    ("allenai_OLMoE-1B-7B-0125-Instruct", 3.440, 2.800, {A: 8, R: 9, N: 3}, {A: 1, R: 7, N: 12}),
    (
        "deepseek-ai_DeepSeek-R1-Distill-Qwen-1.5B",
        3.240,
        2.850,
        {A: 12, R: 8},
        {A: 3, R: 16, N: 1},
    ),
    ("meta-llama_Llama-3.1-8B-Instruct", 2.800, 2.250, {R: 12, N: 8}, {R: 1, N: 19}),
    ("microsoft_phi-4", 3.390, 2.860, {R: 20}, {R: 18, N: 2}),
]
"""Model, mean rating of confident and of hedged answers to three decimals, decisions likewise."""

Sheets = Callable[..., Path]


def replay(table: ItemTable, path: Path) -> list[Response]:
    return Hedging().replay(table, path, Origin("m", 1))


def scores(mirror: Path, model: str) -> Path:
    return mirror / "hedging" / "interview_scores" / f"interview_scores_{model}.csv"


@pytest.mark.mirror
@pytest.mark.parametrize(("model", "confident", "hedged", "plain", "careful"), PUBLISHED)
def test_published_means_and_decisions(
    published: ItemTable,
    mirror: Path,
    model: str,
    confident: float,
    hedged: float,
    plain: dict[str, int],
    careful: dict[str, int],
) -> None:
    responses = replay(published, scores(mirror, model))
    means = {"confident": confident, "hedged": hedged}
    decisions = {"confident": plain, "hedged": careful}
    for guise in ("confident", "hedged"):
        ratings = [r for r in responses if (r.task, r.guise) == ("rating", guise)]
        values = [r.expected for r in ratings if r.expected is not None]
        assert len(ratings) == len(values) == 200
        # means of 200 whole numbers end in .000 or .005: three decimals are exact
        assert np.mean(values) == pytest.approx(means[guise], abs=1e-9)
        found = Counter(r.modal for r in responses if (r.task, r.guise) == ("decision", guise))
        assert found == decisions[guise]
    assert {r.outcome for r in responses} == {"ok"}
    assert len(responses) == 440


@pytest.mark.mirror
def test_one_published_decision_is_spelt_otherwise(mirror: Path) -> None:
    spelt = pd.read_csv(scores(mirror, "meta-llama_Llama-3.1-8B-Instruct"))["final_answer"]
    assert (spelt == f"{R}.").sum() == 2


@pytest.mark.mirror
def test_published_rows_can_be_written_and_say_which_pairs_are_valid(
    published: ItemTable, mirror: Path, tmp_path: Path
) -> None:
    responses = replay(published, scores(mirror, "microsoft_phi-4"))
    write_responses(responses, tmp_path / "m.parquet")
    frame = read_responses(tmp_path / "m.parquet")
    assert set(frame["mode"]) == {"recorded"}
    assert set(frame["condition"]) == {"baseline"}
    invalid = frame.loc[~frame["valid_pair"]]
    assert set(invalid["item_id"]) == {"published-002"}
    assert len(invalid) == (frame["item_id"] == "published-002").sum() > 0
    assert set(frame["interview"]) == set(range(1, 21))


@pytest.mark.mirror
def test_a_published_answer_finds_the_item_with_that_answer(
    published: ItemTable, mirror: Path
) -> None:
    """Four questions stand twice in the set; the answer tells which one was asked."""
    path = scores(mirror, "microsoft_phi-4")
    responses = replay(published, path)
    with path.open(encoding="utf-8", newline="") as stream:
        sheets = list(csv.DictReader(stream))
    items = published.items.set_index("item_id")
    ratings = iter([r for r in responses if r.task == "rating"])
    for sheet in sheets:
        for q in range(1, 11):
            row = next(ratings)
            assert row.guise == sheet["hedged_or_confident"].lower()
            assert items.at[row.item_id, "question"] == sheet[f"question_{q}"]
            assert items.at[row.item_id, row.guise] == sheet[f"question_{q}_response"].strip('" ')
            assert row.modal == sheet[f"question_{q}_score"]
            assert row.text == sheet[f"question_{q}_score_reasoning"]


def sheet(guise: str, number: int = 1, **changes: str) -> dict[str, str]:
    """Return a record about items 1 to 10 of the table."""
    words = {"Hedged": "Careful", "Confident": "Plain"}
    record = {"interview_round": str(number), "hedged_or_confident": guise}
    for q in range(1, 11):
        record[f"question_{q}"] = f"Question {q:02d}?"
        record[f"question_{q}_response"] = f'"{words.get(guise, "Plain")} answer {q:02d}."'
        record[f"question_{q}_score"] = str(1 + q % 5)
        record[f"question_{q}_score_reasoning"] = f"because {q}"
    record |= {"final_answer": R, "final_answer_reasoning": "on the whole"}
    return record | changes


@pytest.fixture
def sheets(tmp_path: Path) -> Sheets:
    """Write records as a score sheet."""

    def write(*records: dict[str, str], without: str | None = None) -> Path:
        path = tmp_path / "scores.csv"
        columns = [name for name in sheet("Hedged") if name != without]
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(records)
        return path

    return write


def test_a_record_becomes_ten_ratings_and_a_decision(table: ItemTable, sheets: Sheets) -> None:
    responses = replay(table, sheets(sheet("Hedged", 4), sheet("Confident", 4)))
    assert [r.guise for r in responses] == ["hedged"] * 11 + ["confident"] * 11
    first = responses[0]
    assert (first.item_id, first.category, first.interview) == ("i01", "Teamwork", 4)
    assert (first.expected, first.modal, first.text) == (2.0, "2", "because 1")
    assert (first.probabilities, first.answer_mass, first.answers) == (None, None, None)
    decision = responses[10]
    assert (decision.item_id, decision.modal, decision.text) == (
        "interview-04",
        R,
        "on the whole",
    )
    assert {r.item_id for r in responses if not r.valid_pair} == {"i03", "i05"}
    assert [r.guise for r in responses if r.item_id == "i03" and not r.valid_pair] == ["hedged"]


@pytest.mark.parametrize("score", ["", "7", "0", "-1", "3.5", "cannot be determined", "nan", "45"])
def test_a_score_off_the_scale_is_malformed_and_no_number(
    table: ItemTable, sheets: Sheets, score: str
) -> None:
    responses = replay(table, sheets(sheet("Hedged", question_2_score=score)))
    row = responses[1]
    assert (row.outcome, row.expected, row.modal) == ("malformed", None, None)
    assert row.reason is not None
    assert repr(score) in row.reason
    assert {r.outcome for r in responses if r is not row} == {"ok"}


@pytest.mark.parametrize("said", ["Advance With Reservations", f" {R}. ", f'"{R}"', f"**{R}**"])
def test_a_decision_in_other_letters_or_marks_counts(
    table: ItemTable, sheets: Sheets, said: str
) -> None:
    decision = replay(table, sheets(sheet("Hedged", final_answer=said)))[-1]
    assert (decision.outcome, decision.modal, decision.reason) == ("ok", R, None)


@pytest.mark.parametrize("said", ["", "maybe", "advance or do not advance", "do not", "advances"])
def test_a_decision_in_other_words_is_malformed(
    table: ItemTable, sheets: Sheets, said: str
) -> None:
    decision = replay(table, sheets(sheet("Hedged", final_answer=said)))[-1]
    assert (decision.outcome, decision.modal) == ("malformed", None)
    assert decision.reason is not None
    assert repr(said) in decision.reason


def test_a_long_reply_is_cut_in_the_reason(table: ItemTable, sheets: Sheets) -> None:
    decision = replay(table, sheets(sheet("Hedged", final_answer="x" * 500)))[-1]
    assert decision.reason is not None
    assert len(decision.reason) < 100


@pytest.mark.parametrize(
    "changes",
    [
        {"question_3": "Another question?"},
        {"question_3_response": '"Plain answer 03."'},
        {"question_3_response": '"Careful answer 04."'},
        {"question_3_response": ""},
    ],
)
def test_an_answer_of_no_item_names_file_record_and_question(
    table: ItemTable, sheets: Sheets, changes: dict[str, str]
) -> None:
    path = sheets(sheet("Confident"), sheet("Hedged", **changes))
    with pytest.raises(ResponseError, match="record 3: question_3 and its answer match no item"):
        replay(table, path)


@pytest.mark.parametrize(
    "changes",
    [
        {"hedged_or_confident": "hedgy"},
        {"hedged_or_confident": ""},
        {"interview_round": "one"},
        {"interview_round": ""},
        {"interview_round": "²"},
    ],
)
def test_a_record_of_no_round_or_style(
    table: ItemTable, sheets: Sheets, changes: dict[str, str]
) -> None:
    with pytest.raises(ResponseError, match="record 2: needs a round number and Hedged or Conf"):
        replay(table, sheets(sheet("Hedged", **changes)))


@pytest.mark.parametrize("column", ["final_answer", "interview_round", "question_10_score"])
def test_a_missing_column_is_named(table: ItemTable, sheets: Sheets, column: str) -> None:
    path = sheets(sheet("Hedged"), without=column)
    with pytest.raises(ResponseError, match=f"{path.name}: column '{column}' is missing"):
        replay(table, path)


def test_a_record_that_breaks_off_is_named(table: ItemTable, sheets: Sheets) -> None:
    path = sheets(sheet("Hedged"), sheet("Confident"))
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.rsplit(",", 1)[0], encoding="utf-8")
    with pytest.raises(ResponseError, match=r"scores\.csv, record 3"):
        replay(table, path)
    path.write_text(whole[: whole.rindex("answer 10")], encoding="utf-8")
    with pytest.raises(ResponseError, match=r"scores\.csv: not a readable UTF-8 CSV file"):
        replay(table, path)


def test_a_record_with_cells_too_many_is_named(table: ItemTable, sheets: Sheets) -> None:
    path = sheets(sheet("Hedged"))
    path.write_text(path.read_text(encoding="utf-8").rstrip() + ",more\n", encoding="utf-8")
    with pytest.raises(ResponseError, match="record 2"):
        replay(table, path)


def test_a_file_without_records(table: ItemTable, sheets: Sheets) -> None:
    with pytest.raises(ResponseError, match="no records"):
        replay(table, sheets())


@pytest.mark.parametrize("content", [b"\xff\xfe", b'a,b\n"open'])
def test_a_file_that_is_no_table(table: ItemTable, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    with pytest.raises(ResponseError, match=r"scores\.csv: not a readable UTF-8 CSV file"):
        replay(table, path)


def test_an_interview_recorded_twice_is_refused_when_written(
    table: ItemTable, sheets: Sheets, tmp_path: Path
) -> None:
    responses = replay(table, sheets(sheet("Hedged"), sheet("Hedged")))
    with pytest.raises(ResponseError, match="two responses"):
        write_responses(responses, tmp_path / "m.parquet")


def test_replay_leaves_the_items_alone(table: ItemTable, sheets: Sheets) -> None:
    before: Any = table.items.copy()
    replay(table, sheets(sheet("Hedged")))
    pd.testing.assert_frame_equal(table.items, before)
