"""What is wrong with a configuration is said in one error, place by place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isogloss.config import Config, RecordedModel, TransformersModel, load_config, read_yaml
from isogloss.errors import ConfigurationError
from isogloss.studies.registry import STUDIES

Load = Callable[[Any], Config]
Faults = Callable[[Any], list[str]]


def changed(content: Any, place: str, value: Any) -> Any:
    """Set the value at a dotted place; `...` takes it away."""
    *above, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    inner = content
    for part in above:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else inner[part]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return content


def test_a_good_configuration_is_read_whole(load: Load, good: dict[str, Any]) -> None:
    config = load(good)
    assert config.seed == 7
    assert config.allow_hateful_content is False
    assert config.models == {
        "small": TransformersModel(backend="transformers", source="weights"),
        "heard": RecordedModel(backend="recorded", source="answers"),
    }
    assert type(config.studies["colours"]).__name__ == "Colours"
    assert config.studies["shapes"].runs[0].models == ("heard",)
    assert config.file.name == "config.yaml"


def test_the_shipped_configuration_loads(project: Path) -> None:
    config = load_config(
        project / "config" / "config.yaml",
        {name: study.settings_model for name, study in STUDIES.items()},
    )
    assert set(config.studies) == set(STUDIES)
    used = {m for study in config.studies.values() for run in study.runs for m in run.models}
    assert used == set(config.models)
    assert config.allow_hateful_content is False


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("sed", 1, "sed: unknown key; did you mean 'seed'?"),
        ("encoder.pakage", "x", "encoder.pakage: unknown key; did you mean 'package'?"),
        ("models.small.dtyp", "float32", "models.small.dtyp: unknown key; did you mean 'dtype'?"),
        ("models.heard.sourse", "x", "models.heard.sourse: unknown key; did you mean 'source'?"),
        (
            "studies.colours.scorin",
            {},
            "studies.colours.scorin: unknown key; did you mean 'scoring'?",
        ),
        (
            "studies.colours.scoring.treshholds",
            {},
            "studies.colours.scoring.treshholds: unknown key; did you mean 'thresholds'?",
        ),
        (
            "studies.colours.scoring.thresholds.higest",
            1.0,
            "studies.colours.scoring.thresholds.higest: unknown key; did you mean 'highest'?",
        ),
        (
            "studies.shapes.runs.0.model",
            ["small"],
            "studies.shapes.runs.0.model: unknown key; did you mean 'models'?",
        ),
        (
            "zzz",
            1,
            "zzz: unknown key; choose from seed, allow_hateful_content, encoder, stimuli, "
            "weat, models, studies",
        ),
        ("studies.color", {}, "studies.color: no such study; did you mean 'colours'?"),
        ("studies.sounds", {}, "studies.sounds: no such study; choose from colours, shapes"),
        (
            "studies.shapes.runs.0.models",
            ["herd"],
            "studies.shapes.runs: model 'herd' is not listed under models; did you mean 'heard'?",
        ),
        (
            "studies.shapes.runs.0.models",
            ["none"],
            "studies.shapes.runs: model 'none' is not listed under models; "
            "choose from small, heard",
        ),
        (
            "models.small.backend",
            "transformer",
            "models.small.backend: input should be 'transformers', 'openai' or 'recorded' "
            "(found 'transformer')",
        ),
        ("models.small.backend", ..., "models.small.backend: is missing"),
        ("models.heard.source", ..., "models.heard.source: is missing"),
        ("models.small.source", ..., "models.small: give exactly one of source, path and hub"),
        ("models.small.path", "x", "models.small: give exactly one of source, path and hub"),
        ("seed", ..., "seed: is missing"),
        ("models", ..., "models: is missing"),
        ("studies", ..., "studies: is missing"),
        ("studies.shapes.runs", ..., "studies.shapes.runs: is missing"),
        ("studies.shapes.runs.0.items", ..., "studies.shapes.runs.0.items: is missing"),
        ("seed", "seven", "seed: input should be a valid integer (found 'seven')"),
        ("seed", True, "seed: input should be a valid integer (found True)"),
        ("seed", -1, "seed: input should be greater than or equal to 0 (found -1)"),
        ("seed", 2**32, "seed: input should be less than 4294967296 (found 4294967296)"),
        (
            "allow_hateful_content",
            "yes",
            "allow_hateful_content: input should be a valid boolean (found 'yes')",
        ),
        (
            "studies.colours.scoring.thresholds.highest",
            "1.0",
            "studies.colours.scoring.thresholds.highest: input should be a valid number "
            "(found '1.0')",
        ),
        (
            "studies.colours.scoring.thresholds.highest",
            float("inf"),
            "studies.colours.scoring.thresholds.highest: input should be a finite number "
            "(found inf)",
        ),
    ],
)
def test_one_fault_is_one_line(
    faults: Faults, good: dict[str, Any], place: str, value: Any, said: str
) -> None:
    assert faults(changed(good, place, value)) == [said]


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("models", {}, "models: must not be empty"),
        ("studies", {}, "studies: must not be empty"),
        ("models", ["small"], "models: must be a mapping"),
        ("studies", "colours", "studies: must be a mapping (found 'colours')"),
        ("studies.shapes", None, "studies.shapes: must be a mapping"),
        ("models.small", "weights", "models.small: must be a mapping (found 'weights')"),
        ("encoder", "x", "encoder: must be a mapping (found 'x')"),
        ("studies.shapes.runs", [], "studies.shapes.runs: must not be empty"),
        ("studies.shapes.runs.0.models", [], "studies.shapes.runs.0.models: must not be empty"),
        (
            "studies.shapes.runs.0.models",
            "heard",
            "studies.shapes.runs.0.models: must be a list (found 'heard')",
        ),
        ("studies.shapes.runs.0", "own", "studies.shapes.runs.0: must be a mapping (found 'own')"),
    ],
)
def test_faults_of_form_are_said_in_the_words_of_yaml(
    faults: Faults, good: dict[str, Any], place: str, value: Any, said: str
) -> None:
    found = faults(changed(good, place, value))
    assert found[0] == said
    assert not any("tuple" in line or "dictionary" in line for line in found)


def test_every_fault_is_in_the_one_error(faults: Faults, good: dict[str, Any]) -> None:
    good["sed"] = 1
    del good["seed"]
    good["models"]["small"]["dtype"] = "float64"
    good["models"]["heard"]["backend"] = "radio"
    good["studies"]["colours"]["scoring"] = {"words": 3, "thresholds": {"highest": "much"}}
    good["studies"]["shapes"]["runs"][0]["models"] = ["herd"]
    good["studies"]["sounds"] = {}
    places = {line.split(": ")[0] for line in faults(good)}
    assert places == {
        "sed",
        "seed",
        "models.small.dtype",
        "models.heard.backend",
        "studies.colours.scoring.words",
        "studies.colours.scoring.thresholds.highest",
        "studies.shapes.runs",
        "studies.sounds",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seed: 1\nseed: 2\n", "line 2: key 'seed' is given twice"),
        ("models:\n  a: {x: 1}\n  a: {x: 2}\n", "line 3: key 'a' is given twice"),
        ("seed: 1\nmodels: {a: {x: 1, x: 2}}\n", "line 2: key 'x' is given twice"),
        ("seed: [1\n", "line 2: expected ',' or ']'"),
        ("seed: !!python/name:os.system 1\n", "line 1: could not determine a constructor"),
        ("? [a, b]\n: 1\n", "line 1: a key must be a single value"),
        ("seed: 2026-13-45\n", "not valid YAML (month must be in 1..12)"),
        ("seed: \x01\n", "not valid YAML"),
        ("seed: *nobody\n", "line 1: found undefined alias"),
    ],
)
def test_faults_of_yaml_name_the_line(load: Load, tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        load(text)
    assert str(refusal.value).startswith(str(tmp_path / "config.yaml"))
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("base_url", "https://user:secret@example.org"),
        ("base_url", "https://example.org/?k=secret"),
        ("api_key_env", "sk-secret"),
        ("api_key", "sk-secret"),
    ],
)
def test_no_fault_repeats_what_may_be_a_key(
    faults: Faults, good: dict[str, Any], key: str, value: str
) -> None:
    server = {"backend": "openai", "base_url": "https://example.org", "model": "m"}
    good["models"]["small"] = {**server, key: value}
    (fault,) = faults(good)
    assert key in fault
    assert "secret" not in fault


@pytest.mark.parametrize("text", ["- seed\n", "", "seed\n", "3\n", "# nothing\n"])
def test_a_file_that_maps_nothing_says_which_keys_it_needs(load: Load, text: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        load(text)
    assert str(refusal.value).endswith(
        "must be a mapping with the keys seed, allow_hateful_content, encoder, stimuli, weat, "
        "models, studies"
    )


def test_a_file_that_is_not_utf8(load: Load, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"config\.yaml: cannot be read as UTF-8 text"):
        load(b"seed: 1 # \xfcber\n")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.yaml: no such file"):
        read_yaml(tmp_path / "none.yaml")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_yaml(tmp_path)


def test_numbers_for_names_do_not_crash(faults: Faults, good: dict[str, Any]) -> None:
    good["models"][3] = {"backend": "recorded", "source": "x"}
    good[4] = 1
    places = {line.split(": ")[0] for line in faults(good)}
    assert {"4", "models.3.[key]"} <= places


def test_merge_keys_and_umlauts_are_read(load: Load) -> None:
    config = load(
        "seed: 1\n"
        "models:\n"
        "  first: &first {backend: recorded, source: zähler}\n"
        "  second: {<<: *first, source: nenner}\n"
        "studies: {shapes: {runs: [{items: own, models: [first, second]}]}}\n"
    )
    sources = [model.source for model in config.models.values()]
    assert sources == ["zähler", "nenner"]


def test_a_mistake_in_the_configuration_exits_with_2() -> None:
    assert ConfigurationError.exit_code == 2
