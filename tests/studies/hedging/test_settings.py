"""What a configuration may say about the study."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from isogloss.config import load_config
from isogloss.errors import ConfigurationError
from isogloss.studies.hedging.settings import HedgingSettings

Load = Callable[[dict[str, Any]], HedgingSettings]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Read a configuration with these settings of the study."""

    def read(settings: dict[str, Any]) -> HedgingSettings:
        path = tmp_path / "config.yaml"
        content = {
            "seed": 1,
            "models": {"m": {"backend": "recorded", "source": "s"}},
            "studies": {"hedging": {"runs": [{"items": "own", "models": ["m"]}], **settings}},
        }
        path.write_text(yaml.safe_dump(content), encoding="utf-8")
        found = load_config(path, {"hedging": HedgingSettings}).studies["hedging"]
        assert isinstance(found, HedgingSettings)
        return found

    return read


def test_defaults_rate_every_condition(load: Load) -> None:
    settings = load({})
    assert settings.scoring.conditions == ("baseline", "antibias", "cot_fewshot")
    assert settings.scoring.min_answer_mass == 0.0
    assert settings.scoring.interviews.questions == 10
    assert settings.analysis.threshold == 3.0


def test_settings_are_taken_over(load: Load) -> None:
    settings = load(
        {
            "scoring": {"conditions": ["baseline"], "reasoned": {"questions": 0}},
            "analysis": {"smallest_effect": 1},
        }
    )
    assert settings.scoring.conditions == ("baseline",)
    assert settings.scoring.reasoned.questions == 0
    assert settings.analysis.smallest_effect == 1.0


@pytest.mark.parametrize(
    ("settings", "place", "said"),
    [
        ({"scoring": {"conditions": ["antibias"]}}, "scoring", "must include baseline"),
        (
            {"scoring": {"conditions": ["baseline"], "interviews": {"conditions": ["antibias"]}}},
            "scoring",
            "antibias is used below but not listed under conditions",
        ),
        (
            {"scoring": {"conditions": ["baseline"], "reasoned": {"conditions": ["cot_fewshot"]}}},
            "scoring",
            "cot_fewshot is used below but not listed under conditions",
        ),
        ({"scoring": {"conditions": []}}, "scoring.conditions", ""),
        ({"scoring": {"conditions": ["plain"]}}, "scoring.conditions.0", "'baseline', 'antibias'"),
        (
            {"scoring": {"conditions": ["baseline", "baseline"]}},
            "scoring.conditions",
            "baseline is listed twice",
        ),
        (
            {"scoring": {"reasoned": {"conditions": ["baseline", "baseline"]}}},
            "scoring.reasoned.conditions",
            "baseline is listed twice",
        ),
        ({"scoring": {"min_answer_mass": 1.1}}, "scoring.min_answer_mass", "less than or equal"),
        ({"scoring": {"reasoned": {"max_new_tokens": 0}}}, "scoring.reasoned.max_new_tokens", ""),
        ({"scoring": {"interviews": {"count": -1}}}, "scoring.interviews.count", ""),
        ({"scoring": {"interviews": {"questions": 0}}}, "scoring.interviews.questions", ""),
        ({"scoring": {"interview": {}}}, "scoring.interview", "did you mean 'interviews'"),
        ({"analysis": {"alpha": 0}}, "analysis.alpha", "greater than 0"),
        ({"analysis": {"alpha": 0.5}}, "analysis.alpha", "less than 0.5"),
        ({"analysis": {"smallest_effect": 0}}, "analysis.smallest_effect", "greater than 0"),
        ({"analysis": {"smallest_effect": float("inf")}}, "analysis.smallest_effect", "finite"),
        ({"analysis": {"alpha": float("nan")}}, "analysis.alpha", "finite"),
        ({"analysis": {"bootstrap_draws": 99}}, "analysis.bootstrap_draws", ""),
        ({"analysis": {"threshold": 6}}, "analysis.threshold", ""),
        ({"validation": {}}, "validation", "unknown key"),
    ],
)
def test_a_fault_is_named_with_its_place(
    load: Load, settings: dict[str, Any], place: str, said: str
) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        load(settings)
    [fault] = str(refusal.value).splitlines()[1:]
    assert fault.startswith(f"  studies.hedging.{place}: ")
    assert said in fault
