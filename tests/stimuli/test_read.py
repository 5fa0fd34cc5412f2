"""Files of other forms become items as a declaration says."""

import json
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import ItemError
from isogloss.stimuli.read import read_stimuli
from isogloss.stimuli.sets import StimulusSet


def declared(**changes: Any) -> StimulusSet:
    content = {"title": "Colours", "file": "c.csv", "compare": [{"guise": "red"}], **changes}
    return StimulusSet.model_validate(content)


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A file that a test fills."""
    return tmp_path / "c.csv"


def test_columns_are_renamed_and_the_others_stay(given: Path) -> None:
    given.write_text("id,red,x\n1,rose,y\n", encoding="utf-8")
    items = read_stimuli(declared(columns={"id": "item_id"}), given)
    assert items.to_dict("records") == [{"item_id": "1", "red": "rose", "x": "y"}]


def test_a_file_without_header_is_numbered(given: Path) -> None:
    given.write_text("rose\tsea\n\nwine\tsky, blue\n", encoding="utf-8")
    items = read_stimuli(declared(header=["red", "blue"], number="c"), given)
    assert items.to_dict("records") == [
        {"item_id": "c-001", "red": "rose", "blue": "sea"},
        {"item_id": "c-002", "red": "wine", "blue": "sky, blue"},
    ]


def test_rows_of_an_item_are_put_side_by_side(given: Path) -> None:
    given.write_text(
        "n,hue,text,title,id\n2,red,rose,B,1\n2,blue,sea,B,2\n1,blue,sky,A,3\n1,red,wine,A,4\n",
        encoding="utf-8",
    )
    pivot = {"item": "n", "column": "hue", "text": "text"}
    items = read_stimuli(declared(pivot=pivot, number="c"), given)
    assert items[["item_id", "n", "title", "red", "blue"]].to_numpy().tolist() == [
        ["c-001", "2", "B", "rose", "sea"],
        ["c-002", "1", "A", "wine", "sky"],
    ]
    assert "id" not in items.columns


def test_an_item_without_one_of_its_rows_has_an_empty_wording(given: Path) -> None:
    given.write_text("n,hue,text\n1,red,rose\n1,blue,sea\n2,red,wine\n", encoding="utf-8")
    pivot = {"item": "n", "column": "hue", "text": "text"}
    assert read_stimuli(declared(pivot=pivot, number="c"), given)["blue"].tolist() == ["sea", ""]


def test_the_users_turns_of_a_conversation_become_the_text(given: Path) -> None:
    roles = [("user", "Hi."), ("assistant", "Yes?"), ("user", "Bye.")]
    turns = json.dumps([{"role": r, "content": c} for r, c in roles]).replace('"', '""')
    given.write_text(f'item_id,said\n1,"{turns}"\n', encoding="utf-8")
    items = read_stimuli(declared(turns="said", compare=[{"guise": "text"}]), given)
    assert items["text"].tolist() == ["Hi.\nBye."]


@pytest.mark.parametrize(
    ("content", "changes", "said"),
    [
        ("id,red\n1,rose\n", {}, "column missing: item_id"),
        ("item_id,blue\n1,sea\n", {}, "column missing: red"),
        ("item_id,red\n1,rose\n", {"columns": {"id": "item_id"}}, "column missing: id"),
        ("item_id,red\n1,rose\n", {"context": "question"}, "column missing: question"),
        ("a\tb\tc\n", {"header": ["red", "blue"]}, "row 1 has 3 cells, not 2"),
        (
            "n,hue,text\n1,red,a\n1,red,b\n",
            {"pivot": {"item": "n", "column": "hue", "text": "text"}},
            "n 1: red stands twice",
        ),
        ('item_id,red\n1,"[1"\n', {"turns": "red"}, "row 1: turns must be a JSON list"),
        ('item_id,red\n1,"[{""role"": ""x""}]"\n', {"turns": "red"}, "row 1: turns must be"),
    ],
)
def test_faults_name_the_file_and_the_place(
    given: Path, content: str, changes: dict[str, Any], said: str
) -> None:
    given.write_text(content, encoding="utf-8")
    with pytest.raises(ItemError) as refusal:
        read_stimuli(declared(**changes), given)
    assert str(given) in str(refusal.value)
    assert said in str(refusal.value)


def test_a_file_that_is_not_utf8_is_told(given: Path) -> None:
    given.write_bytes(b"r\xf6te\tblau\n")
    with pytest.raises(ItemError, match="not UTF-8 at byte 1"):
        read_stimuli(declared(header=["red", "blue"], number="c"), given)
