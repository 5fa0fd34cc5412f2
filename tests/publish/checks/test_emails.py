from functools import partial
from pathlib import Path

import pytest

from isogloss.publish.checks.emails import check, cited_addresses


def run(allowed=frozenset()):
    return partial(check, allowed=allowed)


@pytest.mark.parametrize(
    "body",
    [
        "<p>ada@uni.ac.uk</p>",
        "<a href='mailto:Ada@uni.ac.uk'>write</a>",
        "<p>a<b>da@uni.ac</b>.uk</p>",
        "<p>ada&#64;uni.ac.uk</p>",
        "<!-- ada@uni.ac.uk -->",
    ],
)
def test_an_address_is_found(made, body: str) -> None:
    made.page(body)
    found = made.found(run())
    assert "index.html:16: the e-mail address ada@uni.ac.uk is not in CITATION.cff" in found


def test_an_address_that_is_cited_or_belongs_to_nobody_is_not(made) -> None:
    made.page("<p>Ada@uni.ac.uk, a@example.org, b@mail.example, axe-core@4.14.1, rule:x@1</p>")
    assert made.found(run({"ada@uni.ac.uk"})) == []


def test_addresses_are_read_from_anywhere_in_a_citation(tmp_path: Path) -> None:
    path = tmp_path / "CITATION.cff"
    assert cited_addresses(path) == frozenset()
    path.write_text("authors:\n  - email: Ada@uni.ac.uk\n    name: Ada\nyear: 2025\n")
    assert cited_addresses(path) == {"ada@uni.ac.uk"}


def test_the_projects_own_citation_can_be_read(project: Path) -> None:
    assert isinstance(cited_addresses(project / "CITATION.cff"), frozenset)
