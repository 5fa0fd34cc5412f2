"""Every number in a sentence has a source or a declared reason."""

from pathlib import Path

import pytest
from tests.report.check.conftest import Report

from isogloss.errors import RecordError
from isogloss.report.check.declared import Declaration, read_declarations, undeclared, unused
from isogloss.report.render.project import read_variables
from isogloss.report.render.source import read_source

ALL = [
    Declaration(text=text, why="so")
    for text in (
        "A page of 2026",
        "With 3 words.",
        "between 1 and 5",
        'A "quoted" line, code 7, x^2 and',
        "at most 20 times",
        "Note 9",
        "Text with 12 words",
        "Shares from 1 to 5",
        "Bars of 1 to 5",
    )
]


def found(small: Report, declared: list[Declaration]) -> list[tuple[str, int]]:
    source = read_source(small.folder, "index.qmd", read_variables(small.folder))
    lines = [line for line in source.lines if line.file == "index.qmd"]
    return [
        (one.text, 0 if one.line is None else one.line.number)
        for one in undeclared(small.expected.own, declared, lines)
    ]


def test_what_is_cited_counted_or_declared_is_no_finding(small: Report) -> None:
    assert found(small, ALL) == []


@pytest.mark.parametrize(
    ("left_out", "numbers"),
    [
        (2, [("1", 8), ("5", 8)]),
        (3, [("7", 9), ("2", 9)]),
        (4, [("20", 14)]),
        (0, [("2026", 0)]),
        (8, [("1", 18), ("5", 18)]),
    ],
)
def test_an_undeclared_number_is_named_with_its_line(
    small: Report, left_out: int, numbers: list[tuple[str, int]]
) -> None:
    assert found(small, [one for place, one in enumerate(ALL) if place != left_out]) == numbers


def test_included_parts_are_no_sentences_of_the_page(small: Report) -> None:
    texts = [token.text for token in small.expected.own.prose.tokens]
    assert "33" in texts
    assert small.expected.own.tables == {}


def test_a_declaration_counts_only_where_its_words_stand(small: Report) -> None:
    elsewhere = [*ALL[:4], Declaration(text="20", why="so"), *ALL[5:]]
    assert found(small, elsewhere) == []
    wrong = [*ALL[:4], Declaration(text="at least 20 times", why="so"), *ALL[5:]]
    assert found(small, wrong) == [("20", 14)]
    assert unused(small.expected.own, wrong) == [wrong[4]]
    assert unused(small.expected.own, ALL) == []


@pytest.mark.parametrize(
    "text", ["x: 1\n", "x:\n- text: a\n", "x:\n- {text: a, why: ''}\n", "x:\n- {text: 5, why: b}\n"]
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "prose_numbers.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"prose_numbers\.yaml: x"):
        read_declarations(tmp_path)


def test_without_a_file_nothing_is_declared(tmp_path: Path) -> None:
    assert read_declarations(tmp_path) == {}
