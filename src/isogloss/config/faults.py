"""What is wrong with a file that does not have the form of its model, in words."""

from pydantic import ValidationError

_NO_MAPPING = frozenset({"model_type", "model_attributes_type", "dataclass_type", "dict_type"})


def first_fault(error: ValidationError, whole: str = "") -> str:
    """Name the first field at fault and say what is wrong with it.

    `whole` names the file itself where that is at fault; without it, it is not named.
    """
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or whole
    message = "must be a mapping of keys" if first["type"] in _NO_MAPPING else first["msg"]
    return f"{place}: {message}" if place else message
