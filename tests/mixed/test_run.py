from pathlib import Path

import numpy as np
import pytest
from tests.mixed.conftest import MODELS, responses
from tests.mixed.postings import LINE, PLAN, scores

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.tables import read_tables
from isogloss.errors import ResponseError
from isogloss.mixed.records import MIXED_TABLES
from isogloss.mixed.run import describe_fits, run_mixed
from isogloss.score.responses import Response, write_responses


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    found = [tmp_path / "m1.parquet", tmp_path / "m2.parquet"]
    for path in found:
        write_responses(responses(items=25, models=(path.stem,)), path)
    return found


def test_files_in_files_out(paths: list[Path], plan: AnalysisPlan, tmp_path: Path) -> None:
    made = run_mixed(paths, plan, MODELS, tmp_path / "results")
    assert [path.name for path in made] == [f"{name}.csv" for name in MIXED_TABLES]
    fits = read_tables(tmp_path / "results", MIXED_TABLES)["mixed_fits"]
    assert list(fits["n_models"]) == [2, 2]
    first, second = describe_fits(fits)
    assert first.startswith("steps on set, direct, all: rating ~ guise * model + (1 | item)")
    assert "(n = 100): converged" in second


def test_same_input_same_bytes(paths: list[Path], plan: AnalysisPlan, tmp_path: Path) -> None:
    first = run_mixed(paths, plan, MODELS, tmp_path / "a")
    second = run_mixed(paths, plan, MODELS, tmp_path / "b")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_no_responses_is_an_error(plan: AnalysisPlan, tmp_path: Path) -> None:
    with pytest.raises(ResponseError, match="score at least one model"):
        run_mixed([], plan, MODELS, tmp_path)


def test_fits_of_a_study_with_personas_name_role_and_family(tmp_path: Path) -> None:
    rows = scores(items=8).replace({np.nan: None}).to_dict("records")
    path = tmp_path / "m1.parquet"
    write_responses([Response(**row) for row in rows], path)
    run_mixed([path], PLAN, [LINE], tmp_path / "results")
    fits = read_tables(tmp_path / "results", MIXED_TABLES)["mixed_fits"]
    (line,) = describe_fits(fits)
    assert line.startswith("line on set, direct, buyer, height, all: rating ~ guise * persona")


def test_a_persona_that_the_plan_does_not_know_is_an_error(tmp_path: Path) -> None:
    rows = scores(items=4, personas=("nobody", "round")).replace({np.nan: None})
    path = tmp_path / "m1.parquet"
    write_responses([Response(**row) for row in rows.to_dict("records")], path)
    with pytest.raises(ResponseError, match="a persona that is in no family of the plan"):
        run_mixed([path], PLAN, [LINE], tmp_path / "results")
