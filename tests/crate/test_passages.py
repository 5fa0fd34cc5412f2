"""Tests of isogloss.crate.passages."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from isogloss.crate.passages import passages_of, pieces_of

TEXT = "one two three four five six seven eight nine ten eleven twelve"


@pytest.mark.parametrize(
    ("other", "shares"),
    [
        ("before two three four five six seven eight nine ten eleven after", True),
        ("before two three four five six seven eight nine ten after", False),
        ("Two, three -- four; FIVE six\nseven 'eight' nine ten eleven!", True),
        (TEXT, True),
        ("twelve eleven ten nine eight seven six five four three two one", False),
    ],
)
def test_ten_words_in_a_row_are_a_passage(other: str, shares: bool) -> None:
    assert passages_of([TEXT]).are_in([other]) is shares


@pytest.mark.parametrize(
    ("cell", "shares"),
    [("Tell me about your team.", True), ("Tell me about it", False), ("about your team", False)],
)
def test_a_whole_cell_of_five_words_is_a_passage(cell: str, shares: bool) -> None:
    passages = passages_of(["Tell me about your team", "Tell me about it"])
    assert passages.are_in(["something else", cell]) is shares


def test_apostrophes_of_either_form_are_the_same() -> None:
    assert passages_of(["I’ve been there and I’ll be back"]).are_in(
        ["I've been there and I'll be back"]
    )


def test_words_do_not_run_on_from_one_piece_to_the_next() -> None:
    words = TEXT.split()
    assert not passages_of([TEXT]).are_in([" ".join(words[:6]), " ".join(words[6:])])


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_are_found_in_every_kind_of_file(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [1], "deep": [[{"text": TEXT}]]}), tmp_path / "table.parquet")
    files = [
        tmp_path / "table.parquet",
        write(tmp_path / "a.csv", f'id,text\n1,"{TEXT[:18]}\n{TEXT[18:]}"\n'),
        write(tmp_path / "a.json", json.dumps({"a": [{TEXT: 1}]})),
        write(tmp_path / "a.jsonl", json.dumps({"a": 1}) + "\n" + json.dumps([TEXT])),
        write(tmp_path / "a.html", f"<p>{TEXT[:30].replace(' ', '</b> <b>')}{TEXT[30:]}</p>"),
        write(tmp_path / "a.md", f"# Words\n\n{TEXT}\n"),
        write(tmp_path / "broken.json", "{" + TEXT),
    ]
    for path in files:
        pieces = pieces_of(path)
        assert pieces is not None
        assert passages_of([TEXT]).are_in(pieces), path.name


def test_what_is_no_text_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\xff\xfe")
    (tmp_path / "a.parquet").write_bytes(b"no table")
    assert pieces_of(tmp_path / "a.png") is None
    assert pieces_of(tmp_path / "a.parquet") is None
