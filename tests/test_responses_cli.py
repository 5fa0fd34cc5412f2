"""`isogloss responses`: what it prints, and how it ends."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Call, Said, command_line

from isogloss.score.store import DEFAULT_STORE, Key, ResponseStore

KEY = Key("5f" * 32, "ab" * 32, '{"labels":["1","2"]}')
ADDRESS = KEY.sha256
HALF = {"probabilities": [0.5, 0.25], "unseen": 0.0}
WORDS = {"text": "Yes, and why not?", "finish": "stop"}


@pytest.fixture
def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Call]:
    """Call `isogloss responses` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    with command_line(monkeypatch, capsys, "responses") as called:
        yield called


def mistake(said: Said, status: int) -> str:
    """Check that a call ended in one sentence and return the sentence."""
    assert (said.status, said.out) == (status, "")
    [line] = said.err.splitlines()
    assert line.startswith("error: ")
    return line


def made(name: str | Path, *entries: tuple[Key, dict[str, Any]]) -> Path:
    path = Path(name)
    with ResponseStore(path) as store:
        store.put(entries)
    return path


def key(number: int) -> Key:
    return Key(KEY.model, KEY.prompt_sha256, KEY.spec, number)


def edited(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for sql in statements:
            connection.execute(sql)


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isogloss.score.store.time.time", lambda: 1_767_268_859.0)


# --- merge ----------------------------------------------------------------------------------------


def test_merge_says_what_became_of_each_store(call: Call) -> None:
    made("into.sqlite", (key(0), HALF))
    made("a.sqlite", (key(0), HALF), (key(1), HALF))
    made("b.sqlite", (key(1), HALF), (key(2), WORDS), (key(3), WORDS))
    assert call("merge", "into.sqlite", "a.sqlite", "b.sqlite") == Said(
        0,
        "a.sqlite: 1 added, 1 already there, 0 conflicts\n"
        "b.sqlite: 2 added, 1 already there, 0 conflicts\n",
        "",
    )
    with ResponseStore(Path("into.sqlite")) as store:
        assert len(store.get(key(i) for i in range(4))) == 4


def test_merge_ends_with_1_when_answers_differ(call: Call) -> None:
    made("into.sqlite", (KEY, HALF))
    made("a.sqlite", (KEY, {**HALF, "unseen": 0.125}), (key(1), WORDS))
    made("b.sqlite", (key(1), WORDS), (key(2), WORDS))
    said = call("merge", "into.sqlite", "a.sqlite", "b.sqlite")
    assert said.status == 1
    assert said.out.splitlines() == [
        "a.sqlite: 1 added, 0 already there, 1 conflict",
        f"  key {ADDRESS}: unseen is 0.0 here and 0.125 there",
        "b.sqlite: 1 added, 1 already there, 0 conflicts",
    ]
    assert said.err == "error: 1 answer differs; those of into.sqlite were kept\n"


def test_merge_lists_ten_conflicts(call: Call) -> None:
    made("into.sqlite", *((key(i), {"text": "a"}) for i in range(12)))
    made("a.sqlite", *((key(i), {"text": "b"}) for i in range(12)))
    said = call("merge", "into.sqlite", "a.sqlite")
    first, *listed, last = said.out.splitlines()
    assert first == "a.sqlite: 0 added, 0 already there, 12 conflicts"
    assert len(listed) == 10
    assert last == "  and 2 more"
    assert said.err == "error: 12 answers differ; those of into.sqlite were kept\n"


def test_merge_refuses_an_edited_store(call: Call) -> None:
    made("into.sqlite")
    made("a.sqlite", (KEY, HALF))
    edited(Path("a.sqlite"), "UPDATE responses SET repeat = 1")
    said = mistake(call("merge", "into.sqlite", "a.sqlite"), status=1)
    assert f"a.sqlite: row with key {ADDRESS}" in said
    assert "nothing of it was merged" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["into.sqlite", "a.sqlite", "missing.sqlite"], "missing.sqlite: no such file"),
        (["into.sqlite", "a.sqlite", "folder"], "folder is not a response store"),
        (["into.sqlite", "a.sqlite", "table.csv"], "table.csv is not a response store"),
        (["into.sqlite", "a.sqlite", "into.sqlite"], "into.sqlite is the store to merge into"),
        (["folder", "a.sqlite"], "folder is not a response store"),
        (["table.csv", "a.sqlite"], "table.csv is not a response store"),
    ],
)
def test_a_wrong_path_is_wrong_usage_and_nothing_is_merged(
    call: Call, arguments: list[str], said: str
) -> None:
    into = made("into.sqlite", (key(0), HALF))
    made("a.sqlite", (key(1), HALF))
    Path("folder").mkdir()
    Path("table.csv").write_text("item_id,answer\n", encoding="utf-8")
    before = into.read_bytes()
    assert said in mistake(call("merge", *arguments), status=2)
    assert into.read_bytes() == before


@pytest.mark.parametrize("arguments", [[], ["into.sqlite"]])
def test_merge_needs_a_store_to_read(call: Call, arguments: list[str]) -> None:
    said = call("merge", *arguments)
    assert said.status == 2
    assert "Missing argument" in said.err
    assert not Path("into.sqlite").exists()


# --- show -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("noon")
def test_show_has_a_row_for_each_model(call: Call) -> None:
    with ResponseStore(DEFAULT_STORE) as store:
        store.describe_model(KEY.model, {"name": "smollm2"})
        store.put([(key(0), HALF), (key(1), HALF), (key(2), WORDS)])
        store.describe_model("ee" * 32, {"name": "unasked"})
        store.put([(Key("dd" * 32, KEY.prompt_sha256, "{}"), HALF)])
    date = "2026-01-01 12:00 UTC"
    said = call("show")
    assert (said.status, said.err) == (0, "")
    head, *rows = said.out.splitlines()
    assert head.split("  ")[0] == "model"
    assert [" ".join(row.split()) for row in rows] == [
        f"smollm2 5f5f5f5f5f5f 2 1 {date} {date}",
        "unasked eeeeeeeeeeee 0 0 - -",
        f"(not described) dddddddddddd 1 0 {date} {date}",
    ]
    digests = ("digest", "5f5f", "eeee", "dddd")
    assert (
        len({line.find(digest) for line, digest in zip([head, *rows], digests, strict=True)}) == 1
    )


@pytest.mark.usefixtures("noon")
def test_show_as_json(call: Call) -> None:
    made("a.sqlite", (KEY, HALF), (key(1), WORDS), (key(2), {"refusal": True}))
    said = call("show", "a.sqlite", "--json")
    assert (said.status, said.err) == (0, "")
    assert json.loads(said.out) == {
        "store": "a.sqlite",
        "models": [
            {
                "digest": KEY.model,
                "name": None,
                "distributions": 1,
                "texts": 1,
                "others": 1,
                "first_written_at": "2026-01-01T12:00:59+00:00",
                "last_written_at": "2026-01-01T12:00:59+00:00",
            }
        ],
    }


def test_show_hides_no_answer(call: Call) -> None:
    made("a.sqlite", (KEY, HALF))
    assert "others" not in call("show", "a.sqlite").out
    made("a.sqlite", (key(1), {"refusal": True}))
    head, row = call("show", "a.sqlite").out.splitlines()
    assert "others" in head
    assert row.split()[3:6] == ["1", "0", "1"]


def test_show_says_when_there_is_nothing(call: Call) -> None:
    made("a.sqlite")
    assert call("show", "a.sqlite") == Said(0, "no answers stored\n", "")


def test_show_changes_nothing(call: Call, tmp_path: Path) -> None:
    path = made("a.sqlite", (KEY, HALF))
    before = path.read_bytes(), path.stat().st_mtime_ns
    call("show", "a.sqlite")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [tmp_path / "a.sqlite"]


def test_show_finds_damage(call: Call) -> None:
    path = made("a.sqlite", *((key(i), {"text": "x" * 1000}) for i in range(20)))
    content = path.read_bytes()
    path.write_bytes(content[: -3 * 4096] + b"\xa5" * 3 * 4096)
    assert "a.sqlite" in mistake(call("show", "a.sqlite"), status=1)


def test_show_needs_a_store(call: Call, tmp_path: Path) -> None:
    assert ".isogloss/responses.sqlite: no such file" in mistake(call("show"), status=2)
    edited(Path("old.sqlite"), "CREATE TABLE answers (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
    assert "an earlier version" in mistake(call("show", "old.sqlite"), status=2)
    assert list(tmp_path.iterdir()) == [tmp_path / "old.sqlite"]


# --- help -----------------------------------------------------------------------------------------


def test_help_names_the_commands(call: Call) -> None:
    said = call("--help")
    assert said.status == 0
    assert "\n  merge " in said.out
    assert "\n  show " in said.out


@pytest.mark.parametrize("command", ["merge", "show"])
def test_each_command_explains_itself(call: Call, command: str) -> None:
    said = call(command, "--help")
    assert said.status == 0
    assert f"isogloss responses {command} " in said.out
    assert ("--json" in said.out) == (command == "show")
