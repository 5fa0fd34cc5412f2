"""Every design has tables of its own, named as its files are."""

from typing import get_args

import pytest

from isogloss.analysis.designs import tables_of
from isogloss.analysis.files import TABLE_NAMES, Design, result_files
from isogloss.analysis.records import columns_of


@pytest.mark.parametrize("design", get_args(Design))
def test_files_are_named_as_the_tables(design: Design) -> None:
    assert tuple(tables_of(design)) == TABLE_NAMES[design]
    names = result_files(design)
    assert len(set(names)) == len(names) == len(TABLE_NAMES[design]) + 1


@pytest.mark.parametrize("design", get_args(Design))
def test_every_table_can_be_told_apart_by_study_and_model(design: Design) -> None:
    about_responses = set(TABLE_NAMES[design]) - {"exclusions", "validation_summary"}
    for name in about_responses:
        assert {"study", "model", "item_set"} <= set(columns_of(tables_of(design)[name])), name
