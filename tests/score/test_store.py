import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from isogloss.errors import ResponseError
from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.store import ResponseStore, continuation_key, score_key

RATING = rating_scale(1, 5, "Rating: ")
SCORE_KEY = "411e96256a4d57457f83edde9f0dc5e6dc9d686026f0111a843308552531450b"
CONTINUATION_KEY = "f770f750994763f7b6495146cc84b96e573c1cd320abc88516119e59af7bccff"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "responses.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[ResponseStore]:
    with ResponseStore(path) as opened:
        yield opened


# --- keys -----------------------------------------------------------------------------------------


def test_everything_that_decides_an_answer_is_in_its_key() -> None:
    scale = ("1", "2", "3")
    variants = tuple((label,) for label in scale)
    keys = [
        score_key("model", (1, 2), RATING),
        score_key("other", (1, 2), RATING),
        score_key("model", (1, 23), RATING),
        score_key("model", (12, 2), RATING),
        score_key("model", (1, 2), rating_scale(1, 5, "Score: ")),
        score_key("model", (1, 2), AnswerSet(scale, variants, "Rating: ", numeric=True)),
        score_key("model", (1, 2), AnswerSet(scale, variants, "Rating: ")),
        score_key("model", (1, 2), AnswerSet(scale, (("1",), ("2",), ("3", "c")), "Rating: ")),
        continuation_key("model", (1, 2), 40, ("Rating:",)),
        continuation_key("other", (1, 2), 40, ("Rating:",)),
        continuation_key("model", (1, 3), 40, ("Rating:",)),
        continuation_key("model", (1, 2), 41, ("Rating:",)),
        continuation_key("model", (1, 2), 40, ()),
        continuation_key("model", (1, 2), 40, ("Rating", ":")),
    ]
    assert len(set(keys)) == len(keys)
    assert score_key("model", (1, 2), rating_scale(1, 5, "Rating: ")) == keys[0]


def test_keys_stay_as_they_were() -> None:
    """Written down once: a change would make every answer already stored be asked again."""
    assert score_key("model", (1, 2), RATING) == SCORE_KEY
    assert continuation_key("model", (1, 2), 40, ("Rating:",)) == CONTINUATION_KEY


# --- values ---------------------------------------------------------------------------------------


def test_values_come_back_bit_for_bit(store: ResponseStore, path: Path) -> None:
    raw = [0.1, 1 / 3, 5e-324, 0.0, 1e-17, 0.7000000000000001]
    store.put([("scores", tuple(raw)), ("text", 'say "ä"\n\x00 — done'), ("empty", "")])
    for reader in (store, ResponseStore(path)):
        assert reader.get("scores") == raw
        assert reader.get("text") == 'say "ä"\n\x00 — done'
        assert reader.get("empty") == ""
        assert reader.get("missing") is None
        if reader is not store:
            reader.__exit__(None, None, None)


def test_the_first_value_of_a_key_is_kept(store: ResponseStore) -> None:
    store.put([("a", [1.0]), ("a", [2.0])])
    store.put([("a", [3.0]), ("b", [4.0])])
    assert store.get("a") == [1.0]
    assert store.get("b") == [4.0]


# --- a writer that is killed ----------------------------------------------------------------------

_WRITER = """
import sys
from pathlib import Path
from isogloss.score.store import ResponseStore

def batch(number, last):
    for i in range(50):
        yield f"{number}-{i}", [number + i / 100]
    if last:
        print("in the middle", flush=True)
        sys.stdin.read()

with ResponseStore(Path(sys.argv[1])) as store:
    for number in range(3):
        store.put(batch(number, False))
        print("batch", flush=True)
    if sys.argv[2] == "rows":
        store.put(batch(3, True))
    connection = store._connection
    connection.execute("BEGIN IMMEDIATE")
    rows = [(f"3-{i}", "[" + "0," * 4000 + "3]") for i in range(50)]
    connection.executemany("INSERT INTO answers VALUES (?, ?)", rows)
    print("in the middle", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("moment", ["rows", "transaction"])
def test_a_killed_writer_loses_the_batch_in_flight_and_no_other(moment: str, path: Path) -> None:
    command = [sys.executable, "-c", _WRITER, str(path), moment]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline().strip() for _ in range(4)]
        assert lines == ["batch"] * 3 + ["in the middle"]
        os.kill(writer.pid, signal.SIGKILL)
    assert writer.returncode == -signal.SIGKILL
    with ResponseStore(path) as store:
        for number in range(3):
            for i in range(50):
                assert store.get(f"{number}-{i}") == [number + i / 100]
        assert [store.get(f"3-{i}") for i in range(50)] == [None] * 50
        store.put([("3-0", [3.0])])
        assert store.get("3-0") == [3.0]


# --- two writers ----------------------------------------------------------------------------------


def _write(path: Path, writer: int, start: "multiprocessing.synchronize.Barrier") -> None:
    with ResponseStore(path) as store:
        start.wait(timeout=60)
        for batch in range(20):
            own = [(f"{writer}-{batch}-{i}", [writer, batch, i]) for i in range(10)]
            store.put([*own, (f"both-{batch}", [writer])])


def test_two_processes_write_at_once_and_nothing_is_lost(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(2)
    writers = [context.Process(target=_write, args=(path, w, start)) for w in range(2)]
    for process in writers:
        process.start()
    for process in writers:
        process.join(timeout=120)
    assert [process.exitcode for process in writers] == [0, 0]
    with ResponseStore(path) as store:
        for writer in range(2):
            for batch in range(20):
                for i in range(10):
                    assert store.get(f"{writer}-{batch}-{i}") == [writer, batch, i]
                assert store.get(f"both-{batch}") in ([0], [1])


def test_a_reader_is_not_stopped_by_a_writer(store: ResponseStore, path: Path) -> None:
    store.put([("a", 1)])
    with ResponseStore(path) as other:
        assert other.get("a") == 1
        store.put([("b", 2)])
        assert other.get("b") == 2


# --- faults of the file ---------------------------------------------------------------------------


def test_a_file_that_is_no_store_is_refused_and_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"item_id,answer\n" * 100)
    before = path.read_bytes()
    with pytest.raises(ResponseError, match=r"responses\.sqlite.*move it away"):
        ResponseStore(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE answers (question TEXT)")
    connection.close()
    with pytest.raises(ResponseError, match=r"responses\.sqlite"), ResponseStore(path) as store:
        store.get("a")


def test_a_damaged_page_is_an_error_and_not_a_missing_answer(path: Path) -> None:
    with ResponseStore(path) as store:
        store.put((f"key-{i:04d}", "x" * 200) for i in range(500))
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    for start in range(page, len(content), page):
        content[start : start + page] = b"\xa5" * page
    path.write_bytes(bytes(content))
    with pytest.raises(ResponseError, match=r"responses\.sqlite"), ResponseStore(path) as store:
        store.get("key-0001")


def test_a_truncated_file_is_an_error_and_not_a_missing_answer(path: Path) -> None:
    with ResponseStore(path) as store:
        store.put((f"key-{i:04d}", "x" * 200) for i in range(500))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ResponseError, match=r"responses\.sqlite"), ResponseStore(path) as store:
        any(store.get(f"key-{i:04d}") is None for i in range(500))


def test_a_value_that_is_no_json_is_an_error(path: Path) -> None:
    with ResponseStore(path) as store:
        store.put([("a", [1.0])])
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE answers SET value = '[0.1, 0.'")
    connection.close()
    with pytest.raises(ResponseError, match=r"responses\.sqlite"), ResponseStore(path) as store:
        store.get("a")


def test_a_folder_in_the_stores_place_is_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(ResponseError, match=r"responses\.sqlite"):
        ResponseStore(path)


def test_a_file_in_the_folders_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResponseError, match=r"responses\.sqlite"):
        ResponseStore(tmp_path / "file" / "responses.sqlite")


def test_a_full_disk_is_an_error_and_earlier_answers_stay(store: ResponseStore, path: Path) -> None:
    store.put([("before", [1.0])])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(ResponseError, match=r"responses\.sqlite: cannot be written.*full"):
        store.put((f"key-{i}", "x" * 1000) for i in range(100))
    assert store.get("before") == [1.0]
    assert store.get("key-0") is None  # the batch is stored whole or not at all
    with ResponseStore(path) as other:
        other.put([("after", [2.0])])
        assert other.get("after") == [2.0]


def test_a_locked_store_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isogloss.score.store._TIMEOUT_S", 0.05)
    with ResponseStore(path) as store:
        other = sqlite3.connect(path)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ResponseError, match="locked"):
            store.put([("a", 1)])
        with pytest.raises(ResponseError, match="locked"):
            store.get("a")
        other.rollback()
        other.close()
        store.put([("a", 1)])
        assert store.get("a") == 1


def test_values_are_plain_json(store: ResponseStore) -> None:
    store.put([("a", (0.25, 0.5))])
    ((text,),) = store._connection.execute("SELECT value FROM answers").fetchall()
    assert json.loads(text) == [0.25, 0.5]
