"""What configuration records are built from."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
"""A name that becomes part of a file name: lower-case letters, digits, dot, dash, underscore."""


class Strict(BaseModel):
    """Base of every configuration record: no unknown key, no silent conversion, no mutation."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]} is listed twice; list it once")
    return names


EachOnce = AfterValidator(_each_once)
"""A list of names in which none may stand twice."""
