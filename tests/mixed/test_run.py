from pathlib import Path

import pytest
from tests.mixed.conftest import MODELS, responses

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.tables import read_tables
from isogloss.errors import ResponseError
from isogloss.mixed.records import MIXED_TABLES
from isogloss.mixed.run import describe_fits, run_mixed
from isogloss.score.responses import write_responses


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
