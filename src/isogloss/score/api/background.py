"""Run a coroutine in a thread of its own and hand over, one by one, what it finds."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
Emit = Callable[[T], None]
_Channel = SimpleQueue[tuple[T] | BaseException | None]
"""Holds each thing found as a tuple of one; last the error that ended the work, or None."""


def found_by(work: Callable[[Emit[T]], Coroutine[Any, Any, None]]) -> Iterator[T]:
    """Yield what the work emits, as soon as it does, and raise what it raises.

    The work goes on while the caller is busy with what it got. It is cancelled, and awaited, when
    the iterator is closed or the caller interrupted.
    """
    channel: _Channel[T] = SimpleQueue()
    loop = asyncio.new_event_loop()
    task = loop.create_task(work(lambda found: channel.put((found,))))
    thread = Thread(target=_drive, args=(loop, task, channel), name="requests", daemon=True)
    thread.start()
    try:
        while (got := channel.get()) is not None:
            if isinstance(got, BaseException):
                raise got
            yield got[0]
    finally:
        with suppress(RuntimeError):  # the loop is closed where the work is done
            loop.call_soon_threadsafe(task.cancel)
        thread.join()


def _drive(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None], channel: _Channel[T]) -> None:
    end: BaseException | None = None
    try:
        loop.run_until_complete(task)
    except BaseException as error:  # the caller raises it
        end = error
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
        channel.put(end)
