from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.tables import TABLES, analysis_tables, read_tables, write_tables
from isogloss.errors import ReportError, ResponseError

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]

CHECKS = pd.DataFrame(
    {
        "item_id": ["i1"],
        "contrast": ["red - blue"],
        "check": ["numbers"],
        "value": [0.0],
        "threshold": ["= 0"],
        "passed": [True],
        "reason": [""],
        "repaired": [False],
        "item_set": ["set"],
    }
)
VERDICTS = pd.DataFrame(
    {
        "item_id": ["i1"],
        "contrast": ["red - blue"],
        "valid": [True],
        "reason": [""],
        "item_set": ["set"],
    }
)


def test_every_table_is_there_even_without_responses(make: Make, plan: AnalysisPlan) -> None:
    tables = analysis_tables(make([]), CHECKS, VERDICTS, plan)
    assert list(tables) == list(TABLES)
    assert all(len(table.columns) > 3 for table in tables.values())


def test_ok_without_value_stops_the_analysis(make: Make, plan: AnalysisPlan) -> None:
    rows = make([{"item_id": "i1", "guise": "red"}])
    with pytest.raises(ResponseError, match="no value"):
        analysis_tables(rows, CHECKS, VERDICTS, plan)


def test_files_read_back_exactly(
    make: Make, rated: Rated, plan: AnalysisPlan, tmp_path: Path
) -> None:
    rows = make(rated("red", [1.1, 2.3, None]) + rated("blue", [3.7, 5, 2]))
    tables = analysis_tables(rows, CHECKS, VERDICTS, plan)
    paths = write_tables(tables, tmp_path / "out")
    assert [path.name for path in paths] == [f"{name}.csv" for name in TABLES]
    back = pd.read_csv(paths[0])
    assert back["se"].tolist() == tables["effects"]["se"].tolist()
    assert b"\r" not in paths[0].read_bytes()


def test_not_estimable_is_an_empty_cell_with_its_reason(
    make: Make, rated: Rated, plan: AnalysisPlan, tmp_path: Path
) -> None:
    rows = make(rated("red", [None]) + rated("blue", [3]))
    path = write_tables(analysis_tables(rows, CHECKS, VERDICTS, plan), tmp_path)[0]
    row = pd.read_csv(path, dtype=str, keep_default_na=False).iloc[0]
    assert row["estimate"] == row["p_value"] == ""
    assert row["status"] == "not_estimable"
    assert row["reason"]


def test_reading_gives_the_tables_back(
    make: Make, rated: Rated, plan: AnalysisPlan, tmp_path: Path
) -> None:
    rows = make(rated("red", [1.1, 2.3, None]) + rated("blue", [3.7, 5, 2]))
    tables = analysis_tables(rows, CHECKS, VERDICTS, plan)
    write_tables(tables, tmp_path)
    back = read_tables(tmp_path)
    for name, table in tables.items():
        text = [c for c in table if table[c].dtype == object or table[c].dtype == "str"]
        expected = table.assign(**{c: table[c].fillna("") for c in text})
        pd.testing.assert_frame_equal(back[name], expected, check_dtype=False, check_exact=True)


def test_damaged_table_is_named(make: Make, plan: AnalysisPlan, tmp_path: Path) -> None:
    write_tables(analysis_tables(make([]), CHECKS, VERDICTS, plan), tmp_path)
    (tmp_path / "means.csv").write_text("study,model\n")
    with pytest.raises(ReportError, match=r"means\.csv: not a result table; run the analysis"):
        read_tables(tmp_path)


def test_the_file_names_are_those_of_the_tables() -> None:
    from isogloss.analysis.files import TABLE_NAMES

    assert tuple(TABLES) == TABLE_NAMES["paired"]
