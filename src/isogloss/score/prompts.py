"""Chat messages to the exact token ids a model reads."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from isogloss.errors import ItemError, ModelError


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Prompt:
    """A prompt as a model reads it: its token ids, or its messages where a server renders them."""

    text: str
    tokens: tuple[int, ...] = ()
    """Empty where the tokens are the server's business."""
    messages: tuple[Message, ...] = ()

    @property
    def sha256(self) -> str:
        """SHA-256 of the token ids, written in decimal and separated by spaces.

        Without tokens it is that of the messages as a JSON list of pairs of role and content.
        """
        if self.tokens:
            return _sha256(" ".join(map(str, self.tokens)))
        return _sha256(json.dumps([[message.role, message.content] for message in self.messages]))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def render(
    messages: Sequence[Message],
    reply_prefix: str,
    tokenizer: Any,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Prompt:
    """Apply the chat template once and append the beginning of the reply.

    The template's own BOS token is the only one: the tokenizer adds none. `options` are variables
    that the template may read, such as a date. Raises `ItemError` when a message contains one of
    the tokenizer's control tokens, which would end the turn early.
    """
    for message in messages:
        _refuse_control_tokens(message.content, tokenizer)
    chat = [{"role": message.role, "content": message.content} for message in messages]
    try:
        text = tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, **options
        )
    except Exception as error:  # templates raise an error class of their own
        raise ModelError(f"the chat template refuses these messages: {error}") from error
    text += reply_prefix
    return Prompt(text, encode(text, tokenizer), tuple(messages))


def encode(text: str, tokenizer: Any) -> tuple[int, ...]:
    """Token ids of a text, with special tokens read as such and none added."""
    return tuple(tokenizer.encode(text, add_special_tokens=False))


def _refuse_control_tokens(content: str, tokenizer: Any) -> None:
    for token in sorted(_control_tokens(tokenizer)):
        if token in content:
            raise ItemError(
                f"a text contains {token!r}, which this model reads as a control token; "
                "remove it from the item"
            )


def _control_tokens(tokenizer: Any) -> set[str]:
    """Special tokens with a name (BOS, EOS ...) and those that a tokenizer has beside them."""
    added = (t.content for t in tokenizer.added_tokens_decoder.values() if t.special)
    return {token for token in (*tokenizer.all_special_tokens, *added) if token.strip()}
