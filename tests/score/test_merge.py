import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.score import store_writer
from tests.score.store_writer import SIZE, batch

from isogloss.errors import ConfigurationError, IsoglossError, ResponseError
from isogloss.score.merge import LISTED, Merged, difference, merge
from isogloss.score.store import Key, ResponseStore

KEY = Key("model", "ab" * 32, '{"labels":["1","2"]}', 2)
Entries = dict[Key, dict[str, Any]]


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "into.sqlite"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "from.sqlite"


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isogloss.score.merge._BATCH", 3)


@pytest.fixture
def unchanged(source: Path) -> Iterator[Callable[[], None]]:
    """Return what checks that a merge left the source, and the files beside it, as they were."""
    before: list[Any] = []

    def state() -> list[Any]:
        beside = sorted(path.name for path in source.parent.glob("from.sqlite*"))
        return [source.read_bytes(), source.stat().st_mtime_ns, beside]

    def remember() -> None:
        before.extend(state())

    yield remember
    assert state() == before


def text(word: str) -> dict[str, Any]:
    return {"text": word, "finish": "stop"}


def key(number: int, model: str = "model") -> Key:
    return Key(model, hashlib.sha256(str(number).encode()).hexdigest(), "{}")


def made(path: Path, entries: Entries) -> Path:
    with ResponseStore(path) as store:
        store.put(entries.items())
    return path


def held(path: Path) -> Entries:
    """Everything in a store, found without the code that is tested."""
    keys = query(
        path,
        "SELECT digest, lower(hex(prompt_sha256)), json, repeat FROM responses "
        "JOIN models ON models.id = model JOIN specs ON specs.id = spec",
    )
    with ResponseStore(path) as store:
        return store.get(Key(*columns) for columns in keys)


def query(path: Path, *statements: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return [row for sql in statements for row in connection.execute(sql).fetchall()]


# --- what is copied -------------------------------------------------------------------------------


def test_what_is_lacking_is_added_and_the_source_stays(
    into: Path, source: Path, unchanged: Callable[[], None]
) -> None:
    here: Entries = {key(i): text(f"{i}") for i in range(5)}
    there: Entries = {key(i): text(f"{i}") for i in range(3, 12)}
    there |= {key(1, "other"): {"probabilities": [0.25, 0.5]}, KEY: text("ä")}
    made(into, here)
    made(source, there)
    unchanged()
    assert merge(into, source) == Merged(9, 2, 0, ())
    assert held(into) == here | there
    assert merge(into, source) == Merged(0, 11, 0, ())


def test_a_store_that_is_not_there_is_made(tmp_path: Path, source: Path) -> None:
    there: Entries = {key(i): text(f"{i}") for i in range(7)}
    new = tmp_path / "deep" / "new.sqlite"
    assert merge(new, made(source, there)) == Merged(7, 0, 0, ())
    assert held(new) == there


def test_nothing_is_added_from_an_empty_store(into: Path, source: Path) -> None:
    assert merge(made(into, {KEY: text("a")}), made(source, {})) == Merged(0, 0, 0, ())
    assert held(into) == {KEY: text("a")}


def test_the_time_of_writing_is_copied(
    into: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isogloss.score.store.time.time", lambda: 1_000_000_000.5)
    made(source, {KEY: text("a")})
    monkeypatch.undo()
    merge(into, source)
    assert query(into, "SELECT written_at FROM responses") == [(1_000_000_000,)]


def test_descriptions_of_models_are_added_and_none_is_replaced(into: Path, source: Path) -> None:
    with ResponseStore(source) as store:
        for digest in ("both", "there", "plain"):
            store.describe_model(digest, {"name": f"{digest} of source"})
    with ResponseStore(into) as store:
        store.describe_model("both", {"name": "both of into"})
        store.put([(key(1, "plain"), text("a"))])
    merge(into, source)
    with ResponseStore(into) as store:
        names = {model.digest: model.name for model in store.summary()}
    assert names == {
        "both": "both of into",
        "there": "there of source",
        "plain": "plain of source",
    }


# --- two answers to one key -----------------------------------------------------------------------


def test_probabilities_of_another_machine_are_the_same_answer(into: Path, source: Path) -> None:
    made(into, {KEY: {"probabilities": [0.25, 0.5], "unseen": 0}})
    made(source, {KEY: {"probabilities": [0.250009, 0.499991], "unseen": 0.0}})
    assert merge(into, source) == Merged(0, 1, 0, ())
    assert held(into) == {KEY: {"probabilities": [0.25, 0.5], "unseen": 0}}


def test_a_conflict_is_told_and_the_answer_kept(into: Path, source: Path) -> None:
    made(into, {KEY: {"probabilities": [0.25, 0.5]}, key(1): text("a")})
    made(source, {KEY: {"probabilities": [0.25, 0.50002]}, key(1): text("b"), key(2): text("c")})
    merged = merge(into, source)
    assert (merged.added, merged.present, merged.conflicts) == (1, 0, 2)
    assert [found.key for found in merged.listed] == [KEY, key(1)]
    assert [found.difference for found in merged.listed] == [
        "probabilities[1] is 0.5 here and 0.50002 there",
        "text is 'a' here and 'b' there",
    ]
    kept = {KEY: {"probabilities": [0.25, 0.5]}, key(1): text("a"), key(2): text("c")}
    assert held(into) == kept


def test_the_first_conflicts_are_listed_and_all_are_counted(into: Path, source: Path) -> None:
    made(into, {key(i): text("a") for i in range(20)})
    made(source, {key(i): text("b") for i in range(20)})
    merged = merge(into, source)
    assert (merged.added, merged.present, merged.conflicts) == (0, 0, 20)
    assert [found.key for found in merged.listed] == [key(i) for i in range(LISTED)]


@pytest.mark.parametrize(
    ("kept", "other", "found"),
    [
        (1, 1.0, None),
        (0.3, 0.300009, None),
        (0.3, 0.300011, "p is 0.3 here and 0.300011 there"),
        (1, True, "p is 1 here and True there"),
        (0, None, "p is 0 here and None there"),
        (None, None, None),
        (False, True, "p is False here and True there"),
        ("0.3", 0.3, "p is '0.3' here and 0.3 there"),
        ([0.1, [0.2, 0.3]], [0.1, [0.2, 0.4]], "p[1][1] is 0.3 here and 0.4 there"),
        ([0.1], [0.1, 0.0], "p is [0.1] here and [0.1, 0.0] there"),
        ({"q": [1.0]}, {"q": [2.0]}, "p.q[0] is 1.0 here and 2.0 there"),
        ({"q": 1, "request_id": "a"}, {"q": 1, "request_id": "b", "answered_at": "c"}, None),
        ({"q": 1}, {"r": 1}, "p is {'q': 1} here and {'r': 1} there"),
        ([], {}, "p is [] here and {} there"),
        (10**30, 10**30 + 1, "p is 1" + 30 * "0" + " here and 1" + 29 * "0" + "1 there"),
    ],
)
def test_where_two_answers_differ(kept: Any, other: Any, found: str | None) -> None:
    assert difference({"a": 1, "p": kept}, {"p": other, "a": 1}) == found


def test_a_long_text_is_shortened_in_a_difference() -> None:
    found = difference({"text": "x" * 5000}, {"text": "y" * 5000})
    assert found is not None
    assert len(found) < 200


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("UPDATE responses SET repeat = 7 WHERE repeat = 2", "its content has the key"),
        ("UPDATE responses SET prompt_sha256 = zeroblob(32) WHERE repeat = 2", "has the key"),
        ("UPDATE responses SET prompt_sha256 = x'ab' WHERE repeat = 2", "64 hexadecimal"),
        ("UPDATE specs SET json = '{\"labels\":[]}' WHERE json != '{}'", "has the key"),
        ("UPDATE models SET digest = 'other' WHERE digest = 'model'", "has the key"),
        (
            "UPDATE responses SET value = replace(value, 'last', 'lost') WHERE repeat = 2",
            "not the answer that was written",
        ),
    ],
)
def test_a_row_that_is_not_what_its_hash_says_is_refused_with_its_file(
    into: Path, source: Path, edit: str, said: str
) -> None:
    """The edited row is the last of several batches; those before it are not merged either."""
    made(into, {key(1): text("kept")})
    before = into.read_bytes()
    made(source, {**{key(i, "sound"): text("new") for i in range(8)}, KEY: text("last")})
    query(source, edit)
    with pytest.raises(ResponseError, match=rf"from\.sqlite: row with key {KEY.sha256}.*{said}"):
        merge(into, source)
    assert into.read_bytes() == before


def forged(path: Path, value: str) -> None:
    """Replace every answer, with the check that belongs to it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for (address,) in connection.execute("SELECT sha256 FROM responses").fetchall():
            check = hashlib.sha256(address + value.encode()).digest()[:8]
            connection.execute("UPDATE responses SET value = ?, value_check = ?", (value, check))


@pytest.mark.parametrize("value", ['{"probabilities":[NaN]}', '{"unseen":-Infinity}', "[1]", "{"])
def test_a_value_that_no_store_writes_is_refused(into: Path, source: Path, value: str) -> None:
    made(source, {KEY: text("a")})
    forged(source, value)
    with pytest.raises(ResponseError, match=rf"from\.sqlite: row with key {KEY.sha256}: it is not"):
        merge(into, source)
    assert held(into) == {}


def test_a_manifest_that_is_none_is_refused(into: Path, source: Path) -> None:
    made(source, {KEY: text("a")})
    query(source, "UPDATE models SET manifest = '[]'")
    with pytest.raises(ResponseError, match=r"from\.sqlite: manifest of model model is not"):
        merge(into, source)
    assert held(into) == {}


def overwritten(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def page_that_belongs_to_nothing(path: Path) -> None:
    """Damage that reading every row does not come across."""
    content = path.read_bytes() + bytes(4096)
    path.write_bytes(content[:28] + (len(content) // 4096).to_bytes(4, "big") + content[32:])


def rows_without_model(path: Path) -> None:
    query(path, "DELETE FROM models")


@pytest.mark.parametrize(
    "damage", [overwritten, cut, page_that_belongs_to_nothing, rows_without_model]
)
@pytest.mark.parametrize("which", ["into", "source"])
def test_a_damaged_store_is_refused_by_name(
    into: Path, source: Path, damage: Callable[[Path], None], which: str
) -> None:
    made(into, {key(i): text("a") for i in range(50)})
    made(source, {key(i): text("a") for i in range(100)})
    chosen, other = (into, source) if which == "into" else (source, into)
    damage(chosen)
    before = other.read_bytes()
    with pytest.raises(ResponseError, match=chosen.name):
        merge(into, source)
    assert other.read_bytes() == before


def another_database(path: Path) -> None:
    query(path, "CREATE TABLE answers (question TEXT)")


def first_version(path: Path) -> None:
    query(path, "CREATE TABLE answers (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")


def newer(path: Path) -> None:
    made(path, {KEY: text("a")})
    query(path, "PRAGMA user_version = 3")


def table(path: Path) -> None:
    path.write_text("item_id,answer\n" * 100, encoding="utf-8")


def nothing(path: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (nothing, ConfigurationError, "no such file"),
        (Path.mkdir, ConfigurationError, "is not a response store"),
        (Path.touch, ConfigurationError, "is not a response store"),
        (table, ConfigurationError, "is not a response store"),
        (another_database, ConfigurationError, "is not a response store"),
        (first_version, ConfigurationError, "an earlier version"),
        (newer, ResponseError, "version 3"),
    ],
)
def test_what_is_no_store_is_refused(
    into: Path,
    source: Path,
    make: Callable[[Path], object],
    error: type[IsoglossError],
    said: str,
) -> None:
    make(source)
    with pytest.raises(error, match=rf"from\.sqlite.*{said}"):
        merge(into, source)
    assert not into.exists()


@pytest.mark.parametrize("make", [Path.mkdir, table, another_database])
def test_nothing_is_merged_into_what_is_no_store(
    into: Path, source: Path, make: Callable[[Path], object]
) -> None:
    make(into)
    made(source, {KEY: text("a")})
    with pytest.raises(ConfigurationError, match=r"into\.sqlite is not a response store"):
        merge(into, source)


@pytest.mark.parametrize("make", [Path.touch, first_version])
def test_a_file_without_answers_of_use_can_be_merged_into(
    into: Path, source: Path, make: Callable[[Path], object]
) -> None:
    make(into)
    assert merge(into, made(source, {KEY: text("a")})) == Merged(1, 0, 0, ())
    assert held(into) == {KEY: text("a")}


@pytest.mark.parametrize("link", [None, Path.symlink_to, Path.hardlink_to])
def test_a_store_is_not_merged_into_itself(
    into: Path, source: Path, link: Callable[[Path, Path], None] | None
) -> None:
    made(into, {KEY: text("a")})
    if link is not None:
        link(source, into)
    with pytest.raises(ConfigurationError, match="is the store to merge into"):
        merge(into, into if link is None else source)


def test_a_full_disk_leaves_the_store_as_it_was(into: Path, source: Path) -> None:
    made(into, {KEY: text("a")})
    made(source, {key(i): text("x" * 1000) for i in range(200)})
    limit = into.stat().st_size + 20_000
    program = (
        "import resource, sys; from pathlib import Path; from isogloss.score.merge import merge\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "merge(*map(Path, sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, into, source], capture_output=True, text=True, check=False
    )
    assert f"ResponseError: {into}: the response store cannot be written (disk" in done.stderr
    assert held(into) == {KEY: text("a")}
    assert merge(into, source) == Merged(200, 0, 0, ())


def test_a_source_whose_writer_was_killed_is_mended_first(into: Path, source: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", store_writer.__name__, "killed_while_writing", str(source)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        assert [writer.stdout.readline() for _ in range(4)][-1] == "now\n"
        writer.kill()
    before = source.read_bytes()
    with pytest.raises(ResponseError, match=r"isogloss responses show .*from\.sqlite` undoes"):
        merge(into, source)
    assert source.read_bytes() == before
    with ResponseStore(source) as store:  # as the command does
        assert len(store.summary()) == 1
    assert merge(into, source) == Merged(3 * SIZE, 0, 0, ())
    assert held(into) == {key: value for number in range(3) for key, value in batch(number)}


def test_repeats_are_answers_of_their_own(into: Path, source: Path) -> None:
    made(into, {replace(KEY, repeat=0): text("a")})
    made(source, {replace(KEY, repeat=1): text("b")})
    assert merge(into, source) == Merged(1, 0, 0, ())
    assert held(into) == {replace(KEY, repeat=0): text("a"), replace(KEY, repeat=1): text("b")}
