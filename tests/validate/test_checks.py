from typing import Any

import pytest
from pydantic import ValidationError

from isogloss.validate.checks import ContrastChecks


def test_defaults_follow_the_spoken_base_rate() -> None:
    checks = ContrastChecks(kind="markers")
    # Arnell (2020): 20 to 22 hedges per 1,000 words in interviews.
    assert checks.max_reference_markers < checks.min_guise_markers <= 22


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "marker"}, "Input should be 'markers' or 'articles'"),
        ({"kind": "articles", "min_similarity": 0.8}, "min_similarity has no effect"),
        ({"kind": "markers", "min_articles": 2}, "min_articles has no effect"),
        ({"kind": "markers", "min_length_ratio": 2}, "min_length_ratio is above"),
        ({"kind": "markers", "similarity": 0.8}, "Extra inputs"),
    ],
)
def test_a_setting_that_means_nothing_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ContrastChecks.model_validate(settings)
