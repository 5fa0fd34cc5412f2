"""Two servers on loopback: a stub that answers, and a proxy before it that makes trouble."""

import http.client
import json
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Self

Fault = Callable[["Handler"], None]

RATINGS = {"4": 0.5, "3": 0.25, "5": 0.125, "2": 0.0625}
"""What the stub shows for a rating; 0.0625 remains unlisted."""


@dataclass
class Heard:
    """A request as a server heard it; names of headers are in small letters."""

    at: float
    """Seconds of the clock that all servers and tests share."""
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes = field(repr=False)

    @property
    def prompt(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


class Handler(BaseHTTPRequestHandler):
    """Hands a request to the server's `answer`, on a connection that is kept open."""

    protocol_version = "HTTP/1.1"
    server: "Loopback"
    heard: Heard
    number: int
    """Number of the request at this server, from 1."""
    pending = False
    """Whether the client still waits; it may send its next request as soon as it has the reply."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        told = {name.lower(): value for name, value in self.headers.items()}
        self.heard = Heard(time.monotonic(), self.path, told, json.loads(raw or b"{}"), raw)
        with self.server.counted(self):
            self.server.answer(self)

    def reply(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, length: int = -1
    ) -> None:
        """Send a reply; `length` is what its header says where that is not the truth."""
        self.server.end(self)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) if length < 0 else length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Loopback(ThreadingHTTPServer):
    """A server on a free port, which remembers what it heard."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.heard: list[Heard] = []
        self.most_at_once = 0
        self.closing = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self.shutdown()
        self._thread.join()
        self.server_close()

    def answer(self, handler: Handler) -> None:
        raise NotImplementedError

    def counted(self, handler: Handler) -> "_Counted":
        return _Counted(self, handler)

    def begin(self, handler: Handler) -> None:
        with self._lock:
            self.heard.append(handler.heard)
            handler.number = len(self.heard)
            handler.pending = True
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)

    def end(self, handler: Handler) -> None:
        with self._lock:
            self._at_once -= handler.pending
            handler.pending = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error of the server's."""


@dataclass
class _Counted:
    server: Loopback
    handler: Handler

    def __enter__(self) -> None:
        self.server.begin(self.handler)

    def __exit__(self, *_: object) -> None:
        self.server.end(self.handler)


def completion(text: str, logprobs: Any = None, finish: Any = "stop", **more: Any) -> bytes:
    """Return a reply as OpenAI's server writes it."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": logprobs}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1767225600,
        "model": "tiny-2026",
        "choices": [choice],
        "usage": {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13},
        **more,
    }
    return json.dumps(body).encode()


def listed(token: str, probability: float) -> dict[str, Any]:
    """Return an entry of a list of tokens."""
    return {"token": token, "logprob": math.log(probability), "bytes": list(token.encode())}


def rating_logprobs(chosen: str) -> dict[str, Any]:
    """Lists for `Rating: N`, with the probabilities of `RATINGS` at the number."""
    certain = [{**listed(t, 1.0), "top_logprobs": [listed(t, 1.0)]} for t in ("Rating", ":")]
    top = [listed(f" {label}", p) for label, p in RATINGS.items()]
    return {"content": [*certain, {**listed(f" {chosen}", RATINGS[chosen]), "top_logprobs": top}]}


class Stub(Loopback):
    """Rates every prompt 4, with log-probabilities; continues any other request with its prompt."""

    headers: ClassVar[dict[str, str]] = {}

    def __init__(self, *, seconds: float = 0.0) -> None:
        super().__init__()
        self.seconds = seconds

    def answer(self, handler: Handler) -> None:
        self.closing.wait(self.seconds)
        body = handler.heard.body
        if body.get("logprobs"):
            reply = completion("Rating: 4", rating_logprobs("4"))
        elif "top_p" in body:
            reply = completion(f"{handler.heard.prompt}, and so on")
        else:
            reply = completion("Rating: 4")
        handler.reply(200, reply, {"x-request-id": f"req-{handler.number}", **self.headers})


class ThinkingStub(Stub):
    """Takes what OpenAI's server takes for a model that thinks before it replies."""

    refused = ("max_tokens", "temperature", "top_p", "logprobs", "top_logprobs", "stop")
    thoughts = 100
    """Tokens that it thinks; with fewer allowed it does not come to a reply."""

    def answer(self, handler: Handler) -> None:
        body = handler.heard.body
        wrong = next((name for name in self.refused if name in body), None)
        if wrong is not None:
            said = f"Unsupported parameter: '{wrong}' is not supported with this model."
            handler.reply(400, json.dumps({"error": {"message": said, "param": wrong}}).encode())
        elif body["max_completion_tokens"] <= self.thoughts:
            handler.reply(200, completion("", finish="length"))
        else:
            super().answer(handler)


class FaultProxy(Loopback):
    """Forwards requests but for those whose number has a fault."""

    def __init__(self, upstream: str, faults: dict[int, Fault] | None = None) -> None:
        super().__init__()
        self._host, self._port = upstream.split("/")[2].split(":")
        self.faults = faults or {}

    def answer(self, handler: Handler) -> None:
        fault = self.faults.get(handler.number, self.faults.get(0))
        if fault is None:
            handler.reply(200, self.forward(handler))
        else:
            fault(handler)

    def forward(self, handler: Handler) -> bytes:
        """Return what the server behind says."""
        connection = http.client.HTTPConnection(self._host, int(self._port), timeout=300)
        try:
            headers = {k: v for k, v in handler.heard.headers.items() if k != "host"}
            connection.request("POST", handler.heard.path, handler.heard.raw, headers)
            response = connection.getresponse()
            body = response.read()
            assert response.status == 200, body
            return body
        finally:
            connection.close()


def status(code: int, body: Any = None, **headers: str) -> Fault:
    """A status with an error; underscores in header names stand for dashes."""
    told = {"error": {"message": "not now"}} if body is None else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.reply(code, json.dumps(told).encode(), named)


def says(body: bytes, code: int = 200, **headers: str) -> Fault:
    """A body of one's own."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.reply(code, body, named)


def hangs(handler: Handler) -> None:
    """No answer before the server is closed."""
    handler.server.closing.wait(60)
    handler.close_connection = True


def slow_header(handler: Handler) -> None:
    """A header that comes letter by letter and does not end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b"z")


def truncated(handler: Handler) -> None:
    """A body that ends before its length."""
    body = completion("Rating: 1")
    handler.reply(200, body[:-20], length=len(body))
    handler.close_connection = True


def drops(handler: Handler) -> None:
    """The connection is closed without a word."""
    handler.close_connection = True


def without_logprobs(handler: Handler) -> None:
    """The reply without its log-probabilities."""
    proxy = handler.server
    assert isinstance(proxy, FaultProxy)
    data = json.loads(proxy.forward(handler))
    data["choices"][0]["logprobs"] = None
    handler.reply(200, json.dumps(data).encode())


def sent_twice(handler: Handler) -> None:
    """The request goes to the server behind twice."""
    proxy = handler.server
    assert isinstance(proxy, FaultProxy)
    proxy.forward(handler)
    handler.reply(200, proxy.forward(handler))


def answered_twice(handler: Handler) -> None:
    """The reply comes twice in one piece, on a connection that stays open."""
    proxy = handler.server
    assert isinstance(proxy, FaultProxy)
    body = proxy.forward(handler)
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    handler.wfile.write((head.encode() + body) * 2)


def huge(handler: Handler) -> None:
    """A body of two million bytes."""
    handler.reply(200, completion("x" * 2_000_000))
