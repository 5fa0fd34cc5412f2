"""Adapters against W + s B A, computed here from the files that the tests write themselves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peft
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2Config

from isogloss.errors import ModelError
from isogloss.models.local import LocalModel

Load = Callable[..., LocalModel]

IDS = torch.tensor([[1, 5, 9, 100, 7, 259, 33]])
SAME = 1e-5
"""Absolute, in logits of size one to ten; the same products in another order."""

RANK, ALPHA = 3, 6.0
QUERY, DOWN = "self_attn.q_proj", "mlp.down_proj"


@torch.no_grad()
def _logits(model: Any) -> torch.Tensor:
    logits: torch.Tensor = model(input_ids=IDS).logits
    return logits


def _factors(tiny: Any, modules: tuple[str, ...] = (QUERY, DOWN)) -> dict[str, torch.Tensor]:
    """Random A and B of some modules of every layer, under the names that peft gives them."""
    generator = torch.Generator().manual_seed(1)
    factors = {}
    for name, module in tiny.named_modules():
        if name.endswith(modules):
            rows, columns = module.weight.shape
            shapes = {"A": (RANK, columns), "B": (rows, RANK)}
            for letter, shape in shapes.items():
                key = f"base_model.model.{name}.lora_{letter}.weight"
                factors[key] = 0.3 * torch.randn(shape, generator=generator)
    return factors


def _write(place: Path, factors: dict[str, torch.Tensor], **settings: Any) -> Path:
    folder = place / "adapter"
    folder.mkdir()
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": "someone/something-that-is-not-here",
        "r": RANK,
        "lora_alpha": ALPHA,
        "target_modules": ["q_proj", "down_proj"],
        "lora_dropout": 0.5,
        **settings,
    }
    (folder / "adapter_config.json").write_text(json.dumps(config))
    save_file({k: v.contiguous() for k, v in factors.items()}, folder / "adapter_model.safetensors")
    return folder


def _by_hand(place: Path, factors: dict[str, torch.Tensor], scale: float) -> Any:
    """The model in `place` with W + scale B A in place of W."""
    model = AutoModelForCausalLM.from_pretrained(place / "model", dtype=torch.float32).eval()
    for key, a in factors.items():
        if key.endswith("lora_A.weight"):
            module = model.get_submodule(
                key.removeprefix("base_model.model.").removesuffix(".lora_A.weight")
            )
            b = factors[key.replace("lora_A", "lora_B")]
            module.weight.data += scale * (b @ a)
    return model


@pytest.mark.parametrize(
    ("settings", "scale"),
    [({}, ALPHA / RANK), ({"use_rslora": True}, ALPHA / RANK**0.5), ({"lora_alpha": 1}, 1 / RANK)],
)
def test_an_adapter_adds_its_scaled_product(
    settings: dict[str, Any], scale: float, load: Load, place: Path, tiny: Any
) -> None:
    factors = _factors(tiny)
    _write(place, factors, **settings)
    local = load(adapter="adapter")
    wanted = _logits(_by_hand(place, factors, scale))
    assert torch.allclose(_logits(local.model), wanted, rtol=0, atol=SAME)
    assert not torch.allclose(wanted, _logits(load().model), rtol=0, atol=0.1)


def test_a_model_with_an_adapter_is_still_a_transformers_model(
    load: Load, place: Path, tiny: Any
) -> None:
    _write(place, _factors(tiny))
    local, plain = load(adapter="adapter"), load()
    assert type(local.model) is type(plain.model)
    assert local.running == plain.running
    assert local.model.generation_config.eos_token_id == 2
    before = _logits(local.model)
    local.model.set_attn_implementation("eager")
    assert torch.allclose(_logits(local.model), before, rtol=0, atol=SAME)
    assert not any(weights.requires_grad for weights in local.model.parameters())
    assert not local.model.training


def test_an_adapter_is_part_of_the_identity(load: Load, place: Path, tiny: Any) -> None:
    folder = _write(place, _factors(tiny))
    plain, first = load().identity, load(adapter="adapter").identity
    assert plain.adapter_sha256 is None
    assert first.weights_sha256 == plain.weights_sha256
    assert first.digest != plain.digest
    assert first.architecture == plain.architecture
    config = folder / "adapter_config.json"
    config.write_text(config.read_text().replace('"lora_alpha": 6.0', '"lora_alpha": 7.0'))
    second = load(adapter="adapter").identity
    weights = load_file(folder / "adapter_model.safetensors")
    next(iter(weights.values())).add_(1e-3)
    save_file(weights, folder / "adapter_model.safetensors")
    third = load(adapter="adapter").identity
    assert len({plain.digest, first.digest, second.digest, third.digest}) == 4


def test_in_bfloat16_a_small_adapter_is_not_rounded_away(
    load: Load, place: Path, tiny: Any
) -> None:
    """The products 0.001 B A are smaller than a step of bfloat16 at most of the weights."""
    factors = _factors(tiny)
    _write(place, factors, lora_alpha=0.001 * RANK)
    local = load(adapter="adapter", dtype="bfloat16")
    query = local.model.model.layers[0].self_attn.q_proj
    x = torch.randn(50, query.in_features, generator=torch.Generator().manual_seed(0))
    key = f"base_model.model.model.layers.0.{QUERY}.lora_A.weight"
    a, b = factors[key], factors[key.replace("lora_A", "lora_B")]
    with torch.no_grad():
        added = query.lora_B["default"](query.lora_A["default"](x)) * query.scaling["default"]
    assert torch.allclose(added, 0.001 * x @ a.T @ b.T, rtol=0, atol=1e-6)
    assert query.base_layer.weight.dtype == torch.bfloat16


@pytest.mark.parametrize(
    "settings",
    [
        {"target_modules": ["q_proj"], "modules_to_save": ["lm_head"]},
        {"target_modules": ["q_proj", "embed_tokens"]},
        {"target_modules": "all-linear", "use_dora": True},
        {"target_modules": ["q_proj"], "lora_bias": True},
        {"target_modules": ["q_proj"], "trainable_token_indices": [1, 5]},
        {"target_modules": ["q_proj"], "rank_pattern": {"layers.1.self_attn.q_proj": 5}},
        {"target_modules": ["q_proj"], "layers_to_transform": [1]},
    ],
)
@pytest.mark.filterwarnings("ignore")  # peft and transformers warn of each other's novelties
def test_what_peft_saves_is_what_is_loaded(
    settings: dict[str, Any], load: Load, place: Path
) -> None:
    base = AutoModelForCausalLM.from_pretrained(place / "model", dtype=torch.float32)
    config = peft.LoraConfig(r=RANK, lora_alpha=ALPHA, init_lora_weights=False, **settings)
    trained = peft.get_peft_model(base, config)
    torch.manual_seed(2)
    with torch.no_grad():
        for weights in trained.parameters():
            if weights.requires_grad:
                weights.add_(0.1 * torch.randn_like(weights))
    trained.save_pretrained(place / "adapter")
    found = _logits(load(adapter="adapter").model)
    assert torch.allclose(found, _logits(trained.eval()), rtol=0, atol=SAME)
    assert not torch.allclose(found, _logits(load().model), rtol=0, atol=0.05)


def test_an_adapter_of_transposed_weights(load: Load, place: Path) -> None:
    """GPT-2 keeps its matrices the other way round."""
    tokens = len(AutoTokenizer.from_pretrained(place / "model"))
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=tokens, n_embd=32, n_layer=2, n_head=4, n_positions=64)
    model = AutoModelForCausalLM.from_config(config).eval()
    model.save_pretrained(place / "model")
    generator = torch.Generator().manual_seed(1)
    key = "base_model.model.transformer.h.{}.attn.c_attn.lora_{}.weight"
    factors = {
        key.format(layer, letter): torch.randn(shape, generator=generator)
        for layer in (0, 1)
        for letter, shape in {"A": (RANK, 32), "B": (96, RANK)}.items()
    }
    _write(place, factors, target_modules=["c_attn"])
    for layer in (0, 1):
        a, b = (factors[key.format(layer, letter)] for letter in "AB")
        model.transformer.h[layer].attn.c_attn.weight.data += ALPHA / RANK * (b @ a).T
    found = _logits(load(adapter="adapter").model)
    assert torch.allclose(found, _logits(model), rtol=0, atol=SAME)


# --- adapters that cannot be used -----------------------------------------------------------------

_FIRST = f"base_model.model.model.layers.0.{QUERY}.lora_A.weight"


def _without_one(factors: dict[str, torch.Tensor]) -> None:
    del factors[_FIRST]


def _with_one_more(factors: dict[str, torch.Tensor]) -> None:
    factors["base_model.model.model.layers.9.self_attn.q_proj.lora_A.weight"] = torch.ones(RANK, 32)


def _under_another_name(factors: dict[str, torch.Tensor]) -> None:
    factors[_FIRST.replace("layers", "blocks")] = factors.pop(_FIRST)


def _of_another_rank(factors: dict[str, torch.Tensor]) -> None:
    factors[_FIRST] = torch.ones(RANK + 1, 32)


def _of_another_size(factors: dict[str, torch.Tensor]) -> None:
    factors[_FIRST] = torch.ones(RANK, 31)


def _with_a_weight_of_the_base(factors: dict[str, torch.Tensor]) -> None:
    factors["base_model.model.model.layers.0.self_attn.k_proj.weight"] = torch.ones(16, 32)


def _not_a_number(factors: dict[str, torch.Tensor]) -> None:
    factors[_FIRST][0, 0] = torch.nan


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_without_one, r"has no weights for model\.layers\.0\.self_attn\.q_proj\.lora_A"),
        (_with_one_more, r"weights that fit no module: model\.layers\.9"),
        (_under_another_name, r"has no weights for model\.layers\.0\.self_attn\.q_proj\.lora_A"),
        (_of_another_rank, r"has the shape \[4, 32\] instead of \[3, 32\]"),
        (_of_another_size, r"has the shape \[3, 31\] instead of \[3, 32\]"),
        (_with_a_weight_of_the_base, r"weights that fit no module: .*k_proj"),
        (_not_a_number, "not finite, in .*q_proj"),
    ],
)
def test_an_adapter_that_does_not_fit_is_refused(
    spoil: Callable[[dict[str, torch.Tensor]], None],
    said: str,
    load: Load,
    place: Path,
    tiny: Any,
) -> None:
    factors = _factors(tiny)
    spoil(factors)
    _write(place, factors)
    with pytest.raises(ModelError, match=f"model tiny: adapter adapter .*{said}"):
        load(adapter="adapter")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"target_modules": ["c_attn"]}, "does not fit the model: .*c_attn"),
        ({"target_modules": ["q_proj"]}, "fit no module: .*down_proj"),
        ({"modules_to_save": ["lm_head"]}, r"has no weights for lm_head\.weight"),
        ({"peft_type": "PREFIX_TUNING"}, "kind PREFIX_TUNING; only LORA"),
        ({"peft_type": "IA3"}, "kind IA3; only LORA"),
        ({"init_lora_weights": "pissa"}, "trained from pissa, which changes the base model"),
        ({"init_lora_weights": "olora"}, "trained from olora, which changes the base model"),
        ({"alora_invocation_tokens": [1, 2]}, "alora_invocation_tokens, which is not supported"),
        ({"layer_replication": [[0, 1], [0, 2]]}, "layer_replication, which is not supported"),
        ({"from_a_later_version": 3}, "from_a_later_version, which is not supported"),
        ({"r": 0}, "does not fit the model"),
        ({"r": "many"}, "does not fit the model"),
    ],
)
def test_settings_that_would_be_skipped_in_silence_are_refused(
    settings: dict[str, Any], said: str, load: Load, place: Path, tiny: Any
) -> None:
    _write(place, _factors(tiny), **settings)
    with pytest.raises(ModelError, match=f"model tiny: adapter adapter .*{said}"):
        load(adapter="adapter")


def _pickled(folder: Path) -> None:
    (folder / "adapter_model.safetensors").unlink()
    (folder / "adapter_model.bin").write_bytes(b"cos\nsystem\n(S'false'\ntR.")


def _half(folder: Path) -> None:
    path = folder / "adapter_model.safetensors"
    path.write_bytes(path.read_bytes()[:200])


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_pickled, r"no adapter_model\.safetensors \(adapter_model\.bin is a pickle"),
        (lambda f: (f / "adapter_model.safetensors").unlink(), r"no adapter_model\.safetensors; "),
        (lambda f: (f / "adapter_config.json").unlink(), r"has no adapter_config\.json; name"),
        (
            lambda f: (f / "adapter_config.json").write_text("{"),
            r"no readable adapter_config\.json",
        ),
        (lambda f: (f / "adapter_config.json").write_text("[]"), r"no readable adapter_config"),
        (_half, "does not fit the model"),
    ],
)
def test_a_folder_without_a_readable_adapter_is_refused(
    spoil: Callable[[Path], object], said: str, load: Load, place: Path, tiny: Any
) -> None:
    spoil(_write(place, _factors(tiny)))
    with pytest.raises(ModelError, match=f"model tiny: adapter adapter .*{said}"):
        load(adapter="adapter")
    with pytest.raises(ModelError, match=r"adapter nowhere has no adapter_config\.json"):
        load(adapter="nowhere")
