"""Which tokens of a tokenizer end the value of a JSON field."""

import re
from typing import Any

import torch

_ENDS = re.compile(r"[ \t\n\r]*[,}]|[ \t\n\r]+\Z")
"""What may follow a number in a JSON object (RFC 8259, sections 2 and 4)."""


def closing_tokens(tokenizer: Any, vocab_size: int) -> torch.Tensor:
    """Return the ids of the tokens that are white space, or begin with a comma or a brace.

    White space may stand before these. The text of a token is what it adds after a digit: some
    tokenizers leave out a space that begins a text. Control tokens are not among them, since a
    reply that ends before its object does is no JSON.

    Args:
        tokenizer: a transformers tokenizer.
        vocab_size: number of logits; a model may have more of them than its tokenizer has tokens.

    Returns:
        int64 of shape (tokens,), in ascending order.
    """
    digit = tokenizer.encode("1", add_special_tokens=False)[-1]
    controls = set(tokenizer.all_special_ids)
    tokens = [t for t in range(min(vocab_size, len(tokenizer))) if t not in controls]
    texts = tokenizer.batch_decode(
        [[digit, token] for token in tokens], clean_up_tokenization_spaces=False
    )
    before = tokenizer.decode([digit])
    added = [text.removeprefix(before) for text in texts]
    closing = [t for t, text in zip(tokens, added, strict=True) if _ENDS.match(text)]
    return torch.tensor(closing, dtype=torch.int64)
