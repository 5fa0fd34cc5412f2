from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.run import Validation, run_analysis
from isogloss.errors import ResponseError
from isogloss.score.responses import Response, write_responses

ROW: dict[str, Any] = {
    "study": "colours",
    "item_set": "set",
    "condition": "plain",
    "mode": "direct",
    "task": "rating",
    "outcome": "ok",
}


@pytest.fixture
def responses(tmp_path: Path) -> list[Path]:
    paths = []
    for model in ("m1", "m2"):
        rows = [
            Response(
                **ROW, model=model, item_id=item, guise=guise, expected=value, modal=str(value)
            )
            for item, red, blue in (("i1", 1.0, 3.0), ("i2", 2.0, 3.0), ("i3", 2.0, 2.0))
            for guise, value in (("red", red), ("blue", blue))
        ]
        paths.append(tmp_path / f"{model}.parquet")
        write_responses(rows, paths[-1])
    return paths


@pytest.fixture
def validation(tmp_path: Path) -> Validation:
    found = Validation(tmp_path / "checks.csv", tmp_path / "verdicts.csv")
    found.checks.write_text(
        "item_id,contrast,check,value,threshold,passed,reason,repaired\n"
        "i1,red - blue,numbers,0,= 0,True,,False\n"
        "i2,red - blue,numbers,2,= 0,False,number lost: 5,False\n"
    )
    found.verdicts.write_text(
        "item_id,contrast,valid,reason\ni1,red - blue,True,\ni2,red - blue,False,number lost: 5\n"
    )
    return found


def test_files_in_files_out(
    responses: list[Path], validation: Validation, plan: AnalysisPlan, tmp_path: Path
) -> None:
    paths = run_analysis(responses, {"set": validation}, plan, tmp_path / "results")
    effects = pd.read_csv(paths[0])
    assert effects["model"].unique().tolist() == ["m1", "m2"]
    assert effects["estimate"].tolist() == [-1.0, -1.0]
    excluded = pd.read_csv(tmp_path / "results" / "exclusions.csv")
    assert excluded["item_id"].tolist() == ["i2"]


def test_same_input_same_bytes(
    responses: list[Path], validation: Validation, plan: AnalysisPlan, tmp_path: Path
) -> None:
    first = run_analysis(responses, {"set": validation}, plan, tmp_path / "a")
    second = run_analysis(responses, {"set": validation}, plan, tmp_path / "b")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_item_set_must_be_validated(
    responses: list[Path], validation: Validation, plan: AnalysisPlan, tmp_path: Path
) -> None:
    with pytest.raises(ResponseError, match="item set 'set' has responses but no validation"):
        run_analysis(responses, {"other": validation}, plan, tmp_path)


def test_no_responses_is_an_error(plan: AnalysisPlan, tmp_path: Path) -> None:
    with pytest.raises(ResponseError, match="score at least one model"):
        run_analysis([], {}, plan, tmp_path)
