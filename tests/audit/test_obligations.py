import re
from pathlib import Path

import pytest
import yaml

from isogloss.audit.obligations import obligations, read_obligations
from isogloss.errors import ConfigurationError

SMALL = {
    "notice": "Information.",
    "laws": {"l": {"name": "Law", "check": "Check it."}},
    "provisions": {"p": {"law": "l", "place": "1", "about": "Something."}},
    "items": {"i": {"title": "Part", "where": ["audit.json"], "serves": {"p": "So."}}},
}


def write(content: object, path: Path) -> Path:
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def test_every_provision_asked_for_is_served() -> None:
    shipped = obligations()
    places = " ".join(one.place for one in shipped.provisions.values())
    for place in ("Annex III, point 4(a)", "Annex IV", "1607.4(D)", "1607.15", "2000e-2"):
        assert place in places
    assert {int(n) for n in re.findall(r"Article (\d+)", places)} == set(range(9, 16))


def test_it_is_worded_as_information() -> None:
    shipped = obligations()
    assert "not legal advice" in shipped.notice
    assert all("heck" in law.check for law in shipped.laws.values())
    words = " ".join(how for item in shipped.items.values() for how in item.serves.values())
    assert not re.search(r"\b(compl(y|ies|iant)|fulfils?|guarantee)", words)


@pytest.mark.parametrize(
    ("part", "content", "said"),
    [
        ("provisions", {"p": {"law": "x", "place": "1", "about": "A."}}, "law 'x'"),
        ("items", {"i": {**SMALL["items"]["i"], "serves": {"q": "So."}}}, "provision 'q'"),
        ("items", {"i": {**SMALL["items"]["i"], "where": []}}, "items.i.where"),
        ("laws", {**SMALL["laws"], "m": SMALL["laws"]["l"]}, "law 'm' is described and never"),
    ],
)
def test_a_mapping_that_does_not_add_up_is_refused(
    tmp_path: Path, part: str, content: object, said: str
) -> None:
    path = write({**SMALL, part: content}, tmp_path / "o.yaml")
    with pytest.raises(ConfigurationError, match=said):
        read_obligations(path)


def test_a_small_mapping_is_read(tmp_path: Path) -> None:
    found = read_obligations(write(SMALL, tmp_path / "o.yaml"))
    assert found.items["i"].serves == {"p": "So."}
