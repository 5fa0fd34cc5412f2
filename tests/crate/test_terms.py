"""Tests of isogloss.crate.terms."""

import pytest

from isogloss.crate.terms import terms_at, terms_of
from isogloss.fetch.sources import FileSource, Source


def source(licence: str, *, hateful: bool = False, url: str | None = None) -> Source:
    return FileSource(
        kind="file",
        title="t",
        url=url,
        mirror="a/b.csv",
        sha256="0" * 64,
        bytes=1,
        licence=licence,
        citation="c",
        hateful=hateful,
    )


def test_a_public_licence_lets_a_file_in() -> None:
    terms = terms_of({"a": source("CC-BY-4.0")})["a"]
    assert (terms.licence, terms.reason) == ("CC-BY-4.0", "")


@pytest.mark.parametrize(
    "licence",
    [
        "none stated by its authors; read at run time, never redistributed",
        "text of a paper; read at run time, never redistributed",
        "free for research",
        "mit",
        "",
    ],
)
def test_any_other_word_keeps_a_file_out(licence: str) -> None:
    terms = terms_of({"a": source(licence, url="https://example.org/b.csv")})["a"]
    assert terms.licence is None
    assert licence in terms.reason
    assert terms.url == "https://example.org/b.csv"


def test_hateful_content_stays_out_whatever_its_licence() -> None:
    assert "hateful" in terms_of({"a": source("MIT", hateful=True)})["a"].reason


def test_terms_belong_to_the_folder_of_the_source() -> None:
    terms = terms_of({"a": source("MIT")})
    assert terms_at("data/raw/a/b.csv", terms) == terms["a"]
    assert terms_at("data/items/a/b.csv", terms) is None


def test_a_source_that_nobody_declared_stays_out() -> None:
    found = terms_at("data/raw/stranger/b.csv", terms_of({"a": source("MIT")}))
    assert found is not None
    assert "no source of that name" in found.reason
