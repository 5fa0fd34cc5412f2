"""Send one request through the `openai` client and return what came, or raise what went wrong."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from isogloss.config.schema import OpenAIModel, is_loopback
from isogloss.errors import ModelError
from isogloss.score.api.faults import JobFault, PassingFault, PromptFault, fault_of_status

LONGEST_BODY = 1_000_000
"""Bytes of a reply beyond which it is refused."""

_OPENAI = "api.openai.com"
_NO_KEY = "none"
"""Without any key the client would take the one for OpenAI's own server from the environment."""


@dataclass(frozen=True)
class Received:
    """A decoded body with its headers."""

    data: Any
    headers: Mapping[str, str]


def read_key(name: str, config: OpenAIModel) -> str | None:
    """Return the key from the environment; None for a server that takes none.

    Raises `ModelError` naming the variable when it is not set or cannot be a key.
    """
    variable = config.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ModelError(
            f"model {name}: the environment variable {variable} with the server's key is not set; "
            "set it, or write api_key_env: null for a server that takes none"
        )
    if not re.fullmatch(r"[!-~]+", key):
        raise ModelError(f"model {name}: what {variable} holds cannot be a key; set it to the key")
    return key


def open_client(config: OpenAIModel, key: str | None) -> openai.AsyncOpenAI:
    """Return a client that repeats nothing by itself and follows no redirection.

    A connection carries one request. Where something between sends a reply twice, the second
    could otherwise be taken for the reply to the next prompt.
    """
    http = openai.DefaultAsyncHttpxClient(
        timeout=config.timeout_s,
        limits=httpx2.Limits(max_connections=config.concurrency, max_keepalive_connections=0),
        follow_redirects=False,
        trust_env=not is_loopback(urlsplit(config.base_url)),
        headers={"Accept-Encoding": "identity"},
        event_hooks={"request": [] if key else [_drop_key], "response": [_bound]},
    )
    client = openai.AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=config.base_url,
        max_retries=0,
        timeout=config.timeout_s,
        http_client=http,
    )
    if urlsplit(config.base_url).hostname != _OPENAI:
        _forget_account(client)
    return client


def _forget_account(client: openai.AsyncOpenAI) -> None:
    """Take back what the client read from `OPENAI_ORG_ID` and the like; no other server gets it."""
    client.organization = client.project = None
    client._custom_headers = {}


async def send(client: openai.AsyncOpenAI, body: dict[str, Any], timeout_s: float) -> Received:
    """Send a request once.

    Raises `PassingFault`, `PromptFault` or `JobFault`.
    """
    try:
        async with asyncio.timeout(timeout_s):
            raw = await client.chat.completions.with_raw_response.create(**body)
    except (TimeoutError, openai.APITimeoutError):
        raise PassingFault(f"no reply within {timeout_s:g} s") from None
    except openai.APIStatusError as error:
        headers = error.response.headers
        raise fault_of_status(error.status_code, headers, error.body) from None
    except openai.APIConnectionError as error:
        cause = type(error.__cause__ or error).__name__
        raise PassingFault(f"the connection failed ({cause})") from None
    except _UnusableBody as error:
        raise PromptFault(str(error)) from None
    except openai.OpenAIError as error:
        reason = f"the request cannot be sent ({type(error).__name__})"
        raise JobFault(reason, remedy="check base_url") from None
    return Received(_decoded(raw.content), raw.headers)


def _decoded(content: bytes) -> Any:
    """Decode JSON; halves of surrogate pairs, which no text may hold, become question marks."""
    try:
        data = json.loads(content)
        if rb"\ud" in content.lower():
            data = json.loads(json.dumps(data, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        raise PassingFault("the server sent no JSON") from None
    return data


class _UnusableBody(Exception):
    """A body that is not read to its end."""


class _Bounded(httpx2.AsyncByteStream):
    """A body that may not be longer than the bound."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            if size > LONGEST_BODY:
                raise _UnusableBody(f"the reply is longer than {LONGEST_BODY} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _drop_key(request: httpx2.Request) -> None:
    del request.headers["Authorization"]


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise _UnusableBody("the reply is compressed, although that was not asked for")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)
