from pathlib import Path

import pytest
from tests.validate.dialect import PAIRS

from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.politeness import measure_politeness


@pytest.fixture(scope="module")
def lexicon(project: Path) -> Lexicon:
    return load_lexicon(project / "data" / "lexicons" / "politeness.yaml")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Could you please send it? Thank you, sir.", ("could you please", "thank you", "sir")),
        ("Sorry, I was wondering if you could help.", ("sorry", "i was wondering")),
        ("Good morning. We'd be grateful for a reply.", ("good morning", "we'd be grateful")),
        ("Thanks to the team we please the customer.", ()),
        ("I felt sorry. You could say he would go.", ()),
        ("We welcome feedback; hi-fi is our trade.", ()),
        ("", ()),
        ("👩‍💻 שלום", ()),
    ],
)
def test_markers(text: str, found: tuple[str, ...], lexicon: Lexicon) -> None:
    assert measure_politeness(text, lexicon).found == found


def test_density_is_per_thousand_words(lexicon: Lexicon) -> None:
    assert measure_politeness("Please send us the list today.", lexicon).per_thousand == (
        pytest.approx(1000 / 6)
    )
    assert measure_politeness("…", lexicon).per_thousand is None


@pytest.mark.parametrize(("dialect", "standard"), PAIRS)
def test_dialect_is_as_polite_as_its_counterpart(
    dialect: str, standard: str, lexicon: Lexicon
) -> None:
    first, second = (measure_politeness(text, lexicon).found for text in (dialect, standard))
    assert first == second
