"""The tables: texts come back as they were, and the same drafts give the same bytes."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.stimuli.draft.conftest import item

from isogloss.stimuli.draft.choose import choose
from isogloss.stimuli.draft.records import Attempt, Change, Drafts, Judged, Provenance, Task
from isogloss.stimuli.draft.table import CANDIDATE_COLUMNS, CHOSEN_COLUMNS, write_drafts
from isogloss.validate.items import read_table

NASTY = 'He said, "go";\n\n=1+1 🎉 \u200fمرحبا\u200f, then\tleft'
RULE = Provenance(by="rule:hedges@0.1.0", seed=7)
MODEL = Provenance(
    by="model:gpt@0123",
    model="gpt",
    model_digest="0123",
    prompt_sha256="ab" * 32,
    answered_by="tiny-2026",
    request_id="req-1",
    answered_at="2026-01-01T00:00:00+00:00",
    temperature=0.8,
    top_p=1.0,
    seed=7,
    max_new_tokens=300,
    prompt_tokens=10,
    completion_tokens=3,
    cost=0.00001234567,
    currency="USD",
)


@pytest.fixture
def drafts(task: Task) -> Drafts:
    good = Attempt(
        item(NASTY), 1, "ok", "", MODEL, f"I think {NASTY}", ("lexical",),
        (Change("", "I think"),), True,
    )  # fmt: skip
    bad = Attempt(item(NASTY), 2, "malformed", 'no JSON object: "x"', MODEL)
    ruled = Attempt(item(item_id="b-2"), 1, "ok", "", RULE, "so", ("modal",),
                    (Change("it", "so", "modal", 0, 2),), True)  # fmt: skip
    items = [item(NASTY), item(item_id="b-2"), replace(item("", "c-3"), fault="the text is empty")]

    def judge(pairs: object) -> list[Judged]:
        return [Judged(True, "", 0.98765432), Judged(False, "too far", None)]

    return choose(items, [good, bad, ruled], task, judge)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_candidates_come_back(drafts: Drafts, tmp_path: Path) -> None:
    write_drafts(drafts, tmp_path)
    good, bad, ruled = _rows(tmp_path / "candidates.csv")
    assert list(good) == list(CANDIDATE_COLUMNS)
    assert good["text"] == f"I think {NASTY}"
    assert json.loads(good["devices"]) == ["lexical"]
    assert json.loads(good["spans"]) == [{"before": "", "after": "I think"}]
    assert (good["valid"], good["similarity"], good["spans_hold"]) == ("True", "0.987654", "True")
    assert (good["cost"], good["currency"]) == ("0.00001235", "USD")
    assert (good["request_id"], good["answered_by"]) == ("req-1", "tiny-2026")
    assert (bad["outcome"], bad["reason"]) == ("malformed", 'no JSON object: "x"')
    assert {bad[name] for name in ("valid", "verdict_reason", "similarity", "text")} == {""}
    assert (ruled["valid"], ruled["verdict_reason"]) == ("False", "too far")
    assert {ruled[name] for name in ("model", "temperature", "cost", "similarity")} == {""}
    [span] = json.loads(ruled["spans"])
    assert span == {"before": "it", "after": "so", "device": "modal", "start": 0, "end": 2}


def test_chosen_has_a_row_for_each_item(drafts: Drafts, tmp_path: Path) -> None:
    write_drafts(drafts, tmp_path)
    rows = _rows(tmp_path / "chosen.csv")
    assert list(rows[0]) == list(CHOSEN_COLUMNS)
    assert [row["status"] for row in rows] == ["chosen", "none_valid", "not_asked"]
    assert rows[0]["reference_text"] == NASTY
    assert rows[0]["guise_text"] == f"I think {NASTY}"
    assert (rows[0]["reference"], rows[0]["guise"]) == ("confident", "hedged")
    assert (rows[0]["candidate"], rows[0]["by"]) == ("1", "model:gpt@0123")
    assert [row["reason"] for row in rows[1:]] == ["not valid: too far", "the text is empty"]
    assert {row["guise_text"] for row in rows[1:]} == {""}


@pytest.mark.parametrize("name", ["candidates.csv", "chosen.csv"])
def test_the_projects_own_reader_reads_them(drafts: Drafts, tmp_path: Path, name: str) -> None:
    write_drafts(drafts, tmp_path)
    assert read_table(tmp_path / name, []).to_dict("records") == _rows(tmp_path / name)


def test_the_same_drafts_give_the_same_bytes(drafts: Drafts, tmp_path: Path) -> None:
    write_drafts(drafts, tmp_path / "one")
    write_drafts(drafts, tmp_path / "two")
    for name in ("candidates.csv", "chosen.csv"):
        one = (tmp_path / "one" / name).read_bytes()
        assert one == (tmp_path / "two" / name).read_bytes()
        assert b"\r" not in one
        assert str(tmp_path).encode() not in one


def test_no_candidates_still_give_two_tables(task: Task, tmp_path: Path) -> None:
    write_drafts(choose([], [], task, lambda _: []), tmp_path)
    assert (tmp_path / "candidates.csv").read_text() == ",".join(CANDIDATE_COLUMNS) + "\n"
