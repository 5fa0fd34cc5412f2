"""A tiny chat model, as a folder of safetensors and as a GGUF file."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast

from isogloss.config.schema import TransformersModel
from isogloss.models.local import LocalModel, load_model

TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TOKENS = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet()), "ab"]
MERGES = [("a", "b")]
HEADS, SHARED_HEADS, LAYERS, SIZE = 4, 2, 2, 32


def _tokenizer() -> PreTrainedTokenizerFast:
    vocabulary = {token: i for i, token in enumerate(TOKENS)}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=MERGES))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<|im_start|>",
        eos_token="<|im_end|>",
        pad_token="<|im_end|>",
        unk_token="<|endoftext|>",
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def _model() -> Any:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(TOKENS),
        hidden_size=SIZE,
        intermediate_size=2 * SIZE,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=SHARED_HEADS,
        max_position_embeddings=128,
        rms_norm_eps=1e-5,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=2,
    )
    model = AutoModelForCausalLM.from_config(config).eval()
    for weights in model.parameters():
        if weights.dim() > 1:
            torch.nn.init.normal_(weights, std=0.3)
    return model


_GGUF_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


def _interleaved(weights: Any, heads: int) -> Any:
    """Rows in the order in which GGUF keeps rotated halves: pairwise instead of half by half."""
    halves = weights.reshape(heads, 2, weights.shape[0] // heads // 2, -1)
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(weights.shape))


def _write_gguf(model: Any, path: Path) -> None:
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(128)
    writer.add_embedding_length(SIZE)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(2 * SIZE)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(SHARED_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(SIZE // HEADS)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(TOKENS)
    writer.add_token_types([3] * len(SPECIAL) + [1] * (len(TOKENS) - len(SPECIAL)))
    writer.add_token_merges([" ".join(merge) for merge in MERGES])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_pad_token_id(2)
    writer.add_chat_template(TEMPLATE)
    weights = {name: w.detach().numpy() for name, w in model.state_dict().items()}
    writer.add_tensor("token_embd.weight", weights["model.embed_tokens.weight"])
    writer.add_tensor("output_norm.weight", weights["model.norm.weight"])
    writer.add_tensor("output.weight", weights["lm_head.weight"])
    for layer in range(LAYERS):
        for ours, theirs in _GGUF_NAMES.items():
            matrix = weights[f"model.layers.{layer}.{ours}.weight"]
            heads = {"attn_q": HEADS, "attn_k": SHARED_HEADS}.get(theirs)
            kept = matrix if heads is None else _interleaved(matrix, heads)
            writer.add_tensor(f"blk.{layer}.{theirs}.weight", kept)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Run tiny matrices on one thread; handing them around costs more than they do."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny() -> Any:
    """Return the model whose weights the folder and the GGUF file hold."""
    return _model()


@pytest.fixture(scope="session")
def _saved(tmp_path_factory: pytest.TempPathFactory, tiny: Any) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    tiny.save_pretrained(folder / "model")
    _tokenizer().save_pretrained(folder / "model")
    _write_gguf(tiny, folder / "model.gguf")
    return folder


@pytest.fixture
def place(_saved: Path, tmp_path: Path) -> Path:
    """Return a folder of the test's own with the model in `model/` and `model.gguf`."""
    return Path(shutil.copytree(_saved, tmp_path / "place"))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty cache of the test's own, emptied again: converted models are large."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ISOGLOSS_CACHE", str(folder))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def load(place: Path) -> Callable[..., LocalModel]:
    """Return a loader of a model in `place`: `load("model", dtype=...)`."""

    def loaded(path: str = "model", **settings: Any) -> LocalModel:
        config = TransformersModel(backend="transformers", path=path, **settings)
        return load_model("tiny", config, {}, place)

    return loaded
