"""GGUF files, converted once to safetensors in the cache."""

import json
import shutil
from pathlib import Path
from typing import Any

import torch
import transformers
from filelock import FileLock
from transformers import AutoModelForCausalLM, AutoTokenizer

from isogloss.errors import ModelError
from isogloss.fetch.obtain import cache_dir, sha256_of
from isogloss.models.checks import refuse_gaps
from isogloss.models.quiet import quiet

_COMPLETE = "complete.json"


def converted(name: str, path: Path, origin: str, sha256: str) -> Path:
    """Return the folder with the converted model, made by one process while others wait.

    Raises `ModelError` when the file cannot be converted.
    """
    key = f"{sha256}-transformers-{transformers.__version__}"
    folder = cache_dir() / "converted" / key
    # The operating system gives the lock up when its holder ends, however it ends.
    lock = cache_dir() / "locks" / f"{key}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock):
        if not _is_complete(folder):
            try:
                _convert(name, path, folder)
            except ModelError:
                raise
            except Exception as error:  # the reader of the format raises what it comes across
                raise ModelError(f"model {name}: {origin} cannot be converted: {error}") from error
    return folder


def _is_complete(folder: Path) -> bool:
    try:
        recorded = json.loads((folder / _COMPLETE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(recorded, dict) or "config.json" not in recorded:
        return False
    return all((folder / n).is_file() and sha256_of(folder / n) == h for n, h in recorded.items())


def _convert(name: str, path: Path, folder: Path) -> None:
    """Make the folder whole or not at all; what a killed conversion left is cleared away."""
    partial = folder.parent / f".partial-{folder.name}"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        (partial / "model.gguf").symlink_to(path.resolve())
        _write(name, partial / "model.gguf", partial / "out")
        shutil.rmtree(folder, ignore_errors=True)
        (partial / "out").replace(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(name: str, gguf: Path, out: Path) -> None:
    with quiet():
        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
        model, info = AutoModelForCausalLM.from_pretrained(
            gguf.parent, gguf_file=gguf.name, dtype=torch.float32, output_loading_info=True
        )
        refuse_gaps(name, info)
        _forget_quantisation(model)
        model.save_pretrained(out)
        tokenizer.save_pretrained(out)
    hashes = {file.name: sha256_of(file) for file in sorted(out.iterdir())}
    (out / _COMPLETE).write_text(json.dumps(hashes, indent=1), encoding="utf-8")


def _forget_quantisation(model: Any) -> None:
    """Drop the marks of the GGUF reader; the weights are plain floats by now."""
    for holder, mark in ((model, "hf_quantizer"), (model.config, "quantization_config")):
        if hasattr(holder, mark):
            delattr(holder, mark)
    model.is_quantized = False
