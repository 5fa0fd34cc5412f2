import pytest
from tests.validate.dialect import PAIRS

from isogloss.validate.language import NOT_MEASURED, measure_english


def margin(text: str) -> float:
    found = measure_english(text).margin
    assert found is not None
    return found


@pytest.mark.parametrize("text", [text for pair in PAIRS for text in pair])
def test_both_dialects_are_english(text: str) -> None:
    assert margin(text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "I think we perhaps sort of cut the latency, as far as I can tell.",
        "I managed team of five engineers and shipped product in two weeks.",
        "I deployed Kubernetes on AWS with Terraform.",
        "We hired Anna Müller and José García from the Zürich office last year.",
        "Bruh, we finna win this one tonight.",
        "The build was green 🎉 and everyone on the team 👍 was happy about it.",
    ],
)
def test_names_hedges_and_emoji_leave_a_text_english(text: str) -> None:
    assert margin(text) > 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ich habe das Team geleitet und die Kosten gesenkt.", "de"),
        ("Nous avons livré le produit en deux semaines.", "fr"),
        ("I led the team und dann haben wir alles fertig gemacht und ausgeliefert.", "de"),
        ("I led it for two years. Después cambiamos el proceso y todo salió mejor.", "es"),
        ("שלום עולם", "he"),
        ("مرحبا", "ar"),
        ("日本語のテキストです", "ja"),
    ],
)
def test_another_language_is_named_also_where_half_is_english(text: str, code: str) -> None:
    found = measure_english(text)
    assert found.margin is not None
    assert found.margin < -0.2
    assert found.other == code


@pytest.mark.parametrize(
    "text", ["", "12 345", "🙂🙂", "Yes.", "OK 👍", "x" * 200_000, "a@b.example " * 9]
)
def test_too_little_text_is_not_measured(text: str) -> None:
    assert measure_english(text) == NOT_MEASURED


def test_the_least_english_stretch_of_a_long_text_is_found() -> None:
    english = "We met the team in the morning and planned the work of the week. "
    text = english * 100 + "Danach haben wir zusammen gegessen und über die Arbeit geredet. " * 2
    assert margin(english * 100) > 0.9
    found = measure_english(text + english * 100)
    assert found.other == "de"
    assert len(found.stretch.split()) <= 12


def test_one_text_has_one_answer() -> None:
    text = "Wir haben the meeting moved to Friday."
    assert len({measure_english(text) for _ in range(3)}) == 1
