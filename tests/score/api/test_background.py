"""A coroutine in a thread of its own, seen as an iterator."""

import asyncio
import threading

import pytest

from isogloss.score.api.background import Emit, found_by


def test_what_is_found_is_handed_over_one_by_one() -> None:
    more = threading.Event()

    async def work(emit: Emit[int]) -> None:
        emit(1)
        await asyncio.to_thread(more.wait)
        emit(2)

    found = found_by(work)
    assert next(found) == 1
    more.set()
    assert list(found) == [2]


def test_an_error_comes_after_what_was_found() -> None:
    async def work(emit: Emit[int]) -> None:
        emit(1)
        raise LookupError("gone")

    found = found_by(work)
    assert next(found) == 1
    with pytest.raises(LookupError, match="gone"):
        next(found)


def test_work_is_cancelled_and_awaited_when_the_iterator_is_closed() -> None:
    ended: list[str] = []

    async def work(emit: Emit[int]) -> None:
        emit(1)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)
            ended.append("in order")

    found = found_by(work)
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert ended == ["in order"]


def test_two_run_beside_each_other() -> None:
    async def work(emit: Emit[int]) -> None:
        for number in range(3):
            emit(number)
            await asyncio.sleep(0)

    pairs = list(zip(found_by(work), found_by(work), strict=True))
    assert pairs == [(0, 0), (1, 1), (2, 2)]


def test_it_works_inside_a_running_loop() -> None:
    async def work(emit: Emit[int]) -> None:
        emit(3)

    async def outer() -> list[int]:
        return list(found_by(work))

    assert asyncio.run(outer()) == [3]
