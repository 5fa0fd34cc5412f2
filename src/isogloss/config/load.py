"""Read a configuration file and say in one readable error everything that is wrong with it."""

import difflib
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

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
        raise ConfigurationError(
            f"{path}: no such file; work in the folder of the project, or name a file that exists"
        ) from error
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
    `ConfigurationError` that lists every fault: unknown key, wrong type, and each study or model
    that does not exist.
    """
    raw = read_yaml(path)
    if not isinstance(raw, dict):
        keys = ", ".join(Sections.model_fields)
        raise ConfigurationError(f"{path}: must be a mapping with the keys {keys}")
    faults: list[str] = []
    sections = _validated(Sections, raw, (), faults)
    given_models, given_studies = _mapping(raw, "models"), _mapping(raw, "studies")
    models = {
        name: _validated(_model_class(given), given, ("models", name), faults)
        for name, given in given_models.items()
    }
    studies = {
        name: _validated(settings[name], given, ("studies", name), faults)
        for name, given in given_studies.items()
        if name in settings
    }
    faults += [
        f"studies.{name}: no such study{_instead(name, settings)}"
        for name in given_studies
        if name not in settings
    ]
    faults += _missing_models(studies, given_models) if given_models else []
    if faults or sections is None:
        raise _unusable(path, faults)
    general = {name: getattr(sections, name) for name in General.model_fields}
    return Config.model_validate({**general, "models": models, "studies": studies, "file": path})


def _mapping(raw: Mapping[Any, Any], key: str) -> dict[str, Any]:
    """The entries of a section, or none where `Sections` finds fault with the section itself."""
    found = raw.get(key)
    return {str(name): given for name, given in found.items()} if isinstance(found, dict) else {}


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
        errors = error.errors()
        faults += [_sentence(e, where, model) for e in errors if not _follows(e, errors)]
        return None


def _missing_models(
    studies: Mapping[str, StudySettings | None], known: Mapping[str, Any]
) -> list[str]:
    return [
        f"studies.{name}.runs: model {model!r} is not listed under models{_instead(model, known)}"
        for name, study in studies.items()
        for run in (study.runs if study is not None else ())
        for model in run.models
        if model not in known
    ]


def _follows(error: Any, errors: Sequence[Any]) -> bool:
    """Tell whether a list counts as too short only because an entry of it is at fault."""
    place = error["loc"]
    return error["type"] == "too_short" and any(
        len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in errors
    )


def _sentence(error: Any, where: _Path, model: type[BaseModel]) -> str:
    location = (*where, *error["loc"])
    place = ".".join(str(part) for part in location) or "the file"
    if error["type"] == "extra_forbidden":
        known = _model_at(model, error["loc"][:-1]).model_fields
        return f"{place}: unknown key{_instead(str(location[-1]), known)}"
    if error["type"] == "missing":
        return f"{place}: is missing"
    message = _WORDING.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    message = message[0].lower() + message[1:]
    given = error.get("input")
    shown = f" (found {given!r})" if isinstance(given, str | int | float | bool) else ""
    return f"{place}: {message}{shown}"


_WORDING = {
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "tuple_type": "must be a list",
    "too_short": "must not be empty",
}
"""What a person who writes YAML calls the thing, by pydantic's type of error."""


def _model_at(model: type[BaseModel], place: _Path) -> type[BaseModel]:
    """The model of the mapping at a place below a model's own mapping."""
    for part in place:
        if isinstance(part, str):
            inner = _models_in(model.model_fields[part].annotation)
            model = inner[0] if inner else model
    return model


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _instead(name: str, known: Mapping[str, Any] | Sequence[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; choose from {', '.join(known)}" if known else ""
