import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
import torch
import transformers
from pydantic import ValidationError
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    BartConfig,
    BertConfig,
    BertLMHeadModel,
    T5Config,
)

from isogloss.config.schema import TransformersModel
from isogloss.errors import ModelError
from isogloss.fetch import load_sources, locate
from isogloss.fetch.obtain import sha256_of
from isogloss.models.local import LocalModel, load_model

Load = Callable[..., LocalModel]

IDS = torch.tensor([[1, 5, 9, 100, 7, 259, 33]])
SAME_WEIGHTS = 1e-5
"""Absolute, in logits of size one to ten; equal fp32 weights, perhaps another order of sums."""


@torch.no_grad()
def _logits(model: Any, ids: torch.Tensor = IDS) -> torch.Tensor:
    logits: torch.Tensor = model(input_ids=ids).logits
    return logits


def _edit(path: Path, **changes: Any) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **changes}), encoding="utf-8")


# --- a folder -------------------------------------------------------------------------------------


def test_a_folder_is_loaded_as_it_is(load: Load, tiny: Any, place: Path) -> None:
    local = load()
    assert torch.equal(_logits(local.model), _logits(tiny))
    assert not local.model.training
    said = local.identity
    assert (said.name, said.backend, said.origin) == ("tiny", "transformers", "model")
    assert said.weights_sha256 == sha256_of(place / "model" / "model.safetensors")
    assert said.architecture == "LlamaForCausalLM"
    assert said.n_parameters == sum(p.numel() for p in tiny.parameters())
    assert said.dtype == "float32"
    assert said.transformers == transformers.__version__
    assert said.torch == torch.__version__
    assert said.default_system_message is None


def test_loading_twice_gives_one_digest_wherever_the_folder_is(load: Load, place: Path) -> None:
    first = load().identity
    shutil.copytree(place / "model", place / "elsewhere" / "copy")
    moved = load("elsewhere/copy").identity
    assert moved.digest == first.digest
    assert moved.origin == "elsewhere/copy"


def test_another_dtype_is_another_model(load: Load) -> None:
    whole, half = load(), load(dtype="bfloat16")
    assert half.model.dtype == torch.bfloat16
    assert half.identity.dtype == "bfloat16"
    assert half.identity.weights_sha256 == whole.identity.weights_sha256
    assert half.identity.digest != whole.identity.digest


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_computes_what_the_processor_does(device: str, load: Load) -> None:
    backend = {"cuda": torch.cuda, "mps": torch.backends.mps}[device]
    if not backend.is_available():
        pytest.skip(f"this machine has no {device} device")
    here, there = load(), load(device=device)
    with torch.no_grad():
        found = there.model(input_ids=IDS.to(device)).logits.cpu()
    assert torch.allclose(found, _logits(here.model), rtol=0, atol=1e-4)
    assert there.identity.digest == here.identity.digest
    assert there.identity.device == device
    assert there.running == here.running
    half = load(device=device, dtype="float16")
    assert half.model.dtype == torch.float16
    assert half.identity.digest != load(dtype="bfloat16").identity.digest


def test_float16_is_not_for_processors() -> None:
    with pytest.raises(ValidationError, match="float16 needs device cuda or mps"):
        TransformersModel(backend="transformers", path="x", dtype="float16")
    chosen = TransformersModel(backend="transformers", path="x", dtype="float16", device="mps")
    assert chosen.dtype == "float16"


@pytest.mark.parametrize(("given", "fits"), [(64, True), (63, False), (0, False), ("64", False)])
def test_memory_is_bounded_from_below(given: Any, fits: bool) -> None:
    if fits:
        model = TransformersModel(backend="transformers", path="x", memory_mb=given)
        assert model.memory_mb == given
    else:
        with pytest.raises(ValidationError, match="memory_mb"):
            TransformersModel(backend="transformers", path="x", memory_mb=given)


def test_a_loaded_model_says_how_it_may_be_run(load: Load) -> None:
    local = load()
    assert local.running.max_tokens == 128
    assert local.running.sharing.length == 128
    assert local.running.fallback.rows == "batched"
    assert local.render_options == {}


def _change_weights(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["lm_head.weight"][0, 0] += 1e-3
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _change_template(folder: Path) -> None:
    path = folder / "chat_template.jinja"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")


def _change_vocabulary(folder: Path) -> None:
    path = folder / "tokenizer.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["model"]["merges"] = []
    path.write_text(json.dumps(content), encoding="utf-8")


def _change_position_code(folder: Path) -> None:
    _edit(folder / "config.json", rope_parameters={"rope_theta": 500.0, "rope_type": "default"})


def _change_activation(folder: Path) -> None:
    _edit(folder / "config.json", hidden_act="gelu")


def _change_end_of_turn(folder: Path) -> None:
    _edit(folder / "generation_config.json", eos_token_id=[2, 7])


@pytest.mark.parametrize(
    "change",
    [
        _change_weights,
        _change_template,
        _change_vocabulary,
        _change_position_code,
        _change_activation,
        _change_end_of_turn,
    ],
)
def test_whatever_changes_the_answers_changes_the_digest(
    change: Callable[[Path], None], load: Load, place: Path
) -> None:
    before = load().identity.digest
    change(place / "model")
    assert load().identity.digest != before


def test_several_files_of_weights_are_one_identity(load: Load, tiny: Any, place: Path) -> None:
    folder = place / "model"
    (folder / "model.safetensors").unlink()
    tiny.save_pretrained(folder, max_shard_size="40KB")
    files = sorted(folder.glob("*.safetensors"))
    assert len(files) > 1
    local = load()
    assert torch.equal(_logits(local.model), _logits(tiny))
    before = local.identity.digest
    weights = load_file(files[-1])
    next(iter(weights.values())).add_(1e-3)
    save_file(weights, files[-1], metadata={"format": "pt"})
    assert load().identity.digest != before


@pytest.mark.parametrize("ends", [[2, 7], 7])
def test_all_tokens_that_end_a_reply_are_kept(ends: Any, load: Load, place: Path) -> None:
    _edit(place / "model" / "generation_config.json", eos_token_id=ends)
    assert load().model.generation_config.eos_token_id == ends


def test_a_vocabulary_may_be_padded_beyond_the_tokenizer(load: Load, place: Path) -> None:
    folder = place / "model"
    weights = load_file(folder / "model.safetensors")
    for key in ("model.embed_tokens.weight", "lm_head.weight"):
        weights[key] = torch.cat([weights[key], torch.zeros(28, weights[key].shape[1])])
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    size = len(weights["lm_head.weight"])
    _edit(folder / "config.json", vocab_size=size)
    local = load()
    assert _logits(local.model).shape[-1] == size == len(local.tokenizer) + 28


def _made_slow(folder: Path, **settings: Any) -> None:
    """Replace the tokenizer by one that has no fast backend."""
    for file in [*folder.glob("tokenizer*"), *folder.glob("special_tokens*")]:
        file.unlink()
    tokenizer = transformers.CTRLTokenizer(
        str(folder.parent / "vocabulary.json"), str(folder.parent / "merges.txt"), **settings
    )
    tokenizer.save_pretrained(folder)


def test_a_tokenizer_without_fast_backend_has_an_identity(load: Load, place: Path) -> None:
    folder = place / "model"
    vocabulary = {
        "<unk>": 0,
        **{
            f"{c}{e}": 2 * i + n + 1
            for i, c in enumerate("ab?")
            for n, e in enumerate(("", "</w>"))
        },
    }
    (place / "vocabulary.json").write_text(json.dumps(vocabulary))
    (place / "merges.txt").write_text("#version: 0.2\na b 1\n\n")
    _made_slow(folder)
    first = load()
    assert not first.tokenizer.is_fast
    shutil.copytree(folder, place / "elsewhere")
    assert load("elsewhere").identity.digest == first.identity.digest
    (place / "merges.txt").write_text("#version: 0.2\na b</w> 1\n\n")
    _made_slow(folder)
    assert load().identity.tokenizer_sha256 != first.identity.tokenizer_sha256
    _made_slow(place / "elsewhere", unk_token="b")
    assert load("elsewhere").identity.tokenizer_sha256 != first.identity.tokenizer_sha256


_BE_KIND = (
    "{% if messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}{% endif %}"
)


@pytest.mark.parametrize(("system", "message"), [(_BE_KIND, "Be kind."), ("", None)])
def test_a_templates_own_system_message_is_found(
    system: str, message: str | None, load: Load, place: Path
) -> None:
    path = place / "model" / "chat_template.jinja"
    path.write_text(system + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert load().identity.default_system_message == message


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no') }}"
        "{% endif %}{{ '<|im_start|>' + m['content'] }}{% endfor %}",
        "{% for m in messages %}{% if m['role'] != 'system' %}{{ '<|im_start|>' + m['content'] }}"
        "{% endif %}{% endfor %}",
    ],
)
def test_a_template_without_system_role_has_no_system_message(
    template: str, load: Load, place: Path
) -> None:
    (place / "model" / "chat_template.jinja").write_text(template, encoding="utf-8")
    assert load().identity.default_system_message is None


# --- folders that cannot be used ------------------------------------------------------------------


def test_a_missing_folder_is_named(load: Load) -> None:
    with pytest.raises(ModelError, match="model tiny: no folder or GGUF file at nowhere"):
        load("nowhere")
    with pytest.raises(ModelError, match=r"model tiny: no folder or GGUF file at nowhere\.gguf"):
        load("nowhere.gguf")


def test_a_model_without_chat_template_is_refused(load: Load, place: Path) -> None:
    (place / "model" / "chat_template.jinja").unlink()
    with pytest.raises(ModelError, match="model tiny: its tokenizer has no chat template"):
        load()


def test_pickles_are_refused_unread(load: Load, place: Path) -> None:
    folder = place / "model"
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(ModelError, match="no safetensors file in model; pickles are not read"):
        load()


def test_a_pickle_beside_other_safetensors_is_not_read(load: Load, tiny: Any, place: Path) -> None:
    folder = place / "model"
    (folder / "model.safetensors").rename(folder / "adapter.safetensors")
    torch.save(tiny.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="model tiny"):
        load()


@pytest.mark.parametrize("missing", ["lm_head.weight", "model.layers.1.mlp.up_proj.weight"])
def test_missing_weights_are_not_made_up(missing: str, load: Load, place: Path) -> None:
    path = place / "model" / "model.safetensors"
    weights = load_file(path)
    del weights[missing]
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match=f"model tiny.*{missing}"):
        load()


def test_weights_of_another_shape_are_not_made_up(load: Load, place: Path) -> None:
    _edit(place / "model" / "config.json", intermediate_size=48)
    with pytest.raises(ModelError, match="model tiny"):
        load()


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_weights_that_are_not_numbers_are_refused(
    value: float, dtype: str, load: Load, place: Path
) -> None:
    path = place / "model" / "model.safetensors"
    weights = load_file(path)
    weights["model.layers.1.mlp.up_proj.weight"][3, 4] = value
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match=rf"model tiny: .*1\.mlp\.up_proj.* finite in {dtype}"):
        load(dtype=dtype)


def test_large_weights_are_not_taken_for_infinite_ones(load: Load, place: Path) -> None:
    path = place / "model" / "model.safetensors"
    weights = load_file(path)
    weights["model.embed_tokens.weight"][200:210] = 3e38
    save_file(weights, path, metadata={"format": "pt"})
    assert load().model.model.embed_tokens.weight[200:210].min() > 2e38


@pytest.mark.parametrize(
    "config",
    [
        T5Config(d_model=16, d_ff=16, d_kv=8, num_layers=1, num_heads=2),
        BartConfig(d_model=16, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=16),
    ],
)
def test_an_encoder_with_a_decoder_is_refused(config: Any, load: Load, place: Path) -> None:
    config.save_pretrained(place / "model")
    kind = config.model_type
    with pytest.raises(ModelError, match=f"model tiny: {kind} is an encoder with a decoder"):
        load()


def test_a_model_that_looks_ahead_is_refused(load: Load, place: Path) -> None:
    config = BertConfig(
        vocab_size=260,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
    )
    BertLMHeadModel(config).save_pretrained(place / "model")
    with pytest.raises(ModelError, match="model tiny: BertLMHeadModel lets a token see those that"):
        load()


def test_code_from_the_folder_is_not_run(load: Load, place: Path) -> None:
    folder = place / "model"
    (folder / "own.py").write_text(f"open({str(place / 'ran')!r}, 'w')\n", encoding="utf-8")
    _edit(
        folder / "config.json",
        model_type="own-kind",
        auto_map={"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"},
    )
    with pytest.raises(ModelError, match="model tiny"):
        load()
    assert not (place / "ran").exists()


@pytest.mark.parametrize(
    "file", ["config.json", "tokenizer.json", "model.safetensors", "chat_template.jinja"]
)
@pytest.mark.parametrize("damage", ["truncated", "emptied"])
def test_a_damaged_file_is_an_error_with_the_models_name(
    file: str, damage: str, load: Load, place: Path
) -> None:
    path = place / "model" / file
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if damage == "truncated" else b"")
    with pytest.raises(ModelError, match="tiny"):
        load()


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has the device")
def test_a_device_that_is_not_here_is_refused(load: Load) -> None:
    with pytest.raises(ModelError, match="model tiny: device cuda is not available here; use cpu"):
        load(device="cuda")


def test_loading_leaves_the_librarys_notices_as_they_were(load: Load) -> None:
    before = transformers.logging.get_verbosity()
    load()
    with pytest.raises(ModelError):
        load("nowhere")
    assert transformers.logging.get_verbosity() == before
    assert transformers.logging.is_progress_bar_enabled()


# --- the hub --------------------------------------------------------------------------------------


def test_without_network_the_hub_model_says_what_to_do(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(place / "hub"))
    config = TransformersModel(backend="transformers", hub="someone/something", revision="0" * 40)
    with pytest.raises(ModelError) as caught:
        load_model("remote", config, {}, place)
    said = str(caught.value)
    assert said.startswith("model remote: someone/something at 0000000000")
    assert "connect to the network, or download it and give its folder as path" in said
    assert len(said) < 1000


@pytest.mark.parametrize("terminal", [True, False])
def test_bars_of_the_hub_are_for_a_terminal(
    terminal: bool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []

    def download(*_: object, **__: object) -> str:
        drawn.append(not huggingface_hub.utils.are_progress_bars_disabled())
        return str(place / "nowhere")

    huggingface_hub.utils.enable_progress_bars()
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    config = TransformersModel(backend="transformers", hub="someone/something", revision="0" * 40)
    try:
        with pytest.raises(ModelError, match="no safetensors file"):
            load_model("remote", config, {}, place)
    finally:
        huggingface_hub.utils.enable_progress_bars()
    assert drawn == [terminal]


# --- GGUF -----------------------------------------------------------------------------------------


def test_a_gguf_file_is_converted_without_loss(
    load: Load, tiny: Any, place: Path, cache: Path
) -> None:
    local = load("model.gguf")
    assert torch.allclose(_logits(local.model), _logits(tiny), rtol=0, atol=SAME_WEIGHTS)
    folder = load("model")
    for text in ("ab abc\n 10é", "<|im_start|>user\nab<|im_end|>\n"):
        ids = [x.tokenizer(text, add_special_tokens=False)["input_ids"] for x in (local, folder)]
        assert ids[0] == ids[1]
    assert local.tokenizer.chat_template == folder.tokenizer.chat_template
    assert local.identity.weights_sha256 == sha256_of(place / "model.gguf")
    assert local.identity.origin == "model.gguf"


def _converted(cache: Path) -> Path:
    (folder,) = (f for f in (cache / "converted").iterdir())
    assert not folder.name.startswith(".partial")
    return folder


def test_a_gguf_file_is_converted_once(load: Load, cache: Path) -> None:
    first = load("model.gguf")
    stamps = {f.name: f.stat().st_mtime_ns for f in _converted(cache).iterdir()}
    time.sleep(0.01)
    again = load("model.gguf")
    assert {f.name: f.stat().st_mtime_ns for f in _converted(cache).iterdir()} == stamps
    assert again.identity == first.identity


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    before = path.stat()
    path.write_bytes(bytes(content))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a flipped bit": lambda folder: _flip(folder / "model.safetensors"),
    "a shorter file": lambda folder: os.truncate(folder / "model.safetensors", 1000),
    "a missing file": lambda folder: (folder / "tokenizer.json").unlink(),
    "an edited setting": lambda folder: _edit(folder / "config.json", hidden_act="gelu"),
    "no list of files": lambda folder: (folder / "complete.json").unlink(),
    "half a list of files": lambda folder: os.truncate(folder / "complete.json", 30),
    "an empty list of files": lambda folder: (folder / "complete.json").write_text("{}"),
    "another kind of list": lambda folder: (folder / "complete.json").write_text("[]"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_conversion_is_made_again(
    damage: str, load: Load, tiny: Any, cache: Path
) -> None:
    load("model.gguf")
    folder = _converted(cache)
    names = sorted(file.name for file in folder.iterdir())
    DAMAGE[damage](folder)
    if damage == "an empty list of files":
        _flip(folder / "model.safetensors")
    local = load("model.gguf")
    assert torch.allclose(_logits(local.model), _logits(tiny), rtol=0, atol=SAME_WEIGHTS)
    assert sorted(file.name for file in _converted(cache).iterdir()) == names


def test_another_gguf_file_is_another_model(load: Load, place: Path, cache: Path) -> None:
    first = load("model.gguf").identity
    _flip(place / "model.gguf")
    second = load("model.gguf").identity
    assert second.digest != first.digest
    assert len(list((cache / "converted").iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"GGUF", b"not a model\n" * 50])
def test_a_file_that_is_no_gguf_is_refused_and_leaves_nothing(
    content: bytes, load: Load, place: Path, cache: Path
) -> None:
    (place / "broken.gguf").write_bytes(content)
    with pytest.raises(ModelError, match=r"tiny.*broken\.gguf"):
        load("broken.gguf")
    left = cache / "converted"
    assert not left.exists() or list(left.iterdir()) == []


# --- the default model ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_default_model_is_what_its_gguf_file_says(
    project: Path, place: Path, cache: Path
) -> None:
    sources = load_sources(project / "data" / "sources.yaml")
    source = "smollm2-135m-instruct-q4_1"
    config = TransformersModel(backend="transformers", source=source)
    local = load_model("smollm2", config, sources, project)
    (place / "direct").mkdir()
    file = place / "direct" / "model.gguf"
    file.symlink_to(locate(source, sources[source], project).path)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": "Rate from 1 to 10: isn't it so?\n\n é"}], tokenize=False
    )
    assert local.tokenizer.chat_template == tokenizer.chat_template
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert local.tokenizer(text, add_special_tokens=False)["input_ids"] == ids
    direct = AutoModelForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, dtype=torch.float32
    ).eval()
    batch = torch.tensor([ids])
    # Logits reach about 30 here.
    assert torch.allclose(
        _logits(local.model, batch), _logits(direct, batch), rtol=0, atol=10 * SAME_WEIGHTS
    )
    assert local.identity.weights_sha256 == sources[source].sha256
