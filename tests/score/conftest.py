"""Tiny models with a character tokenizer, and the real default model."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models
from transformers import (
    AutoModelForCausalLM,
    GPT2Config,
    LlamaConfig,
    PretrainedConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
)

from isogloss.config.schema import TransformersModel
from isogloss.fetch import load_sources
from isogloss.models.local import LocalModel, load_model
from isogloss.score.ask import Asker
from isogloss.score.local.backend import LocalBackend
from isogloss.score.progress import Progress
from isogloss.score.store import ResponseStore

SPECIAL = ["<pad>", "<s>", "</s>", "<|user|>", "<|assistant|>", "<|system|>"]
UNNAMED = "<repo>"
"""A control token that has no name among the tokenizer's own; SmolLM2 has fourteen such."""
CHARACTERS = "\n !\"'()*,-./0123456789:;?ABDEGHNORSTWY_abcdefghijklmnopqrstuvwxyz{}"
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ '<|' + message['role'] + '|>' }}"
    "{{ message['content'] + eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def _tokenizer() -> PreTrainedTokenizerFast:
    pieces = [*SPECIAL, UNNAMED, *CHARACTERS, "- ", "ES"]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    merges = [("-", " "), ("E", "S")]
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    backend.add_special_tokens([AddedToken(UNNAMED, special=True, normalized=False)])
    backend.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        extra_special_tokens=["<|user|>", "<|assistant|>", "<|system|>"],
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def _shape(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }


def _build(config: PretrainedConfig, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(config).eval()
    for weights in model.parameters():
        if weights.dim() > 1:
            torch.nn.init.normal_(weights, std=0.4)
    return model


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Run tiny matrices on one thread; handing them around costs more than they do."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    """Tokenizer of single characters, but for `- ` and `ES`, with a chat template and one BOS."""
    return _tokenizer()


@pytest.fixture(scope="session")
def shape(tokenizer: PreTrainedTokenizerFast) -> dict[str, Any]:
    """Fields that the configurations of most architectures share."""
    return _shape(tokenizer)


@pytest.fixture(scope="session")
def build() -> Callable[..., Any]:
    """Return a maker of random models whose distributions are far from uniform."""
    return _build


@pytest.fixture(scope="session")
def load(
    tmp_path_factory: pytest.TempPathFactory, tokenizer: PreTrainedTokenizerFast
) -> Callable[..., LocalModel]:
    """Return a loader of a model made here: saved to a folder and read as a user's would be."""

    def save_and_load(model: Any, name: str = "tiny", tokenizer: Any = tokenizer) -> LocalModel:
        folder = tmp_path_factory.mktemp("model")
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        config = TransformersModel(backend="transformers", path=folder.name)
        return load_model(name, config, {}, folder.parent)

    return save_and_load


@pytest.fixture(scope="session")
def tiny_models(shape: dict[str, Any], load: Callable[..., LocalModel]) -> dict[str, LocalModel]:
    """Random models of three architectures, by name."""
    gpt2 = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 512}
    own = {key: shape[key] for key in ("vocab_size", "bos_token_id", "eos_token_id")}
    configs = {
        "llama": LlamaConfig(**shape),
        "gpt2": GPT2Config(**own, **gpt2),
        "qwen2": Qwen2Config(**shape),
    }
    return {name: load(_build(config), name) for name, config in configs.items()}


AskerFactory = Callable[..., Asker]


@pytest.fixture
def asker_for(tmp_path: Path) -> Iterator[AskerFactory]:
    """Return a maker of askers, each with a store of its own unless `store` names one."""
    stores: list[ResponseStore] = []

    def make(local: LocalModel, *, memory_mb: int = 1024, store: str = "") -> Asker:
        path = tmp_path / (store or f"store-{len(stores)}") / "responses.sqlite"
        opened = ResponseStore(path)
        stores.append(opened)
        return Asker(LocalBackend(local, memory_mb=memory_mb), opened, progress=Progress)

    yield make
    for opened in stores:
        opened.__exit__(None, None, None)


@pytest.fixture(scope="session")
def sources(project: Path) -> dict[str, Any]:
    """Pinned sources of the project."""
    return load_sources(project / "data" / "sources.yaml")


@pytest.fixture(scope="session")
def smollm(project: Path, sources: dict[str, Any]) -> LocalModel:
    """Return the default run's model, converted once and cached."""
    config = TransformersModel(backend="transformers", source="smollm2-135m-instruct-q4_1")
    return load_model("smollm2", config, sources, project)
