"""Which tokens end the value of a JSON field, by tokenizer."""

from collections.abc import Sequence
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast

from isogloss.models.local import LocalModel
from isogloss.score.local.closing import closing_tokens

ENDING = [" ", "\n", "\t", "  ", ",", "}", "},", ", ", " }", "\n}", "\r\n", ',"', "}}"]
GOING_ON = ["0", "9", ".", ".5", "e", "E", "-", "/", " 5", " or", "a", "%", "]", ":", " .", "5}"]


def _tokenizer(pieces: Sequence[str], decoder: Any) -> PreTrainedTokenizerFast:
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    backend = Tokenizer(models.WordLevel(vocab=vocabulary, unk_token="1"))
    backend.decoder = decoder
    return PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="</s>")


def test_tokens_are_told_by_the_text_that_they_add() -> None:
    pieces = ["</s>", "1", *ENDING, *GOING_ON]
    found = closing_tokens(_tokenizer(pieces, decoders.Fuse()), len(pieces))
    assert [pieces[i] for i in found.tolist()] == ENDING


def test_a_space_that_the_decoder_drops_at_the_beginning_is_seen() -> None:
    """Llama 2 writes ` x` as `\u2581x` and decodes it at the beginning of a text as `x`."""
    pieces = ["</s>", "\u25811", "\u2581", "\u2581}", "\u25815", "}", "5"]
    tokenizer = _tokenizer(pieces, decoders.Metaspace())
    assert tokenizer.decode([4]) == "5"  # else the test would say nothing
    tokenizer.backend_tokenizer.model.unk_token = "\u25811"
    assert closing_tokens(tokenizer, len(pieces)).tolist() == [2, 3, 5]


def test_a_model_may_have_other_numbers_of_logits_than_tokens() -> None:
    pieces = ["</s>", "1", "}", "x", ","]
    tokenizer = _tokenizer(pieces, decoders.Fuse())
    assert closing_tokens(tokenizer, 100).tolist() == [2, 4]
    assert closing_tokens(tokenizer, 4).tolist() == [2]


@pytest.mark.slow
def test_the_default_model_ends_a_field_with_a_brace_and_goes_on_with_digits(
    smollm: LocalModel,
) -> None:
    found = set(closing_tokens(smollm.tokenizer, smollm.model.config.vocab_size).tolist())
    one = smollm.tokenizer.convert_tokens_to_ids
    assert {one("}"), one(","), one("\u010a"), one("\u0120")} <= found  # a line feed, a space
    assert not found & {one(text) for text in [*"0123456789", ".", "/", "e", "\u0120the"]}
    assert not found & set(smollm.tokenizer.all_special_ids)
