"""The page on data and validation shows what the tables hold, escaped, and says what is missing."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from tests.report.conftest import HOSTILE
from tests.report.spans import bare, texts_of

from isogloss.analysis.tables import write_tables
from isogloss.errors import IsoglossError
from isogloss.report.stimuli_tables import (
    MOST_LISTED,
    STIMULI_TEXTS,
    StimuliResults,
    calibration_table,
    generated_table,
    read_stimuli_results,
    set_exclusions_table,
    sets_table,
)
from isogloss.report.values import stimuli_values
from isogloss.validate.table import write_table


def test_every_part_is_written_and_hostile_text_is_escaped(stimuli: StimuliResults) -> None:
    for name, text in STIMULI_TEXTS.items():
        made = text(stimuli)
        assert made.strip(), name
        assert HOSTILE not in made, name
        assert "nan" not in made.split(), name


def test_empty_tables_say_so(stimuli: StimuliResults) -> None:
    empty = replace(stimuli, tables={n: t.iloc[:0] for n, t in stimuli.tables.items()})
    for name in ("sets", "checks", "exclusions", "generated", "reviews"):
        assert STIMULI_TEXTS[name](empty).startswith("*"), name


def test_a_set_out_of_reach_is_shown_with_the_reason(stimuli: StimuliResults) -> None:
    text = sets_table(stimuli)
    assert "not validated: it is nowhere" in text
    assert "| 1 |" in next(line for line in text.splitlines() if "colours/own" in line)


def test_long_lists_are_cut_and_say_where_the_rest_is(stimuli: StimuliResults) -> None:
    row = stimuli.tables["exclusions"].iloc[[0]]
    many = pd.concat([row] * (MOST_LISTED + 3), ignore_index=True)
    text = bare(
        set_exclusions_table(replace(stimuli, tables={**stimuli.tables, "exclusions": many}))
    )
    assert text.count(str(row["item_id"].iloc[0])) == MOST_LISTED
    assert "colours/own: 3 more" in text


def test_generated_texts_have_a_share_with_its_interval(stimuli: StimuliResults) -> None:
    text = generated_table(stimuli)
    assert "1: 50 %" in text
    assert "no item was asked for" in text


def test_the_calibration_shows_the_half_that_no_threshold_saw(stimuli: StimuliResults) -> None:
    rows = [
        line for line in calibration_table(stimuli).splitlines() if line.startswith("| numbers")
    ]
    assert len(rows) == 1
    assert "75 %" in rows[0]


def test_values_count_everything_once(stimuli: StimuliResults) -> None:
    values = texts_of(stimuli_values(stimuli))
    assert (values["sets"], values["authored"], values["published"]) == ("1", "1", "0")
    assert (values["pairs"], values["valid"], values["out_of_reach"]) == ("2", "1", "1")
    assert (values["labelled_good"], values["labelled_missed"]) == ("5", "1")
    assert values["reviewed"] == "1"


def test_what_was_written_reads_back(stimuli: StimuliResults, tmp_path: Path) -> None:
    write_tables(dict(stimuli.tables), tmp_path / "stimuli")
    for name in ("performance", "verdicts", "misses"):
        write_table(getattr(stimuli, name), tmp_path / "calibration" / f"{name}.csv")
    back = read_stimuli_results(tmp_path / "stimuli", tmp_path / "calibration", stimuli.guises)
    for name, text in STIMULI_TEXTS.items():
        assert bare(text(back)) == bare(text(stimuli)), name
    (tmp_path / "calibration" / "misses.csv").unlink()
    with pytest.raises(IsoglossError, match=r"misses\.csv"):
        read_stimuli_results(tmp_path / "stimuli", tmp_path / "calibration", stimuli.guises)
