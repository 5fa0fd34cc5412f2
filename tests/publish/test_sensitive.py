from pathlib import Path
from types import SimpleNamespace

import pytest

from isogloss.publish import sensitive
from isogloss.publish.sensitive import HatefulSource, NotedSet, read_sensitive
from isogloss.publish.site import PublishError


def pin(hateful: bool) -> SimpleNamespace:
    return SimpleNamespace(hateful=hateful)


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """As much of a project as is read, with two hateful sources of which one is used."""
    monkeypatch.setattr(sensitive, "used_sources", lambda _: iter(["bad", "good"]))
    return SimpleNamespace(
        root=tmp_path,
        sources={"bad": pin(True), "worse": pin(True), "good": pin(False)},
        declared={},
        raw_path=lambda name: f"data/raw/{name}/{name}.csv",
    )


def put(root: Path, name: str, content: bytes) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_cells_of_hateful_sources_are_read_and_what_is_not_here_is_said(opened) -> None:
    put(opened.root, "data/raw/bad/bad.csv", b'a,"b, c"\nd\n')
    assert read_sensitive(opened).hateful == (
        HatefulSource("bad", True, ("a", "b, c", "d")),
        HatefulSource("worse", False, None, "data/raw/worse/worse.csv is not here"),
    )


def test_a_source_that_is_no_text_is_said(opened) -> None:
    put(opened.root, "data/raw/bad/bad.csv", b"\xff\xfe\x00")
    assert read_sensitive(opened).hateful[0].reason.endswith("is not UTF-8 text")


def test_wordings_of_sets_with_a_note_are_read(opened) -> None:
    content = SimpleNamespace(
        content_note="Careful.",
        file="authored.csv",
        compare=[SimpleNamespace(guise="plain", reference=None)],
    )
    quiet = SimpleNamespace(content_note="", file="x.csv", compare=[])
    opened.declared["s/own"] = SimpleNamespace(name="s/own", content=content)
    opened.declared["s/quiet"] = SimpleNamespace(name="s/quiet", content=quiet)
    assert read_sensitive(opened).noted == (NotedSet("s/own", "Careful.", ()),)
    put(opened.root, "authored.csv", b"item_id,plain,other\n1,from the file,x\n")
    assert read_sensitive(opened).noted[0].texts == ("from the file",)
    put(opened.root, "data/items/s/own/items.csv", b"item_id,plain,other\n1,from the items,x\n")
    assert read_sensitive(opened).noted[0].texts == ("from the items",)
    put(opened.root, "data/items/s/own/items.csv", b"item_id,plain\n1,\xff\n")
    with pytest.raises(PublishError, match=r"items\.csv: not a readable UTF-8 CSV file"):
        read_sensitive(opened)
