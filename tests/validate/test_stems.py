import pytest
from tests.validate.dialect import PAIRS

from isogloss.validate.opposites import opposites_among
from isogloss.validate.stems import content_words, is_family, stem


@pytest.mark.parametrize(
    "forms",
    [
        "manage manages managed managing",
        "ship ships shipped shipping",
        "travel travelled traveled travelling",
        "write writes wrote written writing",
        "see saw seen seeing",
        "try tries tried trying",
        "apply applies applied",
        "use used using",
        "work works worked workin",
        "company companies",
        "process processes processed",
        "child children",
        "decide decided decision",
        "call called calling",
    ],
)
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("first", "second", "family"),
    [
        ("manager", "management", True),
        ("collaborate", "collaboration", True),
        ("improve", "improvement", True),
        ("quick", "quickly", True),
        ("responsible", "responsibility", True),
        ("careful", "careless", False),
        ("contract", "contrast", False),
        ("communicate", "community", False),
        ("raise", "lower", False),
        ("reliable", "unreliable", False),
        ("cost", "coat", False),
    ],
)
def test_families(first: str, second: str, family: bool) -> None:
    assert is_family(stem(first), stem(second)) is family
    assert is_family(stem(second), stem(first)) is family


def test_content_words_leave_out_function_words() -> None:
    text = "I was just going to tell y'all that we ain't finna sell the van, ok?"
    assert [token.word for token in content_words(text)] == ["tell", "sell", "van"]
    assert content_words("🙂 12. x") != ()
    assert content_words("") == ()


@pytest.mark.parametrize(("dialect", "standard"), PAIRS)
def test_dialects_have_the_same_content(dialect: str, standard: str) -> None:
    first, second = (
        [stem(token.word) for token in content_words(text)] for text in (dialect, standard)
    )
    unlike = [word for word in first if not any(is_family(word, other) for other in second)]
    assert len(unlike) <= 1


@pytest.mark.parametrize(
    ("word", "opposite"),
    [
        ("raised", "lowered"),
        ("accepted", "rejected"),
        ("won", "lost"),
        ("possible", "impossible"),
        ("reliable", "unreliable"),
        ("careful", "careless"),
        ("met", "missed"),
    ],
)
def test_opposites_are_found_both_ways(word: str, opposite: str) -> None:
    first, second = stem(word), stem(opposite)
    assert opposites_among(first, {second, "table"}) == {second}
    assert opposites_among(second, {first, "table"}) == {first}


def test_other_words_are_no_opposites() -> None:
    assert opposites_among(stem("raised"), {stem("increased"), stem("table")}) == frozenset()


@pytest.mark.parametrize(
    ("word", "other"),
    [("to", "into"), ("proved", "improved"), ("cover", "discover"), ("form", "inform")],
)
def test_a_beginning_that_is_no_negation_turns_nothing(word: str, other: str) -> None:
    assert opposites_among(stem(word), {stem(other)}) == frozenset()
    assert opposites_among(stem(other), {stem(word)}) == frozenset()
