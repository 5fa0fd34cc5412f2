"""What makes a model behind a server the model it is, as far as that can be known from here."""

import hashlib
import json
from dataclasses import dataclass
from importlib import metadata
from urllib.parse import urlsplit

from isogloss.config.schema import OpenAIModel

_READER = 1
"""Way in which a server's log-probabilities are read. Replies are stored with what was read, so
another way needs another number."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class ServedIdentity:
    """Identity of a served model. The server may change the model under the same name."""

    name: str
    backend: str
    base_url: str
    model: str
    """What the server calls the model."""
    version: str | None
    """The user's own mark for a state of the server's model."""
    structured: str
    top_logprobs: int | None
    """Alternatives asked for at each token; None where none are."""
    max_tokens: int
    """Bound on a reply that only has to give an answer."""
    reasoning_tokens: int | None
    """Room for thoughts before the reply; None for a model that replies at once."""
    client: str
    """Version of the `openai` package that sends the requests."""

    @property
    def digest(self) -> str:
        """SHA-256 of what decides the replies: address without scheme, model, version, request.

        What is asked for in a scored reply counts, since a reply without log-probabilities is
        another answer than one with them.
        """
        decisive = [
            _place(self.base_url),
            self.model,
            self.version,
            self.structured,
            self.top_logprobs,
            self.max_tokens,
            _READER,
            *([] if self.reasoning_tokens is None else [f"reasoning {self.reasoning_tokens}"]),
        ]
        return hashlib.sha256(json.dumps(decisive).encode()).hexdigest()


def served_identity(name: str, config: OpenAIModel) -> ServedIdentity:
    """Return the identity of a configured server's model; nothing is sent."""
    return ServedIdentity(
        name=name,
        backend=config.backend,
        base_url=config.base_url.rstrip("/"),
        model=config.model,
        version=config.version,
        structured=config.structured,
        top_logprobs=None if config.reasoning else config.top_logprobs,
        max_tokens=config.max_tokens,
        reasoning_tokens=config.reasoning_tokens if config.reasoning else None,
        client=metadata.version("openai"),
    )


def _place(base_url: str) -> str:
    """Host, port where it is not the scheme's own, and path."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    port = parts.port
    shown = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    return shown + parts.path.rstrip("/")
