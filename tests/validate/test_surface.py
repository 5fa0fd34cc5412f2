import pytest

from isogloss.validate.surface import control_characters, mojibake, placeholders, unwrap


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ('"I did it."', "I did it."),
        (' "I did it." ', "I did it."),
        ("“I did it.”", "I did it."),
        ("'It's done'", "It's done"),
        ("‘It’s done’", "It’s done"),
        ("«Fait»", "Fait"),
        ('"He said "go" to me"', 'He said "go" to me'),
        ('""twice""', "twice"),
        ('""', ""),
    ],
)
def test_wrapping_marks_are_removed(text: str, inner: str) -> None:
    assert unwrap(text) == (inner, True)


@pytest.mark.parametrize(
    "text",
    [
        '"Yes" and "no"',
        "“Yes” and “no”",
        "‘Yes’ and ‘no’",
        "'Yes' and 'no'",
        '"Yes" is what I said',
        'I said "yes"',
        "I did it. ",
        '"',
        "",
        "🙂",
    ],
)
def test_other_marks_stay(text: str) -> None:
    assert unwrap(text) == (text, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("my skills in [relevant area] fit", ("[relevant area]",)),
        ("Dear {name}, {{ role }}", ("{name}", "{{ role }}")),
        ("at <company name> since", ("<company name>",)),
        ("at ____ since, TBD", ("____", "TBD")),
        ("Lorem ipsum", ("Lorem ipsum",)),
        ("see [1], list[index], [docs](https), O[n]", ()),
        ("a <div> in List<String> and __init__", ()),
        ("tbd is not shouted", ()),
    ],
)
def test_placeholders(text: str, found: tuple[str, ...]) -> None:
    assert placeholders(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("zero\u200bwidth", ("U+200B",)),
        ("\ufeffstart", ("U+FEFF",)),
        ("a\x00b\x85", ("U+0000", "U+0085")),
        ("carriage\r", ("U+000D",)),
        ("over\u202eride", ("U+202E",)),
        ("private \ue000", ("U+E000",)),
        ("👩‍💻 \u200fשלום\u200e می\u200cخواهم\ttab\n", ()),
    ],
)
def test_control_characters(text: str, found: tuple[str, ...]) -> None:
    assert control_characters(text) == found


@pytest.mark.parametrize(
    "text", ["café", "it’s", "“so”", "naïve — yes", "Привет", "ok 🚀", "a\u00a0b"]
)
def test_mojibake_of_any_script_is_found(text: str) -> None:
    garbled = "".join(
        bytes([byte]).decode("cp1252", errors="ignore") or chr(byte) for byte in text.encode()
    )
    assert mojibake(garbled)
    assert mojibake(text) == ()


@pytest.mark.parametrize("text", ["“café…”", "“Spaß”", "«à»", "São Paulo", "10 °C ± 1", "ÅÄÖ"])
def test_correct_text_is_not_taken_for_mojibake(text: str) -> None:
    assert mojibake(text) == ()


def test_a_replacement_character_is_found() -> None:
    assert mojibake("caf\ufffd") == ("\ufffd",)
