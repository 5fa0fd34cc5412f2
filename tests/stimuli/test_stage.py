"""The stage writes the items of a set in one form, and what it repaired on the way."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.stimuli import read_set, write_items
from isogloss.stimuli.sets import DeclaredSet, load_sets
from isogloss.studies.hedging.study import Hedging
from isogloss.validate.items import read_items, read_table
from isogloss.validate.repair import WRAPPED

Make = Callable[..., pd.DataFrame]

REPAIRS = ["item_id", "column", "repair"]


@pytest.fixture
def colours() -> Make:
    """Return the maker of one or two items, changed as a test wants them."""

    def made(*changes: dict[str, str]) -> pd.DataFrame:
        row = {
            "item_id": "c1",
            "category": "warm",
            "guiding_question": "",
            "question": "Which?",
            "blue": "The sea.",
            "red": "A rose.",
        }
        rows = [{**row, "item_id": f"c{n}", **change} for n, change in enumerate(changes, start=1)]
        return pd.DataFrame(rows)

    return made


def written(items: pd.DataFrame, out: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    write_items(items, "question", "colours.csv", out)
    return read_items(out / "items.csv", []), read_table(out / "repairs.csv", REPAIRS)


def test_items_are_written_as_they_are(colours: Make, tmp_path: Path) -> None:
    given = colours({}, {"question": "Why, and when?", "blue": 'Say "sea".', "red": "Zwölf\nRosen"})
    items, repairs = written(given, tmp_path / "made")
    pd.testing.assert_frame_equal(items, given, check_dtype=False)
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
        write_items(colours(*changes), "question", "colours.csv", tmp_path / "made")
    assert "colours.csv" in str(refusal.value)
    assert said in str(refusal.value)
    assert not (tmp_path / "made").exists()


def test_an_empty_answer_is_left_to_validation(colours: Make, tmp_path: Path) -> None:
    items, _ = written(colours({"red": ""}), tmp_path)
    assert items["red"].tolist() == [""]


@pytest.fixture(scope="module")
def declared(project: Path) -> dict[str, DeclaredSet]:
    """Every item set of the project."""
    return load_sets(project / "data" / "stimuli")


def test_a_study_reads_its_own_sets(
    declared: dict[str, DeclaredSet], project: Path, tmp_path: Path
) -> None:
    study = Hedging()
    files = study.item_sets["own"].files
    items = read_set(declared["hedging/own"], study, [project / file for file in files])
    write_items(items, "question", files[0], tmp_path)
    assert read_table(tmp_path / "repairs.csv", REPAIRS).empty
    source = read_table(project / files[0], [])
    items = read_items(tmp_path / "items.csv", [])
    for column in ("item_id", "question", "confident", "hedged", "accent"):
        assert items[column].tolist() == source[column].tolist()
    assert items["guiding_question"].str.endswith("?").all()


def test_any_other_set_is_read_as_declared(declared: dict[str, DeclaredSet], project: Path) -> None:
    path = project / "data" / "stimuli" / "dialect" / "items.csv"
    items = read_set(declared["dialect/own"], None, [path])
    assert {"item_id", "sae", "aae"} <= set(items.columns)


@pytest.mark.mirror
def test_published_answers_are_all_wrapped_and_their_questions_are_not(
    declared: dict[str, DeclaredSet], mirror: Path, tmp_path: Path
) -> None:
    path = mirror / "hedging" / "hedging_questions.csv"
    items = read_set(declared["hedging/published"], Hedging(), [path])
    write_items(items, "question", str(path), tmp_path)
    repairs = read_table(tmp_path / "repairs.csv", REPAIRS)
    assert repairs["column"].value_counts().to_dict() == {"confident": 100, "hedged": 100}
    items = read_items(tmp_path / "items.csv", ["confident", "hedged"])
    wrapped = items[["confident", "hedged"]].map(lambda text: text.startswith('"'))
    assert not wrapped.any(axis=None)
