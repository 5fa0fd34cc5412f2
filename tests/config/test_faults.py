"""What is said of a file that does not have its form."""

import pytest
from pydantic import BaseModel, ValidationError

from isogloss.config.faults import first_fault


class Part(BaseModel):
    size: int


class Whole(BaseModel):
    parts: dict[str, Part]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([1], "the file: must be a mapping of keys"),
        (None, "the file: must be a mapping of keys"),
        ({"parts": [1]}, "parts: must be a mapping of keys"),
        ({"parts": {"a": "b"}}, "parts.a: must be a mapping of keys"),
        ({"parts": {"a": {}}}, "parts.a.size: Field required"),
    ],
)
def test_the_field_is_named_and_no_class_of_the_program(content: object, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate(content)
    assert first_fault(caught.value, "the file") == said
    assert first_fault(caught.value) == said.removeprefix("the file: ")
