"""A tiny chat model over bytes, with single tokens for the answers; and the real tokenizer."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from benchmarks.workloads import Ask, asker
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast

from isogloss.config.schema import TransformersModel
from isogloss.fetch import load_sources
from isogloss.models.local import load_model
from isogloss.score.prompts import encode, render

TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<s>' + message['role'] + '\\n' + message['content'] + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<s>assistant\\n' }}{% endif %}"
)
MERGES = [("Ġ", "Y"), ("ĠY", "e"), ("ĠYe", "s"), ("Ġ", "N"), ("ĠN", "o")]


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    """Tokenizer of bytes, but for ` Yes` and ` No`."""
    pieces = ["<s>", "</s>", *sorted(pre_tokenizers.ByteLevel.alphabet()), *map("".join, MERGES)]
    backend = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, merges=MERGES))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token="<s>", eos_token="</s>", pad_token="</s>"
    )
    made.chat_template = TEMPLATE
    return made


@pytest.fixture(scope="session")
def ask(tokenizer: PreTrainedTokenizerFast) -> Ask:
    """Render prompts for the tiny model."""
    return _asker(tokenizer)


@pytest.fixture(scope="session")
def model(tokenizer: PreTrainedTokenizerFast) -> Any:
    """Return a random model whose distributions are far from uniform."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
    )
    made = AutoModelForCausalLM.from_config(config).eval()
    for weights in made.parameters():
        if weights.dim() > 1:
            torch.nn.init.normal_(weights, std=0.4)
    return made


@pytest.fixture(scope="session")
def real_ask(project: Path) -> Ask:
    """Render prompts with the default model's own tokenizer."""
    config = TransformersModel(backend="transformers", source="smollm2-135m-instruct-q4_1")
    sources = load_sources(project / "data" / "sources.yaml")
    return _asker(load_model("smollm2", config, sources, project).tokenizer)


def _asker(tokenizer: Any) -> Ask:
    return asker(partial(render, tokenizer=tokenizer), partial(encode, tokenizer=tokenizer))
