from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.validate.items import check_items, read_items, read_table

HEADER = "item_id,question,plain,soft\n"


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "items.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_cells_are_read_as_text(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeff" + HEADER + '007,"Why, now?",NA,"1\n2"\n\n8,How?,,null\n')
    items = read_items(path, ["plain", "soft"])
    assert items.to_numpy().tolist() == [
        ["007", "Why, now?", "NA", "1\n2"],
        ["8", "How?", "", "null"],
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        (HEADER, "no items"),
        ("item_id,question,plain\n1,Q,a\n", "column missing: soft"),
        ("item_id,question,plain,plain,soft\n", "column plain is in the header twice"),
        (HEADER + "1,Q,a,b\n1,P,a,b\n", "row 2: item_id '1' was used before"),
        (HEADER + "1,Q,a,b\n2, ,a,b\n", "row 2, column question: empty"),
        (HEADER + ",Q,a,b\n", "row 1, column item_id: empty"),
        (HEADER + "1,Q,a\n", "row 1 has 3 cells and the header 4"),
        (HEADER + "1,Q,a,b,c\n", "row 1 has 5 cells and the header 4"),
        (HEADER + '1,Q,a,"b" c\n', "line 2: not CSV"),
        (HEADER.encode() + b"1,Q,a,caf\xe9\n", "line 2 is not UTF-8"),
    ],
)
def test_a_fault_of_form_is_named(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = write(tmp_path, content)
    with pytest.raises(ItemError, match=message) as error:
        read_items(path, ["plain", "soft"], "question")
    assert str(error.value).startswith(f"{path}: ")


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"items\.csv: the items cannot be read"):
        read_items(tmp_path / "items.csv", ["plain"])


def test_a_cell_that_is_no_text_is_named() -> None:
    items = pd.DataFrame({"item_id": ["1", "2"], "question": ["Q", "P"], "plain": ["a", None]})
    with pytest.raises(ItemError, match=r"mine: row 2 \(item 2\), column plain: no text"):
        check_items(items, ["plain"], "mine")


def test_the_columns_asked_for_come_in_that_order(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1,Q,a,b\n")
    assert read_table(path, ["soft", "item_id"]).to_dict("list") == {
        "soft": ["b"],
        "item_id": ["1"],
    }
    with pytest.raises(ItemError, match="column missing: bare; add it"):
        read_table(path, ["soft", "bare"])
