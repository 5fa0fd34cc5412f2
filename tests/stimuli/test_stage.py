"""The stage writes the items of a set in one form, and what it repaired on the way."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest

from isogloss.config import StudySettings
from isogloss.errors import ConfigurationError, ItemError
from isogloss.stimuli import write_items
from isogloss.studies.base import Contrast, ItemSet, Study
from isogloss.studies.hedging.study import Hedging
from isogloss.validate.items import read_items, read_table
from isogloss.validate.repair import WRAPPED

Make = Callable[..., Study]

REPAIRS = ["item_id", "column", "repair"]


class Colours(Study):
    """A study whose items are given."""

    name = "colours"
    title = "Colours"
    settings_model = StudySettings
    item_sets = {"own": ItemSet(files=("colours.csv",))}
    contrasts = (Contrast("red - blue", "red", "blue"),)
    lexicon = "none.yaml"

    def __init__(self, items: pd.DataFrame) -> None:
        self._items = items

    def read_items(self, item_set: str, paths: Sequence[Path]) -> pd.DataFrame:
        assert (item_set, paths) == ("own", [Path("colours.csv")])
        return self._items

    def checks(self, *_: Any) -> Any:
        raise NotImplementedError

    respond = replay = plan = checks


@pytest.fixture
def colours() -> Make:
    """Return the maker of a study with one or two items, changed as a test wants them."""

    def made(*changes: dict[str, str]) -> Study:
        row = {
            "item_id": "c1",
            "category": "warm",
            "guiding_question": "",
            "question": "Which?",
            "blue": "The sea.",
            "red": "A rose.",
        }
        rows = [{**row, "item_id": f"c{n}", **change} for n, change in enumerate(changes, start=1)]
        return Colours(pd.DataFrame(rows))

    return made


def written(study: Study, out: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    write_items(study, "own", [Path("colours.csv")], out)
    return read_items(out / "items.csv", []), read_table(out / "repairs.csv", REPAIRS)


def test_items_are_written_as_they_are(colours: Make, tmp_path: Path) -> None:
    study = colours({}, {"question": "Why, and when?", "blue": 'Say "sea".', "red": "Zwölf\nRosen"})
    items, repairs = written(study, tmp_path / "made")
    pd.testing.assert_frame_equal(items, cast(Colours, study)._items, check_dtype=False)
    assert repairs.empty
    content = (tmp_path / "made" / "items.csv").read_bytes()
    assert b"\r" not in content
    assert content.decode("utf-8").endswith("\n")
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "items.csv",
        "repairs.csv",
    ]


def test_wrapping_marks_are_taken_off_and_listed(colours: Make, tmp_path: Path) -> None:
    study = colours(
        {"blue": '"The sea."', "question": "“Which?”"},
        {"red": '"Red" and "rose"', "category": '"warm"', "item_id": '"c2"'},
    )
    items, repairs = written(study, tmp_path)
    assert items["blue"].tolist() == ["The sea.", "The sea."]
    assert items["question"].tolist() == ["Which?", "Which?"]
    assert items["red"].tolist() == ["A rose.", '"Red" and "rose"']
    assert items["category"].tolist() == ["warm", '"warm"']
    assert repairs.to_dict("records") == [
        {"item_id": "c1", "column": "question", "repair": WRAPPED},
        {"item_id": "c1", "column": "blue", "repair": WRAPPED},
    ]


def test_a_second_run_writes_the_same_bytes(colours: Make, tmp_path: Path) -> None:
    study = colours({"blue": '"The sea."'}, {})
    written(study, tmp_path)
    before = [(tmp_path / name).read_bytes() for name in ("items.csv", "repairs.csv")]
    written(study, tmp_path)
    assert [(tmp_path / name).read_bytes() for name in ("items.csv", "repairs.csv")] == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([{}, {"item_id": "c1"}], "row 2: item_id 'c1' was used before"),
        ([{"question": " "}], "row 1, column question: empty"),
        ([{"question": '""'}], "row 1, column question: empty"),
        ([{"item_id": ""}], "row 1, column item_id: empty"),
        ([], "column missing"),
    ],
)
def test_faults_of_form_name_the_file_and_nothing_is_written(
    colours: Make, tmp_path: Path, changes: list[dict[str, str]], said: str
) -> None:
    with pytest.raises(ItemError) as refusal:
        write_items(colours(*changes), "own", [Path("colours.csv")], tmp_path / "made")
    assert "colours.csv" in str(refusal.value)
    assert said in str(refusal.value)
    assert not (tmp_path / "made").exists()


def test_an_empty_answer_is_left_to_validation(colours: Make, tmp_path: Path) -> None:
    items, _ = written(colours({"red": ""}), tmp_path)
    assert items["red"].tolist() == [""]


def test_an_item_set_that_does_not_exist(colours: Make, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="study colours has no item set 'lent'; use own"):
        write_items(colours({}), "lent", [Path("colours.csv")], tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_authored_items_need_no_repair(project: Path, tmp_path: Path) -> None:
    study = Hedging()
    write_items(study, "own", [project / file for file in study.item_sets["own"].files], tmp_path)
    assert read_table(tmp_path / "repairs.csv", REPAIRS).empty
    source = read_table(project / study.item_sets["own"].files[0], [])
    items = read_items(tmp_path / "items.csv", [])
    for column in ("item_id", "question", "confident", "hedged", "accent"):
        assert items[column].tolist() == source[column].tolist()


@pytest.mark.mirror
def test_published_answers_are_all_wrapped_and_their_questions_are_not(
    mirror: Path, tmp_path: Path
) -> None:
    path = mirror / "hedging" / "hedging_questions.csv"
    write_items(Hedging(), "published", [path], tmp_path)
    repairs = read_table(tmp_path / "repairs.csv", REPAIRS)
    assert repairs["column"].value_counts().to_dict() == {"confident": 100, "hedged": 100}
    items = read_items(tmp_path / "items.csv", ["confident", "hedged"])
    wrapped = items[["confident", "hedged"]].map(lambda text: text.startswith('"'))
    assert not wrapped.any(axis=None)
