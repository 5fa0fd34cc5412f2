import pytest

from isogloss.stimuli.rules.clauses import Sentence, clauses, sentences
from isogloss.stimuli.rules.protected import protected_regions


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("One. Two? Three", ["One. ", "Two? ", "Three"]),
        ("At 9 a.m. on Monday. Next", ["At 9 a.m. on Monday. ", "Next"]),
        ("Dr. Lee met J. Doe. She left.", ["Dr. Lee met J. Doe. ", "She left."]),
        ("We use Node.js. It works.", ["We use Node.js. ", "It works."]),
        ("A line\nand another", ["A line\n", "and another"]),
        ("", []),
    ],
)
def test_sentences_cover_the_text(text: str, wanted: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == wanted
    assert all(text[s.start :].startswith(s.text) for s in sentences(text))


def test_clauses_are_stretches_between_marks() -> None:
    found = list(clauses(Sentence("When it rains, they are semi-retired (or so).", 0)))
    assert [" ".join(clause.words) for clause in found] == [
        "when it rains",
        "they are semi",
        "retired",
        "or so",
    ]
    assert [clause.opens for clause in found] == [True, True, False, True]
    assert [clause.closes for clause in found] == [True, False, True, True]


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("I read “they are” and 'it is' there.", ["“they are”", "'it is'"]),
        ("Pay $1.5 million by 12/3, or 40%.", ["$1.5", "12/3", "40%"]),
        ("I met Ann of the Bank of America.", ["Ann of the Bank of America"]),
        ("See `a is b` at www.is.org/they.", ["`a is b`", "www.is.org/they"]),
        ("The boys' house is the Smiths' house.", ["Smiths"]),
        ("I know I'm here. The end.", []),
    ],
)
def test_quotations_figures_and_names_are_protected(text: str, protected: list[str]) -> None:
    assert [text[start:end] for start, end in protected_regions(text)] == protected
