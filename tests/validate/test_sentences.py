import pytest

from isogloss.validate.sentences import clause_spans, sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("We met. We left!", ["We met.", "We left!"]),
        ("At 3.5 % it held... then it fell.", ["At 3.5 % it held...", "then it fell."]),
        (
            "I met Dr. Smith, e.g. at 3 p.m. We left.",
            ["I met Dr. Smith, e.g. at 3 p.m.", "We left."],
        ),
        ("So did I. We left.", ["So did I.", "We left."]),
        ("We use vans etc. It works.", ["We use vans etc.", "It works."]),
        ("The answer was no. Then we left.", ["The answer was no.", "Then we left."]),
        ("J. R. Holm agreed; nobody else did.", ["J. R. Holm agreed;", "nobody else did."]),
        ('"Why?" she asked.', ['"Why?"', "she asked."]),
        ("A list:\n• one\n• two", ["A list:", "one", "two"]),
        ("你好。世界。", ["你好。", "世界。"]),
        ("🙂 ... !", []),
        ("", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert list(sentences(text)) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("We paid 1,000 euros, and I left.", ["We paid 1,000 euros", "and I left."]),
        ("It ran until 10:30 (so he said)", ["It ran until 10:30", "so he said"]),
        ("We stayed because it rained", ["We stayed", "because it rained"]),
        ("We cut and shipped it", ["We cut and shipped it"]),
        ("I asked and nobody knew", ["I asked", "and nobody knew"]),
    ],
)
def test_clauses(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in clause_spans(text)] == parts


@pytest.mark.parametrize(
    "text", ["." * 200_000 + "x", " " * 200_000, ", " * 100_000, "\n" * 200_000]
)
def test_long_runs_of_marks_hold_no_sentence_of_their_own(text: str) -> None:
    assert len(clause_spans(text)) <= 1
