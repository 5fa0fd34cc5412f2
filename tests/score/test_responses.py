from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from isogloss.errors import ResponseError
from isogloss.score.responses import (
    KEY,
    MISSING,
    OUTCOMES,
    SCHEMA,
    Response,
    read_responses,
    write_responses,
)

ROW = Response(
    study="toy",
    model="tiny",
    item_set="own",
    item_id="item-01",
    guise="hedged",
    condition="baseline",
    mode="direct",
    task="rating",
    outcome="ok",
    category="a category",
    prompt_sha256="00ff",
    answer_mass=0.4,
    answers=("1", "2", "3"),
    probabilities=(0.25, 0.5, 0.25),
    expected=2.0,
    modal="2",
)
BARE = Response(
    study="toy",
    model="tiny",
    item_set="own",
    item_id="item-02",
    guise="hedged",
    condition="baseline",
    mode="direct",
    task="rating",
    outcome="low_mass",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "tiny.parquet"


def _written(path: Path, **columns: Any) -> Path:
    """Write a table of one good row with some columns replaced (or left out, when None)."""
    write_responses([ROW], path)
    table = pq.read_table(path)
    for name, column in columns.items():
        index = table.column_names.index(name)
        table = table.remove_column(index)
        if column is not None:
            table = table.add_column(index, name, column)
    pq.write_table(table, path)
    return path


def test_the_record_and_the_schema_name_the_same_fields() -> None:
    assert sorted(vars(ROW)) == sorted(SCHEMA.names)
    assert set(KEY) < set(SCHEMA.names)
    assert set(MISSING) == set(OUTCOMES) - {"ok"}


def test_rows_come_back_as_they_were_in_their_order(path: Path) -> None:
    third = 1 / 3
    interview = replace(
        ROW,
        item_id="é — “quoted”, \n",
        interview=3,
        repeat=2,
        valid_pair=False,
        probabilities=(third, third, third),
        expected=1.9999999999999998,
        text='said: "4"',
    )
    write_responses([interview, ROW, BARE], path)
    frame = read_responses(path)
    assert list(frame.columns) == SCHEMA.names
    assert list(frame["item_id"]) == ["é — “quoted”, \n", "item-01", "item-02"]
    first = frame.iloc[0]
    assert first["interview"] == 3
    assert first["repeat"] == 2
    assert not first["valid_pair"]
    assert first["expected"] == 1.9999999999999998
    assert list(first["probabilities"]) == [third, third, third]
    assert list(first["answers"]) == ["1", "2", "3"]
    assert first["text"] == 'said: "4"'
    assert frame.iloc[1]["valid_pair"]


def test_what_is_missing_is_null_and_never_nought(path: Path) -> None:
    write_responses([BARE, ROW], path)
    bare = read_responses(path).iloc[0]
    assert bare["outcome"] == "low_mass"
    for column in (
        "category", "interview", "prompt_sha256", "reason", "answer_mass", "answers",
        "probabilities", "expected", "modal", "text",
    ):  # fmt: skip
        assert bare[column] is None or bare[column] is pd.NA or np.isnan(bare[column]), column
    stored = pq.read_table(path)
    for column in ("expected", "answer_mass", "probabilities", "interview", "modal"):
        assert stored[column].null_count >= 1, column


def test_a_table_of_nothing_but_missing_values_has_the_same_types(path: Path) -> None:
    write_responses([BARE], path)
    alone = read_responses(path).dtypes
    write_responses([BARE, replace(ROW, interview=1)], path)
    assert alone["expected"] == read_responses(path).dtypes["expected"] == np.float64
    assert alone["interview"] == read_responses(path).dtypes["interview"] == pd.Int64Dtype()


def test_an_empty_table_can_be_read(path: Path) -> None:
    write_responses([], path)
    frame = read_responses(path)
    assert len(frame) == 0
    assert list(frame.columns) == SCHEMA.names


def test_two_rows_of_one_key_are_refused(path: Path) -> None:
    with pytest.raises(ResponseError, match=r"tiny\.parquet: two responses.*item-01"):
        write_responses([ROW, BARE, replace(ROW, expected=1.0)], path)
    assert not path.exists()


@pytest.mark.parametrize("field", KEY)
def test_rows_that_differ_in_one_key_field_are_two_responses(field: str, path: Path) -> None:
    changed: Any = {"interview": 1, "repeat": 1}.get(field, "another")
    write_responses([ROW, replace(ROW, **{field: changed})], path)
    assert len(read_responses(path)) == 2


def test_duplicates_in_a_file_from_elsewhere_are_found(path: Path) -> None:
    write_responses([ROW], path)
    table = pq.read_table(path)
    pq.write_table(pa.concat_tables([table, table]), path)
    with pytest.raises(ResponseError, match=r"tiny\.parquet: two responses"):
        read_responses(path)


def test_an_unknown_outcome_is_refused(path: Path) -> None:
    with pytest.raises(ResponseError, match=r"unknown outcome 'fine'.*low_mass"):
        write_responses([replace(ROW, outcome="fine")], path)  # type: ignore[arg-type]
    with pytest.raises(ResponseError, match="unknown outcome 'fine'"):
        read_responses(_written(path, outcome=pa.array(["fine"])))


@pytest.mark.parametrize("column", SCHEMA.names)
def test_a_missing_column_is_named(column: str, path: Path) -> None:
    with pytest.raises(ResponseError, match=rf"tiny\.parquet: columns missing: {column}$"):
        read_responses(_written(path, **{column: None}))


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("expected", pa.array(["high"])),
        ("expected", pa.array([[2.0]])),
        ("repeat", pa.array(["first"])),
        ("repeat", pa.array([0.5])),
        ("probabilities", pa.array([["much"]])),
        ("probabilities", pa.array([0.5])),
        ("answers", pa.array(["1 2 3"])),
        ("valid_pair", pa.array(["perhaps"])),
    ],
)
def test_a_wrong_type_is_named(column: str, values: pa.Array, path: Path) -> None:
    with pytest.raises(ResponseError, match=r"tiny\.parquet: a column has the wrong type"):
        read_responses(_written(path, **{column: values}))


@pytest.mark.parametrize(
    "column", [field.name for field in SCHEMA if not field.nullable and field.name != "interview"]
)
def test_a_null_where_a_value_must_stand_is_refused(column: str, path: Path) -> None:
    nothing = pa.nulls(1, SCHEMA.field(column).type)
    with pytest.raises(ResponseError, match=r"tiny\.parquet"):
        read_responses(_written(path, **{column: nothing}))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"item_id,outcome\n1,ok\n"])
def test_a_file_that_is_no_table_is_refused(content: bytes, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(ResponseError, match=r"tiny\.parquet: not a readable Parquet table"):
        read_responses(path)


def test_a_missing_file_is_named(path: Path) -> None:
    with pytest.raises(ResponseError, match=r"tiny\.parquet"):
        read_responses(path)


def test_a_truncated_file_is_refused(path: Path) -> None:
    write_responses([ROW, BARE], path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ResponseError, match=r"tiny\.parquet"):
        read_responses(path)


def test_further_columns_are_left_out(path: Path) -> None:
    write_responses([ROW], path)
    table = pq.read_table(path)
    pq.write_table(table.append_column("note", pa.array(["x"])), path)
    assert list(read_responses(path).columns) == SCHEMA.names
