"""Tables of three forms as the same cells."""

import json
from pathlib import Path

import pandas as pd
import pytest

from isogloss.reproduce.tables import UnreadableError, is_table, read_cells
from isogloss.score.responses import Response, write_responses


def response(**given: object) -> Response:
    fields = {
        "study": "hedging", "model": "m", "item_set": "own", "item_id": "q1", "guise": "hedged",
        "condition": "baseline", "mode": "direct", "task": "rating", "outcome": "ok",
    }  # fmt: skip
    return Response(**{**fields, **given})  # type: ignore[arg-type]


def test_parquet_cells_read_back_exactly(tmp_path: Path) -> None:
    one = response(
        expected=0.1 + 0.2, probabilities=(1 / 3, 2 / 3), answers=("a", "b"), interview=4
    )
    write_responses([one, response(item_id="q2", valid_pair=False)], tmp_path / "m.parquet")
    cells = read_cells(tmp_path / "m.parquet")
    assert float(cells["expected"][0]) == 0.1 + 0.2
    assert json.loads(cells["probabilities"][0]) == [1 / 3, 2 / 3]
    assert list(cells["interview"]) == ["4", ""]
    assert list(cells["valid_pair"]) == ["True", "False"]
    assert list(cells["text"]) == ["", ""]


def test_csv_cells_are_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\nNA,1.50\n"",null\n', encoding="utf-8")
    cells = read_cells(path)
    assert cells.to_dict("list") == {"a": ["NA", ""], "b": ["1.50", "null"]}


def test_json_is_a_row_of_places(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text('{"alpha": 0.05, "contrasts": [{"name": "h - c"}], "none": null, "e": []}')
    assert read_cells(path).to_dict("list") == {
        "alpha": ["0.05"], "contrasts[0].name": ["h - c"], "none": [""], "e": ["[]"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", b"\xff\xfe a"),
        ("t.csv", b"a,b\n1,2,3\n1,2\n3,4,5,6\n"),
        ("t.json", b"{"),
        ("t.json", b"[" * 100_000),
        ("t.parquet", b"PAR1 and nothing else"),
    ],
)
def test_what_is_no_table_is_said_to_be_none(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableError):
        read_cells(tmp_path / name)


def test_tables_are_known_by_their_names() -> None:
    assert is_table("data/a.csv")
    assert not is_table("data/raw/habitual.txt")


def test_an_empty_table_has_its_columns(tmp_path: Path) -> None:
    pd.DataFrame(columns=["a", "b"]).to_csv(tmp_path / "t.csv", index=False)
    assert list(read_cells(tmp_path / "t.csv").columns) == ["a", "b"]
