"""Writers of a response store that the tests start as processes of their own, and kill.

python store_writer.py PROGRAM PATH
"""

import hashlib
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from isogloss.errors import ResponseError
from isogloss.score.store import Key, ResponseStore

SIZE = 50
BATCHES = 80

Entry = tuple[Key, dict[str, Any]]


def batch(number: int) -> list[Entry]:
    """Answers that only the number decides; long, so that a batch takes many pages."""
    prompts = [hashlib.sha256(f"{number} {i}".encode()).hexdigest() for i in range(SIZE)]
    return [
        (Key("model", prompt, "{}"), {"text": prompt * 30, "probabilities": [number / 7, i / 7]})
        for i, prompt in enumerate(prompts)
    ]


def stall(*_: object) -> None:
    """Say that it is the moment to kill this process."""
    print("now", flush=True)
    sys.stdin.read()


def three_batches(store: ResponseStore) -> None:
    for number in range(3):
        store.put(batch(number))
        print(number, flush=True)


def killed_before_writing(store: ResponseStore) -> None:
    """Stops while the fourth batch is being handed over."""

    def entries() -> Iterator[Entry]:
        yield from batch(3)
        stall()

    three_batches(store)
    store.put(entries())


def killed_while_writing(store: ResponseStore) -> None:
    """Stops before the commit, with half of the fourth batch's pages in the file already."""
    three_batches(store)
    connection = store._connection
    connection.execute("PRAGMA cache_size = 2")
    connection.set_trace_callback(lambda said: stall() if said == "COMMIT" else None)
    store.put(batch(3))


def all_batches(store: ResponseStore) -> None:
    """Stores the batches that are not stored yet, and says the number of each once it is safe."""
    store._connection.execute("PRAGMA cache_size = 20")
    for number in range(BATCHES):
        entries = batch(number)
        if len(store.get(key for key, _ in entries)) < SIZE:
            store.put(entries)
            print(number, flush=True)


def disk_of_limited_size(store: ResponseStore) -> None:
    """Lets no file grow, for one batch, and says how many answers of two batches there are."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store.put(batch(0))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (store._path.stat().st_size + 10_000, most))
    try:
        store.put(batch(1))
    except ResponseError as error:
        print(error)
    print(*(len(store.get(key for key, _ in batch(number))) for number in range(2)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    store.put(batch(1))
    print(*(len(store.get(key for key, _ in batch(number))) for number in range(2)))


PROGRAMS: dict[str, Callable[[ResponseStore], None]] = {
    program.__name__: program
    for program in (
        killed_before_writing,
        killed_while_writing,
        all_batches,
        disk_of_limited_size,
    )
}

if __name__ == "__main__":
    with ResponseStore(Path(sys.argv[2])) as opened:
        PROGRAMS[sys.argv[1]](opened)
