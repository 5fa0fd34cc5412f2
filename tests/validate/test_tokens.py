import pytest

from isogloss.validate.tokens import count_words, tokenise


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I’ve built it.", ["i've", "built", "it"]),
        ("I'VE Built It", ["i've", "built", "it"]),
        ("problem-solving skills", ["problem", "solving", "skills"]),
        ("grew by 2.5% to 1,000", ["grew", "by", "2.5", "to", "1,000"]),
        ("cafe\u0301 naïve", ["café", "naïve"]),
        ("snake_case", ["snake", "case"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("👩‍💻 shipped 🚀 it", ["shipped", "it"]),
        ("", []),
        ("… — !", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [token.word for token in tokenise(text)] == words
    assert count_words(text) == len(words)


def test_offsets_point_into_the_given_text() -> None:
    text = "Well — 👩‍💻 I’d cafe\u0301 it."
    assert all(text[token.start : token.end] == token.raw for token in tokenise(text))
    assert [token.raw for token in tokenise(text)] == ["Well", "I’d", "cafe\u0301", "it"]


def test_edges_of_clauses_and_sentences() -> None:
    tokens = tokenise("First, we met. Then we left")
    assert [token.opens_sentence for token in tokens] == [True, False, False, True, False, False]
    assert [token.opens_clause for token in tokens] == [True, True, False, True, False, False]
    assert [token.closes_clause for token in tokens] == [True, False, True, False, False, True]
