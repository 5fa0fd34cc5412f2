"""Which columns name a row, and which rows belong together."""

import pandas as pd
import pytest

from isogloss.reproduce.rows import key_columns, match_rows
from isogloss.score.responses import KEY


def frame(**columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame(columns, dtype=object)


def test_the_key_is_what_tells_all_rows_apart() -> None:
    table = frame(
        study=["s"] * 4,
        status=["ok", "ok", "ok", "not_estimable"],
        guise=["a", "a", "b", "b"],
        rating=["1", "2", "1", "2"],
        share=["0.5", "0.25", "0.125", "1.0"],
        reason=["w", "x", "y", "z"],
        n=["7", "8", "9", "10"],
    )
    assert key_columns(table, table) == ("study", "guise", "rating")


def test_columns_of_text_come_before_counts() -> None:
    table = frame(n=["3", "4"], guise=["a", "b"])
    assert key_columns(table, table) == ("guise",)


def test_a_column_that_is_measured_on_either_side_is_no_key() -> None:
    ours, theirs = frame(value=["1", "2"], n=["1", "2"]), frame(value=["1.5", "2"], n=["1", "2"])
    assert key_columns(ours, theirs) == ("n",)


def test_responses_are_named_by_their_own_key() -> None:
    table = frame(**{name: ["x", "y"] for name in (*KEY, "prompt_sha256")})
    assert key_columns(table, table) == tuple(KEY)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_rows_are_matched_in_any_order(order: list[int]) -> None:
    table = frame(item=["a", "b", "c"])
    matched = match_rows(table, table.iloc[order], ("item",))
    assert sorted(matched.pairs) == [(row, order.index(row)) for row in range(3)]
    assert (matched.only_recorded, matched.only_found) == ((), ())


def test_rows_of_one_side_alone_are_told() -> None:
    matched = match_rows(frame(item=["a", "b"]), frame(item=["c", "b"]), ("item",))
    assert matched.pairs == ((1, 1),)
    assert (matched.only_recorded, matched.only_found) == ((0,), (0,))


def test_rows_of_one_name_are_matched_one_by_one() -> None:
    matched = match_rows(frame(item=["a", "a"]), frame(item=["a", "a", "a"]), ("item",))
    assert matched.pairs == ((0, 0), (1, 1))
    assert matched.only_found == (2,)


def test_without_a_key_rows_are_matched_by_place() -> None:
    assert match_rows(frame(x=["0.5"]), frame(x=["0.25"]), ()).pairs == ((0, 0),)
