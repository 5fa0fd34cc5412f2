"""Read a configuration file and say in one readable error everything that is wrong with it."""

import difflib
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from isogloss.config.schema import (
    MODEL_BACKENDS,
    AnyModel,
    Config,
    General,
    Sections,
    StudySettings,
)
from isogloss.errors import ConfigurationError

_Path = tuple[str | int, ...]
_M = TypeVar("_M", bound=BaseModel)


class _UniqueKeyLoader(yaml.SafeLoader):
    """Safe YAML that refuses a key given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise yaml.MarkedYAMLError(
                    problem="a key must be a single value", problem_mark=key_node.start_mark
                )
            if key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"key {key!r} is given twice", problem_mark=key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file; raise `ConfigurationError` with the line at fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    try:
        return yaml.load(text, Loader=_UniqueKeyLoader)
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        raise ConfigurationError(f"{path}{line}: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:  # a date that does not exist is a ValueError
        raise ConfigurationError(f"{path}: not valid YAML ({error})") from error


def load_config(path: Path, settings: Mapping[str, type[StudySettings]]) -> Config:
    """Read and validate a configuration.

    `settings` maps the name of each known study to its settings model. Raises
    `ConfigurationError` that lists every fault: unknown key, wrong type, and each study, model or
    item set that does not exist.
    """
    raw = read_yaml(path)
    if not isinstance(raw, dict):
        keys = ", ".join(Sections.model_fields)
        raise ConfigurationError(f"{path}: must be a mapping with the keys {keys}")
    faults: list[str] = []
    sections = _validated(Sections, raw, (), faults)
    if sections is None:
        raise _unusable(path, faults)
    models = {
        name: _validated(_model_class(given), given, ("models", name), faults)
        for name, given in sections.models.items()
    }
    studies = {
        name: _validated(settings[name], given, ("studies", name), faults)
        for name, given in sections.studies.items()
        if name in settings
    }
    faults += [
        f"studies.{name}: no such study{_instead(name, settings)}"
        for name in sections.studies
        if name not in settings
    ]
    if faults:
        raise _unusable(path, faults)
    general = {name: getattr(sections, name) for name in General.model_fields}
    config = Config.model_validate({**general, "models": models, "studies": studies, "file": path})
    faults = _missing_models(config)
    if faults:
        raise _unusable(path, faults)
    return config


def _unusable(path: Path, faults: Sequence[str]) -> ConfigurationError:
    listed = "\n".join(f"  {fault}" for fault in faults)
    return ConfigurationError(f"{path} cannot be used:\n{listed}")


def _model_class(given: Any) -> type[BaseModel]:
    backend = given.get("backend") if isinstance(given, dict) else None
    return MODEL_BACKENDS.get(str(backend), AnyModel)


def _validated(model: type[_M], given: Any, where: _Path, faults: list[str]) -> _M | None:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        faults += [_sentence(e, where, model) for e in error.errors()]
        return None


def _missing_models(config: Config) -> list[str]:
    return [
        f"studies.{name}.runs: model {model!r} is not listed under models"
        f"{_instead(model, config.models)}"
        for name, study in config.studies.items()
        for run in study.runs
        for model in run.models
        if model not in config.models
    ]


def _sentence(error: Any, where: _Path, model: type[BaseModel] | None = None) -> str:
    location = (*where, *error["loc"])
    place = ".".join(str(part) for part in location) or "the file"
    if error["type"] == "extra_forbidden":
        known = model.model_fields if model is not None and len(error["loc"]) == 1 else ()
        return f"{place}: unknown key{_instead(str(location[-1]), known)}"
    if error["type"] == "missing":
        return f"{place}: is missing"
    message = error["msg"].removeprefix("Value error, ")
    message = message[0].lower() + message[1:]
    given = error.get("input")
    shown = f" (found {given!r})" if isinstance(given, str | int | float | bool) else ""
    return f"{place}: {message}{shown}"


def _instead(name: str, known: Mapping[str, Any] | Sequence[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; choose from {', '.join(known)}" if known else ""
