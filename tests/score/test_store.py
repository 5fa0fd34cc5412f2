import hashlib
import json
import multiprocessing
import multiprocessing.synchronize
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.score import store_writer
from tests.score.store_writer import BATCHES, SIZE, batch

from isogloss.errors import ResponseError
from isogloss.score.store import Key, ResponseStore, StoredModel, canonical

PROMPT = "ab" * 32
KEY = Key("model", PROMPT, canonical({"labels": ["1", "2"]}), 2)
ADDRESS = "cb2fc5416ef286110a32542a555edeb6c53cc2b29331ab8daf9a790703fac5d4"
"""Of KEY, by sha256sum of the JSON written by hand."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "responses.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[ResponseStore]:
    with ResponseStore(path) as opened:
        yield opened


def key(number: int, model: str = "model") -> Key:
    return Key(model, hashlib.sha256(str(number).encode()).hexdigest(), "{}")


def long_answers(count: int) -> list[tuple[Key, dict[str, Any]]]:
    return [(key(i), {"text": "x" * 1000}) for i in range(count)]


def keys_of(number: int) -> list[Key]:
    return [key for key, _ in batch(number)]


def query(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(sql).fetchall()


# --- keys -----------------------------------------------------------------------------------------


def test_everything_that_decides_an_answer_is_in_its_key() -> None:
    keys = [
        KEY,
        replace(KEY, model="other"),
        replace(KEY, prompt_sha256="ba" * 32),
        replace(KEY, spec=canonical({"labels": ["1", "2 "]})),
        replace(KEY, spec=canonical({"labels": ["12"]})),
        replace(KEY, repeat=0),
        replace(KEY, repeat=12),
    ]
    assert len({key.sha256 for key in keys}) == len(keys)
    assert Key("model", PROMPT, '{"labels":["1","2"]}', 2).sha256 == KEY.sha256


def test_keys_stay_as_they_were() -> None:
    """Written down once: a change would make every answer already stored be asked again."""
    assert KEY.sha256 == ADDRESS


@pytest.mark.parametrize("prompt", ["", "ab", "AB" * 32, "ab" * 33, "xy" * 32, PROMPT + "\n"])
def test_a_prompt_hash_that_is_none_is_refused(prompt: str) -> None:
    with pytest.raises(ResponseError, match="64 hexadecimal digits"):
        Key("model", prompt, "{}")


def test_the_same_content_is_the_same_json() -> None:
    text = canonical({"b": (1, 0.5), "a": {"d": None, "c": "ä"}})
    assert text == '{"a":{"c":"\\u00e4","d":null},"b":[1,0.5]}'
    assert text == canonical({"a": {"c": "ä", "d": None}, "b": [1, 0.5]})


# --- values ---------------------------------------------------------------------------------------


def test_values_come_back_bit_for_bit(store: ResponseStore, path: Path) -> None:
    values: list[dict[str, Any]] = [
        {"probabilities": [0.1, 1 / 3, 5e-324, 0.0, 1e-17, 0.7000000000000001], "unseen": 1e-300},
        {"text": 'say "ä"\n\x00 — done \ud800 \U0001f600', "finish": "stop"},
        {"text": "", "distribution": {"probabilities": [1.0]}, "model": None, "cut": True},
        {},
    ]
    entries = [(key(i), value) for i, value in enumerate(values)]
    store.put(entries)
    with ResponseStore(path) as other:
        for reader in (store, other):
            assert reader.get([key(9), *(key for key, _ in entries)]) == dict(entries)


def test_tuples_come_back_as_lists(store: ResponseStore) -> None:
    store.put([(KEY, {"probabilities": (0.25, 0.5)})])
    assert store.get([KEY]) == {KEY: {"probabilities": [0.25, 0.5]}}


def test_the_first_value_of_a_key_is_kept(store: ResponseStore) -> None:
    store.put([(key(1), {"text": "a"}), (key(1), {"text": "b"})])
    store.put([(key(1), {"text": "c"}), (key(2), {"text": "d"})])
    assert store.get([key(1), key(2)]) == {key(1): {"text": "a"}, key(2): {"text": "d"}}


def test_many_keys_are_found_in_their_order(store: ResponseStore) -> None:
    store.put((key(i), {"i": i}) for i in range(0, 2600, 2))
    asked = [key(i) for i in Random(3).sample(range(2600), 2600)]
    found = store.get(iter(asked))
    assert list(found) == [asked_key for asked_key in asked if asked_key in found]
    assert found == {key(i): {"i": i} for i in range(0, 2600, 2)}


def test_nothing_asked_and_nothing_given(store: ResponseStore) -> None:
    store.put([])
    assert store.get([]) == {}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_refused_with_its_batch(
    store: ResponseStore, value: float
) -> None:
    with pytest.raises(ResponseError, match=r"cannot be stored as JSON.*probabilities"):
        store.put([(key(1), {"text": "a"}), (key(2), {"probabilities": [0.5, value]})])
    assert store.get([key(1), key(2)]) == {}


def test_every_row_can_be_hashed_again(store: ResponseStore, path: Path) -> None:
    keys = [KEY, replace(KEY, model="other"), replace(KEY, repeat=0), key(1)]
    store.put((key, {"text": key.model}) for key in keys)
    rows = query(
        path,
        "SELECT lower(hex(r.sha256)), digest, lower(hex(prompt_sha256)), json, repeat "
        "FROM responses AS r JOIN models ON models.id = model JOIN specs ON specs.id = spec",
    )
    assert len(rows) == len(keys)
    for address, model, prompt, spec, repeat in rows:
        content = (
            f'{{"model":{json.dumps(model)},"prompt_sha256":"{prompt}",'
            f'"repeat":{repeat},"spec":{json.dumps(spec)}}}'
        )
        assert hashlib.sha256(content.encode()).hexdigest() == address


def test_models_and_specifications_are_stored_once(store: ResponseStore, path: Path) -> None:
    store.put((key(i), {"text": ""}) for i in range(10))
    store.put((key(i, "other"), {"text": ""}) for i in range(10))
    counts = "SELECT (SELECT count(*) FROM models), (SELECT count(*) FROM specs)"
    assert query(path, counts) == [(2, 1)]


def test_a_large_run_fits_into_a_third_of_a_gigabyte(store: ResponseStore, path: Path) -> None:
    draw = Random(1)
    spec = canonical({"labels": ["1", "2", "3", "4", "5"], "reply_prefix": "Rating: "})
    for number in range(20):
        store.put(
            (replace(key(number * 500 + i), spec=spec), {"probabilities": draws, "unseen": 0.0})
            for i, draws in enumerate([draw.random() for _ in range(5)] for _ in range(500))
        )
    assert path.stat().st_size / 10_000 * 800_000 < 333e6


# --- what is stored of each model -----------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    def show(moment: datetime) -> None:
        monkeypatch.setattr("isogloss.score.store.time.time", lambda: moment.timestamp() + 0.9)

    return show


def test_a_summary_counts_answers_by_model_and_kind(
    store: ResponseStore, clock: Callable[[datetime], None]
) -> None:
    first, last = (datetime(2026, 3, day, 23, 59, 59, tzinfo=UTC) for day in (1, 2))
    store.describe_model("one", {"name": "Model One", "dtype": "float32"})
    clock(first)
    store.put([(key(1, "one"), {"probabilities": [1.0]}), (key(2, "one"), {"text": "a"})])
    clock(last)
    answers = [{"text": "", "probabilities": [1.0]}, {"text": "b"}, {"text": None, "refused": 1}]
    store.put((key(i, "one"), answer) for i, answer in enumerate(answers, 3))
    store.put([(key(1, "two"), {"probabilities": [0.5], "text": None})])
    assert store.summary() == [
        StoredModel("one", "Model One", 1, 3, 1, first, last),
        StoredModel("two", None, 1, 0, 0, last, last),
    ]


def test_the_last_description_of_a_model_is_kept(store: ResponseStore, path: Path) -> None:
    for name in ("old", "new", "new"):
        store.describe_model("digest", {"name": name})
    assert store.summary() == [StoredModel("digest", "new", 0, 0, 0, None, None)]
    assert query(path, "SELECT manifest FROM models") == [('{"name":"new"}',)]


def test_a_manifest_may_have_no_name(store: ResponseStore) -> None:
    store.describe_model("digest", {"dtype": "float32"})
    assert [model.name for model in store.summary()] == [None]


# --- writers that are killed ----------------------------------------------------------------------


def start(program: Callable[[ResponseStore], None], path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", store_writer.__name__, program.__name__, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def lines(writer: subprocess.Popen[str], count: int) -> list[str]:
    assert writer.stdout is not None
    return [writer.stdout.readline().strip() for _ in range(count)]


def content(path: Path) -> list[Any]:
    """Check the file and return all it holds, without the time of writing."""
    assert query(path, "PRAGMA integrity_check") == [("ok",)]
    return query(
        path,
        "SELECT r.sha256, digest, prompt_sha256, json, repeat, value, value_check "
        "FROM responses AS r JOIN models ON models.id = model JOIN specs ON specs.id = spec "
        "ORDER BY r.sha256",
    )


@pytest.mark.parametrize(
    "program", [store_writer.killed_before_writing, store_writer.killed_while_writing]
)
def test_a_killed_writer_loses_the_batch_in_flight_and_no_other(
    program: Callable[[ResponseStore], None], path: Path
) -> None:
    with start(program, path) as writer:
        assert lines(writer, 4) == ["0", "1", "2", "now"]
        writer.kill()
    journal = path.with_name(f"{path.name}-journal")
    assert journal.exists() == (program is store_writer.killed_while_writing)
    with ResponseStore(path) as store:
        assert not journal.exists()
        for number in range(3):
            assert store.get(keys_of(number)) == dict(batch(number))
        assert store.get(keys_of(3)) == {}
        store.put(batch(3))
        assert store.get(keys_of(3)) == dict(batch(3))
    assert len(content(path)) == 4 * SIZE


@pytest.mark.slow
def test_a_writer_killed_ten_times_stores_in_the_end_what_another_does(tmp_path: Path) -> None:
    draw = Random(20)
    path, undisturbed = tmp_path / "killed.sqlite", tmp_path / "undisturbed.sqlite"
    with start(store_writer.all_batches, undisturbed) as writer:
        assert lines(writer, BATCHES) == [str(number) for number in range(BATCHES)]
    for _ in range(10):
        with start(store_writer.all_batches, path) as writer:
            safe = lines(writer, draw.randrange(5))
            time.sleep(draw.uniform(0, 0.02))
            writer.kill()
            assert writer.stdout is not None
            safe += writer.stdout.read().split()
        assert writer.returncode == -signal.SIGKILL
        with ResponseStore(path) as store:
            found = [len(store.get(keys_of(number))) for number in range(BATCHES)]
        assert set(found) <= {0, SIZE}
        assert [found[int(number)] for number in safe] == [SIZE] * len(safe)
    with start(store_writer.all_batches, path) as writer:
        assert writer.stdout is not None
        assert writer.stdout.read().split()[-1] == str(BATCHES - 1)
    assert content(path) == content(undisturbed)
    assert len(content(path)) == BATCHES * SIZE


# --- several processes ----------------------------------------------------------------------------


def _write(path: Path, writer: int, barrier: multiprocessing.synchronize.Barrier) -> None:
    barrier.wait(timeout=60)
    with ResponseStore(path) as store:
        store.describe_model("model", {"name": "m"})
        for number in range(20):
            store.put(batch(1000 * (writer + 1) + number)[:10])
            store.put((key, {"text": str(writer)}) for key in keys_of(number)[:10])


def _make(folder: Path, barrier: multiprocessing.synchronize.Barrier) -> None:
    for number in range(25):
        barrier.wait(timeout=60)
        with ResponseStore(folder / f"{number}.sqlite") as store:
            store.put(batch(0)[:1])


def test_processes_that_make_a_store_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    makers = [context.Process(target=_make, args=(tmp_path, barrier)) for _ in range(4)]
    for process in makers:
        process.start()
    for process in makers:
        process.join(timeout=120)
    assert [process.exitcode for process in makers] == [0] * 4
    assert [len(content(path)) for path in tmp_path.iterdir()] == [1] * 25


def test_two_processes_write_at_once_and_nothing_is_lost(path: Path) -> None:
    """Each makes the store, writes answers of its own, and answers that the other writes too."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    writers = [context.Process(target=_write, args=(path, w, barrier)) for w in range(2)]
    for process in writers:
        process.start()
    for process in writers:
        process.join(timeout=120)
    assert [process.exitcode for process in writers] == [0, 0]
    with ResponseStore(path) as store:
        for number in range(20):
            for writer in (1000, 2000):
                own = batch(writer + number)[:10]
                assert store.get(key for key, _ in own) == dict(own)
            both = store.get(keys_of(number)[:10])
            assert [value["text"] for value in both.values()] in (["0"] * 10, ["1"] * 10)
    assert len(content(path)) == 20 * 30


def test_a_reader_sees_what_was_there_while_another_process_writes(path: Path) -> None:
    with ResponseStore(path) as store, start(store_writer.killed_before_writing, path) as writer:
        assert lines(writer, 4)[-1] == "now"
        assert store.get(keys_of(2)) == dict(batch(2))
        writer.kill()
    with ResponseStore(path) as store, ResponseStore(path) as other:
        other._connection.execute("BEGIN IMMEDIATE")
        other._connection.execute("DELETE FROM responses")
        assert store.get(keys_of(2)) == dict(batch(2))


def test_a_locked_store_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isogloss.score.database._TIMEOUT_S", 0.05)
    with ResponseStore(path) as store:
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(ResponseError, match=r"written \(database is locked\); another"):
                store.put([(KEY, {"text": ""})])
            with pytest.raises(ResponseError, match=r"read \(database is locked\); another"):
                store.get([KEY])
        store.put([(KEY, {"text": ""})])
        assert store.get([KEY]) == {KEY: {"text": ""}}


# --- a full disk ----------------------------------------------------------------------------------


def test_a_full_disk_is_an_error_and_earlier_answers_stay(store: ResponseStore, path: Path) -> None:
    store.put([(KEY, {"text": "before"})])
    [(pages,)] = store._connection.execute("PRAGMA page_count").fetchall()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    full = r"responses\.sqlite: .* cannot be written \(database or disk is full\); make room"
    with pytest.raises(ResponseError, match=full):
        store.put(long_answers(100))
    assert store.get([KEY, *(key for key, _ in long_answers(100))]) == {KEY: {"text": "before"}}
    with ResponseStore(path) as other:
        other.put(long_answers(100))
        assert len(other.get(key for key, _ in long_answers(100))) == 100


def test_a_file_that_may_not_grow_is_an_error_and_earlier_answers_stay(path: Path) -> None:
    with start(store_writer.disk_of_limited_size, path) as writer:
        said, *readable = lines(writer, 3)
    assert writer.returncode == 0
    assert said.startswith(f"{path}: the response store cannot be written (")
    assert "disk" in said.split(";")[1]
    assert readable == [f"{SIZE} 0", f"{SIZE} {SIZE}"]
    assert len(content(path)) == 2 * SIZE


# --- other versions -------------------------------------------------------------------------------


def test_answers_of_the_first_version_stay_and_are_not_used(path: Path) -> None:
    path.parent.mkdir()
    query(path, "CREATE TABLE answers (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    query(path, f"INSERT INTO answers VALUES ('{KEY.sha256}', '[0.5]')")
    for _ in range(2):
        with ResponseStore(path) as store:
            assert store.get([KEY, key(1)]) in ({}, {key(1): {"text": "new"}})
            store.put([(key(1), {"text": "new"})])
            assert [model.texts for model in store.summary()] == [1]
    assert query(path, "SELECT * FROM answers") == [(KEY.sha256, "[0.5]")]


def test_a_newer_version_is_refused_and_kept(path: Path) -> None:
    with ResponseStore(path) as store:
        store.put([(KEY, {"text": ""})])
    query(path, "PRAGMA user_version = 3")
    before = path.read_bytes()
    with pytest.raises(ResponseError, match=r"responses\.sqlite is a .* version 3.* version 2;"):
        ResponseStore(path)
    assert path.read_bytes() == before


# --- faults of the file ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        ["CREATE TABLE answers (question TEXT)"],
        ["CREATE TABLE models (id INTEGER)", "CREATE TABLE responses (sha256 BLOB)"],
        ["CREATE VIEW numbers AS SELECT 1"],
        ["PRAGMA user_version = 2"],
        ["PRAGMA application_id = 7"],
    ],
)
def test_another_programs_database_is_refused_and_kept(path: Path, made: Sequence[str]) -> None:
    path.parent.mkdir()
    for sql in made:
        query(path, sql)
    before = path.read_bytes()
    with pytest.raises(ResponseError, match=r"responses\.sqlite is the database of another"):
        ResponseStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"item_id,answer\n" * 100)
    before = path.read_bytes()
    with pytest.raises(ResponseError, match=r"responses\.sqlite.*not a database.*move it away"):
        ResponseStore(path)
    assert path.read_bytes() == before


def overwritten(content: bytearray) -> None:
    page = int.from_bytes(content[16:18], "big")
    for start in range(page, len(content), page):
        content[start : start + page] = b"\xa5" * page


def cut(content: bytearray) -> None:
    del content[len(content) // 2 :]


@pytest.mark.parametrize("damage", [overwritten, cut])
def test_damage_is_an_error_and_not_a_missing_answer(
    path: Path, damage: Callable[[bytearray], None]
) -> None:
    with ResponseStore(path) as store:
        store.put(long_answers(100))
    damaged = bytearray(path.read_bytes())
    damage(damaged)
    path.write_bytes(bytes(damaged))
    with pytest.raises(ResponseError, match=r"responses\.sqlite"), ResponseStore(path) as store:
        store.get(key for key, _ in long_answers(100))


def test_a_changed_digit_is_an_error(path: Path) -> None:
    """SQLite itself finds nothing wrong with the file."""
    with ResponseStore(path) as store:
        store.put([(KEY, {"probabilities": [0.25, 0.5]}), (key(1), {"text": "0.5"})])
    path.write_bytes(path.read_bytes().replace(b"0.25,", b"0.75,"))
    assert query(path, "PRAGMA integrity_check") == [("ok",)]
    with ResponseStore(path) as store:
        with pytest.raises(ResponseError, match=rf"responses\.sqlite.*{ADDRESS}"):
            store.get([KEY])
        assert store.get([key(1)]) == {key(1): {"text": "0.5"}}


def test_an_answer_at_another_ones_place_is_an_error(store: ResponseStore, path: Path) -> None:
    store.put([(KEY, {"text": "a"}), (key(1), {"text": "b"})])
    columns = "value, value_check"
    query(
        path,
        f"UPDATE responses SET ({columns}) = (SELECT {columns} FROM responses WHERE repeat = 0)",
    )
    with pytest.raises(ResponseError, match=ADDRESS):
        store.get([KEY])


def test_a_table_that_is_gone_is_an_error(store: ResponseStore, path: Path) -> None:
    query(path, "DROP TABLE responses")
    for use in (lambda: store.get([KEY]), lambda: store.put([(KEY, {})]), store.summary):
        with pytest.raises(ResponseError, match=r"responses\.sqlite.*no such table"):
            use()


@pytest.mark.parametrize("manifest", ["[1]", '{"name": '])
def test_a_manifest_that_is_none_is_an_error(
    store: ResponseStore, path: Path, manifest: str
) -> None:
    store.describe_model("digest", {"name": "m"})
    query(path, f"UPDATE models SET manifest = '{manifest}'")
    with pytest.raises(ResponseError, match=r"responses\.sqlite: a model's manifest is not"):
        store.summary()


def test_a_folder_in_the_stores_place_is_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(ResponseError, match=r"responses\.sqlite.*cannot be opened"):
        ResponseStore(path)


def test_a_file_in_the_folders_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResponseError, match=r"responses\.sqlite.*cannot be opened"):
        ResponseStore(tmp_path / "file" / "responses.sqlite")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_store_that_may_not_be_written_can_be_read(path: Path) -> None:
    with ResponseStore(path) as store:
        store.put([(KEY, {"text": ""})])
    path.chmod(0o400)
    with ResponseStore(path) as store:
        assert store.get([KEY]) == {KEY: {"text": ""}}
        with pytest.raises(ResponseError, match="may be written"):
            store.put([(key(1), {"text": ""})])


def test_an_old_sqlite_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isogloss.score.database.sqlite3.sqlite_version_info", (3, 36, 0))
    with pytest.raises(ResponseError, match=r"needs SQLite 3\.37"):
        ResponseStore(path)


def test_a_path_with_signs_that_mean_something_in_an_address(tmp_path: Path) -> None:
    path = tmp_path / "a ?mode=memory#b%20.sqlite"
    with ResponseStore(path) as store:
        store.put([(KEY, {"text": ""})])
    assert path.is_file()
    with ResponseStore(path) as store:
        assert store.get([KEY]) == {KEY: {"text": ""}}
