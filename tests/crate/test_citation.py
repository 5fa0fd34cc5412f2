"""CITATION.cff against the rules of the Citation File Format 1.2.0, as far as this file uses them.

cffconvert cannot be installed beside jsonschema 4. The rules are those of the format's schema
(https://github.com/citation-file-format/citation-file-format, CC-BY-4.0); the file was also
checked once against that schema itself.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.record.conftest import ROOT

from isogloss.crate.citation import Author, read_citation
from isogloss.crate.terms import OPEN_LICENCES
from isogloss.errors import RecordError

TOP = {
    "abstract",
    "authors",
    "cff-version",
    "commit",
    "contact",
    "date-released",
    "doi",
    "identifiers",
    "keywords",
    "license",
    "license-url",
    "message",
    "preferred-citation",
    "references",
    "repository",
    "repository-artifact",
    "repository-code",
    "title",
    "type",
    "url",
    "version",
}
REFERENCE = {"authors", "doi", "end", "journal", "notes", "start", "title", "type", "url", "year"}
REFERENCE |= {"volume", "identifiers"}
PERSON = {"affiliation", "alias", "email", "family-names", "given-names", "orcid", "website"}
ENTITY = {"alias", "email", "name", "orcid", "website"}
DOI = r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+"
ORCID = r"https://orcid\.org/[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]"


@pytest.fixture(scope="module")
def citation() -> dict[str, Any]:
    loaded: dict[str, Any] = YAML(typ="safe", pure=True).load(ROOT / "CITATION.cff")
    return loaded


def check_authors(authors: list[dict[str, Any]]) -> None:
    assert authors
    for author in authors:
        assert set(author) <= (ENTITY if "name" in author else PERSON)
        assert author.get("name") or author.get("family-names")
        assert re.fullmatch(ORCID, author.get("orcid", "https://orcid.org/0000-0000-0000-0000"))


def test_a_repository_finds_what_it_asks_for(citation: dict[str, Any]) -> None:
    assert set(citation) <= TOP
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in {"software", "dataset"}
    for field in ("title", "message", "abstract", "version"):
        assert isinstance(citation[field], str)
        assert citation[field].strip()
    assert citation["license"] in OPEN_LICENCES
    check_authors(citation["authors"])
    keywords = citation["keywords"]
    assert keywords
    assert len(keywords) == len(set(keywords))


def test_dois_and_dates_have_their_form(citation: dict[str, Any]) -> None:
    found = [citation, *citation["references"]]
    for entry in found:
        assert re.fullmatch(DOI, entry.get("doi", "10.5281/zenodo.1"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(entry.get("date-released", "2026-01-01")))


def test_references_are_complete(citation: dict[str, Any]) -> None:
    for reference in citation["references"]:
        assert set(reference) <= REFERENCE
        assert reference["type"] == "article"
        assert reference["title"]
        assert isinstance(reference["year"], int)
        check_authors(reference["authors"])
        assert "doi" in reference or "journal" in reference


def test_the_package_reads_it() -> None:
    citation = read_citation(ROOT)
    assert citation.license == "Apache-2.0"
    assert [author.full_name for author in citation.authors] == ["The Isogloss contributors"]
    assert citation.authors[0].is_entity


def test_people_have_both_their_names() -> None:
    author = Author.model_validate({"family-names": "Müller", "given-names": "Ada"})
    assert author.full_name == "Ada Müller"
    assert not author.is_entity


def test_a_file_without_authors_is_named(tmp_path: Path) -> None:
    (tmp_path / "CITATION.cff").write_text("title: A\nlicense: MIT\nauthors: []\n")
    with pytest.raises(RecordError, match=r"CITATION\.cff: authors"):
        read_citation(tmp_path)
