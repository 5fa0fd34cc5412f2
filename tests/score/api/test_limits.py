"""Headers in all their spellings, and the gate that minds them."""

import asyncio
import time

import pytest

from isogloss.score.api.limits import Allowance, Gate, allowances, seconds_of, wait_asked_for


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("120ms", 0.12),
        ("7.66s", 7.66),
        ("2m59.56s", 179.56),
        ("1h2m3s", 3723.0),
        ("1d", 86400.0),
        (" 20 ", 20.0),
        ("0", 0.0),
        ("0.5", 0.5),
        ("", None),
        ("-1", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("1x", None),
        ("1s!", None),
        ("2026-01-01T00:00:00Z", None),
    ],
)
def test_durations(text: str, seconds: float | None) -> None:
    found = seconds_of(text)
    assert found is None if seconds is None else found == pytest.approx(seconds)


DAY = "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "2", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "2", "retry-after-ms": "x"}, 2.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": DAY}, 30.0),
        ({"retry-after": DAY, "date": "Wed, 21 Oct 2026 07:28:30 GMT"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "later"}, None),
        ({}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6s"}, 6.0),
        ({"x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "6s"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "9h"}, None),
    ],
)
def test_waits_that_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_asked_for(headers) == seconds


def test_allowances_need_a_number_and_a_time() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "many",
        "x-ratelimit-reset-tokens": "1s",
    }
    assert allowances(headers) == {"requests": Allowance(59, 1.0)}


def limit(kind: str, left: int, reset: str) -> dict[str, str]:
    return {f"x-ratelimit-remaining-{kind}": str(left), f"x-ratelimit-reset-{kind}": reset}


async def passes(gate: Gate, tokens: int = 10) -> bool:
    """Whether the gate lets a request pass without a wait; it is withdrawn where not."""
    task = asyncio.create_task(gate.enter(tokens))
    for _ in range(5):
        await asyncio.sleep(0)
    done = task.done()
    task.cancel()
    return done


def test_a_closed_gate_opens_after_its_time() -> None:
    async def closed() -> float:
        gate, before = Gate(), time.monotonic()
        gate.close_for(0.2)
        gate.close_for(0.05)
        await gate.enter(10)
        return time.monotonic() - before

    assert asyncio.run(closed()) >= 0.2


@pytest.mark.parametrize(
    ("headers", "under_way", "expected"),
    [
        ({}, 9, True),
        (limit("requests", 3, "60s"), 2, True),
        (limit("requests", 3, "60s"), 3, False),
        (limit("requests", 0, "60s"), 0, False),
        (limit("requests", 0, "0s"), 0, True),
        (limit("requests", 0, "9h"), 0, True),
        (limit("tokens", 30, "60s"), 2, True),
        (limit("tokens", 29, "60s"), 2, False),
    ],
)
def test_what_is_left_bounds_the_requests_under_way(
    headers: dict[str, str], under_way: int, expected: bool
) -> None:
    async def asked() -> bool:
        gate = Gate()
        for _ in range(under_way):
            await gate.enter(10)
        gate.learn(headers)
        return await passes(gate)

    assert asyncio.run(asked()) is expected


def test_a_used_up_limit_is_waited_for() -> None:
    async def used_up() -> float:
        gate, before = Gate(), time.monotonic()
        gate.learn(limit("tokens", 5, "200ms"))
        await gate.enter(10)
        return time.monotonic() - before

    assert asyncio.run(used_up()) >= 0.2


def test_news_open_the_gate_before_its_time() -> None:
    async def told() -> None:
        gate = Gate()
        gate.learn(limit("requests", 0, "3000s"))
        task = asyncio.create_task(gate.enter(1))
        await asyncio.sleep(0.01)
        assert not task.done()
        gate.learn(limit("requests", 5, "3000s"))
        await task

    asyncio.run(asyncio.wait_for(told(), 20))


def test_a_request_that_is_over_makes_room() -> None:
    async def left() -> None:
        gate = Gate()
        await gate.enter(1)
        gate.learn(limit("requests", 1, "3000s"))
        task = asyncio.create_task(gate.enter(1))
        await asyncio.sleep(0.01)
        assert not task.done()
        gate.leave(1)
        await task

    asyncio.run(asyncio.wait_for(left(), 20))
