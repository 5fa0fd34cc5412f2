"""Let a local model write nothing but JSON of a schema: which tokens may come next."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper
from llguidance.hf import from_tokenizer

from isogloss.errors import AnswerError
from isogloss.score.structured import canonical_schema

_LAYOUT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""JSON as Python's `json.dumps` writes it: white space a model could add without end is none."""

_SPECIFIC = ("type", "enum", "const", "$ref", "anyOf", "oneOf")


class JsonConstraint:
    """A JSON schema, compiled for one tokenizer."""

    def __init__(
        self,
        schema: Mapping[str, Any],
        tokenizer: Any,
        vocab_size: int | None = None,
        *,
        end_tokens: Collection[int] = (),
    ) -> None:
        """Compile a schema; the properties of an object are written in the schema's order.

        `vocab_size` is the number of the model's output logits, where that is not the tokenizer's
        number of tokens; `end_tokens` are those that end a reply, where not the tokenizer's own
        alone. Raises `AnswerError` when the schema has a keyword that cannot be enforced, leaves
        open what a value or an object may hold, cannot be satisfied, or cannot be spelled by the
        tokenizer.
        """
        _refuse_open(schema, "$")
        self._vocab_size = vocab_size or len(tokenizer)
        self._end_tokens = tuple(sorted(end_tokens)) or (int(tokenizer.eos_token_id),)
        tokens = _tokens(tokenizer, self._vocab_size, self._end_tokens)
        grammar = LLMatcher.grammar_from_json_schema(canonical_schema(schema), overrides=_LAYOUT)
        self._matcher = LLMatcher(tokens, grammar, log_level=0)
        if self._matcher.is_error():
            raise AnswerError(f"JSON schema cannot be enforced: {_first_line(self._matcher)}")

    def start(self) -> "State":
        """Return the state of a reply of which nothing is written."""
        return State(self._matcher.deep_copy(), self._vocab_size, self._end_tokens)


class State:
    """A reply as far as it is written."""

    def __init__(self, matcher: LLMatcher, vocab_size: int, end_tokens: Sequence[int]) -> None:
        self._matcher = matcher
        self._vocab_size = vocab_size
        self._end_tokens = end_tokens
        self._ended = False

    @property
    def finished(self) -> bool:
        """Whether the reply is complete and goes no further: ended, or with nothing to add."""
        return self._ended or self._matcher.is_stopped()

    def mask(self) -> torch.Tensor:
        """Return which tokens may come next, as booleans of shape (vocab_size,).

        An end token may come where the text satisfies the schema, and nothing else may after a
        finished one. Tokens beyond the tokenizer's own are never allowed. Raises `AnswerError`
        when no token is.
        """
        if self.finished:
            return self._only_end()
        packed = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        bits = np.unpackbits(packed, bitorder="little")[: self._vocab_size]
        mask = np.zeros(self._vocab_size, dtype=np.bool_)
        mask[: len(bits)] = bits
        first = int(mask.argmax())
        # Of a text without choice, the library skips what a tokenizer cannot spell.
        if not mask[first] or not self._may_come(first):
            raise AnswerError(
                "this tokenizer cannot spell what the JSON schema asks for here "
                f"({_first_line(self._matcher) or 'a character is missing from it'})"
            )
        return torch.from_numpy(mask)

    def _may_come(self, token: int) -> bool:
        if token in self._end_tokens:
            return bool(self._matcher.is_accepting())
        return bool(self._matcher.validate_tokens([token]) == 1)

    def accept(self, token: int) -> None:
        """Add a token to the reply. Raises `AnswerError` when it may not come here."""
        if token in self._end_tokens and (self.finished or self._matcher.is_accepting()):
            self._ended = True
        elif self.finished or not self._matcher.consume_token(token):
            raise AnswerError(f"token {token} may not come here under the JSON schema")

    def _only_end(self) -> torch.Tensor:
        mask = torch.zeros(self._vocab_size, dtype=torch.bool)
        mask[list(self._end_tokens)] = True
        return mask


def _first_line(matcher: LLMatcher) -> str:
    return str(matcher.get_error()).strip().partition("\n")[0]


def _refuse_open(schema: Any, path: str) -> None:
    """Raise `AnswerError` where a schema leaves a value or the names of an object open.

    A name that the schema does not list could be written twice, and a value of any kind would be
    nothing that the study can read.
    """
    if not isinstance(schema, Mapping) or not any(keyword in schema for keyword in _SPECIFIC):
        raise AnswerError(f"JSON schema, {path}: does not say what may stand here; give a type")
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if _may_be("object", schema) and not closed:
        raise AnswerError(
            f"JSON schema, {path}: leaves open which fields the object has; list them under "
            "properties and set additionalProperties to false"
        )
    for part, place in _inner(schema, path):
        _refuse_open(part, place)


def _inner(schema: Mapping[str, Any], path: str) -> Iterator[tuple[Any, str]]:
    """Schemas inside a schema, and where they stand."""
    for keyword in ("properties", "$defs", "definitions"):
        for name, part in schema.get(keyword, {}).items():
            yield part, f"{path}.{keyword}.{name}"
    for keyword in ("anyOf", "prefixItems"):
        for i, part in enumerate(schema.get(keyword, ())):
            yield part, f"{path}.{keyword}[{i}]"
    if _may_be("array", schema) and schema.get("items") is not False:
        yield schema.get("items"), f"{path}.items"


def _may_be(kind: str, schema: Mapping[str, Any]) -> bool:
    given = schema.get("type", ())
    return kind in ((given,) if isinstance(given, str) else given)


def _tokens(tokenizer: Any, vocab_size: int, end_tokens: Sequence[int]) -> LLTokenizer:
    if not getattr(tokenizer, "is_fast", False):
        raise AnswerError("a JSON schema can be enforced with fast tokenizers only")
    if vocab_size < len(tokenizer):
        raise AnswerError(f"{len(tokenizer)} tokens do not fit a vocabulary of {vocab_size}")
    try:
        return from_tokenizer(tokenizer, n_vocab=vocab_size, eos_token=list(end_tokens))
    except ValueError as error:
        if not _spells_itself(tokenizer):
            raise AnswerError(f"a JSON schema cannot be enforced: {error}") from error
    wrapped = TokenizerWrapper(_Pieces(tokenizer, end_tokens))
    return LLTokenizer(wrapped, n_vocab=vocab_size, eos_token=list(end_tokens))


def _spells_itself(tokenizer: Any) -> bool:
    """Whether the text of some tokens is their pieces put together."""
    decoder = json.loads(tokenizer.backend_tokenizer.to_str())["decoder"]
    return decoder is None or decoder["type"] == "Fuse"


class _Pieces:
    """A tokenizer whose tokens are pieces of text, in the form that the library asks for."""

    def __init__(self, tokenizer: Any, end_tokens: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        self.eos_token_id = end_tokens[0]
        self.bos_token_id = tokenizer.bos_token_id
        pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        self.tokens = [piece.encode() for piece in pieces]
        added = tokenizer.added_tokens_decoder.items()
        self.special_token_ids = [token for token, added_token in added if added_token.special]

    def __call__(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))
