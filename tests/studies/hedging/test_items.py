"""The two item sets come out in one form, and faults of the files are named."""

from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.studies.hedging.items import read_own, read_published

GUISES = ["confident", "hedged", "accent"]
HEADER = "item_id,category,question,confident,hedged,accent\n"
CATEGORIES = "category,title,guiding_question\nteam,Teamwork,What do others gain?\n"


def files(folder: Path, items: str, categories: str = CATEGORIES) -> tuple[Path, Path]:
    paths = folder / "items.csv", folder / "categories.csv"
    for path, text in zip(paths, (items, categories), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_own_items_have_the_form_of_an_item_table(own_items: pd.DataFrame) -> None:
    assert list(own_items.columns) == [
        "item_id",
        "category",
        "guiding_question",
        "question",
        *GUISES,
    ]
    assert len(own_items) == 100
    assert own_items["item_id"].is_unique
    assert not own_items.map(lambda cell: cell.strip() == "").any(axis=None)


def test_own_items_are_ten_in_each_of_ten_categories(own_items: pd.DataFrame) -> None:
    assert own_items["category"].value_counts().to_list() == [10] * 10
    assert (own_items.groupby("category")["guiding_question"].nunique() == 1).all()
    assert own_items["guiding_question"].nunique() == 10


def test_no_question_and_no_answer_is_written_twice(own_items: pd.DataFrame) -> None:
    texts = own_items[["question", *GUISES]].to_numpy().ravel().tolist()
    assert len(set(texts)) == len(texts)


def test_own_items_are_not_taken_from_the_published_set(
    own_items: pd.DataFrame, published_items: pd.DataFrame
) -> None:
    columns = ["question", "confident", "hedged"]
    own = {text.strip().lower() for text in own_items[columns].to_numpy().ravel()}
    theirs = {text.strip().lower() for text in published_items[columns].to_numpy().ravel()}
    assert own & theirs == set()


@pytest.mark.mirror
def test_published_items_are_100_in_the_order_of_the_file(
    published_items: pd.DataFrame, mirror: Path
) -> None:
    source = pd.read_csv(mirror / "hedging" / "hedging_questions.csv", dtype=str)
    assert list(published_items.columns) == [
        "item_id",
        "category",
        "guiding_question",
        "question",
        "confident",
        "hedged",
    ]
    assert published_items["item_id"].tolist() == [f"published-{n:03d}" for n in range(1, 101)]
    assert published_items["question"].tolist() == source["Question"].tolist()
    assert (published_items[["category", "guiding_question"]] == "").all(axis=None)


@pytest.mark.mirror
def test_published_answers_stand_in_the_column_of_their_guise(
    published_items: pd.DataFrame, mirror: Path
) -> None:
    source = pd.read_csv(mirror / "hedging" / "hedging_questions.csv", dtype=str)
    for ours, theirs in [("confident", "Confident_Answer"), ("hedged", "Hedging_Answer")]:
        assert published_items[ours].tolist() == [
            text.strip().strip('"').strip() for text in source[theirs]
        ]


def test_a_category_becomes_its_title_and_guiding_question(tmp_path: Path) -> None:
    items = read_own(*files(tmp_path, f"{HEADER}t-1,team,Q?,C,H,A\n"))
    assert items.to_dict("records") == [
        {
            "item_id": "t-1",
            "category": "Teamwork",
            "guiding_question": "What do others gain?",
            "question": "Q?",
            "confident": "C",
            "hedged": "H",
            "accent": "A",
        }
    ]


def test_an_unknown_category_is_named_with_both_files(tmp_path: Path) -> None:
    paths = files(tmp_path, f"{HEADER}t-1,team,Q?,C,H,A\nt-2,tame,Q2?,C,H,A\n")
    with pytest.raises(ItemError, match="category 'tame'") as refusal:
        read_own(*paths)
    assert all(str(path) in str(refusal.value) for path in paths)


def test_a_category_explained_twice_is_named(tmp_path: Path) -> None:
    paths = files(tmp_path, f"{HEADER}t-1,team,Q?,C,H,A\n", f"{CATEGORIES}team,Team,Who?\n")
    with pytest.raises(ItemError, match="category 'team'") as refusal:
        read_own(*paths)
    assert str(paths[1]) in str(refusal.value)


@pytest.mark.parametrize("column", ["item_id", "category", "question", *GUISES])
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    items, categories = files(tmp_path, HEADER.replace(column, f"{column}_x"))
    with pytest.raises(ItemError, match=rf"items\.csv: column missing: {column}"):
        read_own(items, categories)


def test_a_missing_column_of_the_categories_is_named(tmp_path: Path) -> None:
    paths = files(tmp_path, HEADER, "category,title\nteam,Teamwork\n")
    with pytest.raises(ItemError, match=r"categories\.csv: column missing: guiding_question"):
        read_own(*paths)


def test_a_published_file_without_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "hedging_questions.csv"
    path.write_text("Question,Hedging_Answer\nQ?,H\n", encoding="utf-8")
    with pytest.raises(ItemError, match="column missing: Confident_Answer"):
        read_published(path)
