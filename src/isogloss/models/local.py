"""Load a causal language model through transformers and say what it is."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoModelForCausalLM, AutoTokenizer

from isogloss.config.schema import TransformersModel
from isogloss.errors import ModelError
from isogloss.fetch import Source, locate, source_named
from isogloss.fetch.obtain import cache_dir, sha256_of
from isogloss.models.attention import full_attention_length
from isogloss.models.identity import ModelIdentity

_PROBE = [{"role": "user", "content": "?"}]
_COMPLETE = "complete.json"


@dataclass(frozen=True)
class LocalModel:
    """A loaded model, its tokenizer and its identity."""

    model: Any
    tokenizer: Any
    identity: ModelIdentity
    max_tokens: int
    """Most tokens of a prompt with its answer; see `full_attention_length`."""


@dataclass(frozen=True)
class _Weights:
    folder: Path | str
    """Folder with safetensors and tokenizer, or a hub id."""
    revision: str | None
    origin: str
    sha256: str
    settings_sha256: str | None


def load_model(
    name: str, config: TransformersModel, sources: dict[str, Source], project: Path
) -> LocalModel:
    """Load a model for inference on its configured device and dtype.

    Raises `ModelError` naming the model and the remedy when it cannot be found, lacks weights, has
    no chat template, would need remote code, or keeps a state that prompts cannot share.
    """
    weights = _find(name, config, sources, project)
    options = {"revision": weights.revision, "trust_remote_code": False}
    try:
        with _quiet():
            tokenizer = AutoTokenizer.from_pretrained(weights.folder, **options)
            model, info = AutoModelForCausalLM.from_pretrained(
                weights.folder,
                dtype=getattr(torch, config.dtype),
                use_safetensors=True,
                output_loading_info=True,
                **options,
            )
    except Exception as error:  # each kind of file raises an error class of its own
        raise ModelError(f"model {name} cannot be loaded from {weights.origin}: {error}") from error
    _refuse_gaps(name, info)
    _try_template(name, tokenizer)
    model = model.to(_device(name, config.device)).eval()
    identity = _identity(name, config, weights, model, tokenizer)
    return LocalModel(model, tokenizer, identity, full_attention_length(name, model))


def _refuse_gaps(name: str, info: dict[str, Any]) -> None:
    """Raise `ModelError` when weights are missing, which would be filled with random numbers."""
    gaps = sorted(str(key) for kind in ("missing_keys", "mismatched_keys") for key in info[kind])
    if gaps:
        raise ModelError(
            f"model {name}: its files have no fitting weights for {gaps[0]} "
            f"({len(gaps)} such); use a complete checkpoint of a causal language model"
        )


def _try_template(name: str, tokenizer: Any) -> None:
    if not tokenizer.chat_template:
        raise ModelError(f"model {name}: its tokenizer has no chat template; use a chat model")
    try:
        tokenizer.apply_chat_template(_PROBE, tokenize=False)
    except Exception as error:  # templates raise an error class of their own
        raise ModelError(f"model {name}: its chat template cannot be used: {error}") from error


def _find(
    name: str, config: TransformersModel, sources: dict[str, Source], project: Path
) -> _Weights:
    if config.source is not None:
        located = locate(config.source, source_named(sources, config.source), project)
        return _from_gguf(name, located.path, f"source {config.source}")
    if config.path is not None:
        path = project / config.path
        if path.is_file() and path.suffix == ".gguf":
            return _from_gguf(name, path, config.path)
        if not path.is_dir():
            raise ModelError(f"model {name}: no folder or GGUF file at {config.path}")
        return _from_folder(name, path, None, config.path)
    return _from_hub(name, str(config.hub), str(config.revision))


def _from_hub(name: str, repository: str, revision: str) -> _Weights:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    wanted = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
    try:
        folder = snapshot_download(repository, revision=revision, allow_patterns=wanted)
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        raise ModelError(
            f"model {name}: {repository} at {revision} cannot be had from the hub ({error}); "
            "connect to the network, or download it and give its folder as path"
        ) from error
    return _from_folder(name, Path(folder), None, f"{repository}@{revision}")


def _from_folder(name: str, folder: Path, revision: str | None, origin: str) -> _Weights:
    settings = [folder / file for file in ("config.json", "generation_config.json")]
    listed = _sha256_of_files([file for file in settings if file.is_file()])
    return _Weights(folder, revision, origin, _sha256_of_folder(name, folder), listed)


def _sha256_of_folder(name: str, folder: Path) -> str:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(
            f"model {name}: no safetensors file in {folder.name}; pickles are not read"
        )
    if len(files) == 1:
        return sha256_of(files[0])
    return _sha256_of_files(files)


def _sha256_of_files(files: list[Path]) -> str:
    return _sha256_of_text("".join(f"{file.name} {sha256_of(file)}\n" for file in files))


def _from_gguf(name: str, path: Path, origin: str) -> _Weights:
    """Convert a GGUF file once to safetensors in the cache; the identity stays the GGUF's hash."""
    digest = sha256_of(path)
    folder = cache_dir() / "converted" / f"{digest}-transformers-{transformers.__version__}"
    if not _is_complete(folder):
        try:
            _convert_gguf(name, path, folder)
        except ModelError:
            raise
        except Exception as error:  # the reader of the format raises what it comes across
            raise ModelError(f"model {name}: {origin} cannot be converted: {error}") from error
    return _Weights(folder, None, origin, digest, None)


def _is_complete(folder: Path) -> bool:
    try:
        recorded = json.loads((folder / _COMPLETE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(recorded, dict) or "config.json" not in recorded:
        return False
    return all((folder / n).is_file() and sha256_of(folder / n) == h for n, h in recorded.items())


def _convert_gguf(name: str, path: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".partial-") as temporary:
        link = Path(temporary) / "model.gguf"
        link.symlink_to(path.resolve())
        out = Path(temporary) / "out"
        with _quiet():
            tokenizer = AutoTokenizer.from_pretrained(temporary, gguf_file=link.name)
            model, info = AutoModelForCausalLM.from_pretrained(
                temporary, gguf_file=link.name, dtype=torch.float32, output_loading_info=True
            )
            _refuse_gaps(name, info)
            _forget_quantisation(model)
            model.save_pretrained(out)
            tokenizer.save_pretrained(out)
        hashes = {file.name: sha256_of(file) for file in sorted(out.iterdir())}
        (out / _COMPLETE).write_text(json.dumps(hashes, indent=1), encoding="utf-8")
        if not _is_complete(folder):  # another process may have been faster and be reading it
            shutil.rmtree(folder, ignore_errors=True)
            out.replace(folder)


def _forget_quantisation(model: Any) -> None:
    """Drop the marks of the GGUF reader; the weights are plain floats by now."""
    for holder, mark in ((model, "hf_quantizer"), (model.config, "quantization_config")):
        if hasattr(holder, mark):
            delattr(holder, mark)
    model.is_quantized = False


def _device(name: str, wanted: str) -> str:
    available = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if not available[wanted]:
        raise ModelError(f"model {name}: device {wanted} is not available here; use cpu")
    return wanted


def _identity(
    name: str, config: TransformersModel, weights: _Weights, model: Any, tokenizer: Any
) -> ModelIdentity:
    serialised = tokenizer.backend_tokenizer.to_str() if tokenizer.is_fast else str(tokenizer)
    return ModelIdentity(
        name=name,
        backend=config.backend,
        origin=weights.origin,
        weights_sha256=weights.sha256,
        tokenizer_sha256=_sha256_of_text(serialised),
        chat_template_sha256=_sha256_of_text(str(tokenizer.chat_template)),
        default_system_message=_default_system_message(tokenizer),
        architecture=type(model).__name__,
        n_parameters=sum(p.numel() for p in model.parameters()),
        dtype=config.dtype,
        transformers=transformers.__version__,
        torch=torch.__version__,
        settings_sha256=weights.settings_sha256,
    )


def _default_system_message(tokenizer: Any) -> str | None:
    """Text that the template puts before the first user message, with its role marks."""
    shown = str(tokenizer.apply_chat_template(_PROBE, tokenize=False))
    explicit = [{"role": "system", "content": "\x1a"}, *_PROBE]
    try:
        marked = str(tokenizer.apply_chat_template(explicit, tokenize=False))
    except Exception:  # templates refuse a system role with an error class of their own
        return None
    before, _, after = marked.partition("\x1a")
    if shown.startswith(before) and shown.endswith(after) and len(shown) > len(before + after):
        return shown[len(before) : len(shown) - len(after)]
    return None


def _sha256_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's own loading bars and notices off the terminal."""
    before: Iterable[Any] = (
        transformers.logging.get_verbosity(),
        transformers.logging.is_progress_bar_enabled(),
    )
    verbosity, bars = before
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers.logging.set_verbosity(verbosity)
        if bars:
            transformers.logging.enable_progress_bar()
