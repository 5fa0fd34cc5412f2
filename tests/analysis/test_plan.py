from dataclasses import replace
from pathlib import Path

import pytest

from isogloss.analysis.plan import AnalysisPlan, read_plan, write_plan
from isogloss.errors import ConfigurationError, ReportError
from isogloss.studies.base import Contrast


def test_baseline_must_be_a_condition(plan: AnalysisPlan) -> None:
    with pytest.raises(ConfigurationError, match=r"baseline 'none' is not one of .* plain, helped"):
        replace(plan, baseline="none")


def test_contrast_names_must_differ(plan: AnalysisPlan) -> None:
    with pytest.raises(ConfigurationError, match="same name"):
        replace(plan, contrasts=(*plan.contrasts, Contrast("red - blue", "blue", "red")))


@pytest.mark.parametrize("bound", [0.0, -0.1, float("nan")])
def test_smallest_effect_must_be_positive(plan: AnalysisPlan, bound: float) -> None:
    with pytest.raises(ConfigurationError, match="smallest_effect"):
        replace(plan, smallest_effect=bound)


def test_scale_must_ascend(plan: AnalysisPlan) -> None:
    with pytest.raises(ConfigurationError, match="ascend"):
        replace(plan, scale=(1, 3, 2))


def test_plan_reads_back_equal(plan: AnalysisPlan, tmp_path: Path) -> None:
    write_plan(plan, tmp_path / "a" / "plan.json")
    assert read_plan(tmp_path / "a" / "plan.json") == plan


def test_damaged_plan_is_named(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(ReportError, match=r"plan\.json: not an analysis plan"):
        read_plan(tmp_path / "plan.json")
