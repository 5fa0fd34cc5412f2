import pandas as pd

from isogloss.validate.repair import WRAPPED, unwrap_items


def test_only_wrapped_cells_of_the_columns_change() -> None:
    items = pd.DataFrame(
        {"item_id": ["1", "2"], "question": ['"Q"', "P"], "a": ['"x"', "y"], "b": ['"z"', "w"]}
    )
    repaired = unwrap_items(items, ["question", "a"])
    assert repaired.items["question"].tolist() == ["Q", "P"]
    assert repaired.items["a"].tolist() == ["x", "y"]
    assert repaired.items["b"].tolist() == ['"z"', "w"]
    assert repaired.repairs.to_numpy().tolist() == [["1", "question", WRAPPED], ["1", "a", WRAPPED]]
    assert items["a"].tolist() == ['"x"', "y"]
