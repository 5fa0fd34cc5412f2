"""Load a causal language model through transformers and say what it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from isogloss.config.schema import TransformersModel
from isogloss.errors import ModelError
from isogloss.fetch import Source
from isogloss.models.adapter import AdapterFolder
from isogloss.models.attention import Running, how_to_run
from isogloss.models.checks import refuse_gaps, refuse_not_finite, refuse_short_products
from isogloss.models.identity import ModelIdentity, sha256_of_files, sha256_of_text
from isogloss.models.quiet import quiet
from isogloss.models.rope import forget_texts, is_dynamic, rope_settings
from isogloss.models.template import check_template, default_system_message, options_for
from isogloss.models.weights import Weights, find_weights


@dataclass(frozen=True)
class LocalModel:
    """A loaded model, its tokenizer, its identity and how it may be run."""

    model: Any
    tokenizer: Any
    identity: ModelIdentity
    running: Running
    render_options: Mapping[str, Any] = field(default_factory=dict)
    """What `apply_chat_template` must be given, so that a template prints the configured date."""


def load_model(
    name: str, config: TransformersModel, sources: dict[str, Source], project: Path
) -> LocalModel:
    """Load a model for inference on its configured device and dtype.

    Raises `ModelError` naming the model and the remedy when it cannot be found, lacks weights or
    holds some that are not finite, has no chat template, would need remote code, is not a causal
    decoder, or does not fit its adapter; and when the device cuts
    float32 matrices short before it multiplies them.
    """
    device = _device(name, config.device)
    weights = find_weights(name, config, sources, project)
    adapter = None
    if config.adapter is not None:
        adapter = AdapterFolder(name, config.adapter, project / config.adapter)
    tokenizer, model = _read(name, config, weights)
    check_template(name, tokenizer)
    refuse_not_finite(name, model)
    if adapter is not None:
        adapter.put_into(model)
    if config.dtype == "float32":
        torch.backends.cudnn.allow_tf32 = False  # torch lets convolutions be cut short by default
        refuse_short_products(name, device)
    model = model.to(device).eval().requires_grad_(False)
    if any(map(is_dynamic, rope_settings(model.config.get_text_config(decoder=True)))):
        forget_texts(model)
    options = options_for(tokenizer, config.date)
    identity = ModelIdentity(
        name=name,
        backend=config.backend,
        origin=weights.origin,
        weights_sha256=weights.sha256,
        tokenizer_sha256=sha256_of_text(serialised(tokenizer, weights.folder)),
        chat_template_sha256=sha256_of_text(str(tokenizer.chat_template)),
        default_system_message=default_system_message(tokenizer, options),
        architecture=type(model).__name__,
        n_parameters=sum(p.numel() for p in model.parameters()),
        dtype=config.dtype,
        transformers=transformers.__version__,
        torch=torch.__version__,
        settings_sha256=weights.settings_sha256,
        adapter_sha256=None if adapter is None else adapter.sha256,
        date=config.date.isoformat() if options else None,
        device=config.device,
    )
    return LocalModel(model, tokenizer, identity, how_to_run(name, model, tokenizer), options)


def _read(name: str, config: TransformersModel, weights: Weights) -> tuple[Any, Any]:
    """Tokenizer and model as the files say, on the CPU."""
    try:
        with quiet():
            found = AutoConfig.from_pretrained(weights.folder, trust_remote_code=False)
            if found.is_encoder_decoder:
                raise ModelError(
                    f"model {name}: {found.model_type} is an encoder with a decoder; "
                    "use a causal language model"
                )
            tokenizer = AutoTokenizer.from_pretrained(weights.folder, trust_remote_code=False)
            model, info = AutoModelForCausalLM.from_pretrained(
                weights.folder,
                dtype=getattr(torch, config.dtype),
                use_safetensors=True,
                output_loading_info=True,
                trust_remote_code=False,
            )
    except ModelError:
        raise
    except Exception as error:  # each kind of file raises an error class of its own
        raise ModelError(f"model {name} cannot be loaded from {weights.origin}: {error}") from error
    refuse_gaps(name, info)
    return tokenizer, model


def _device(name: str, wanted: str) -> str:
    available = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if not available[wanted]:
        raise ModelError(f"model {name}: device {wanted} is not available here; use cpu")
    return wanted


def serialised(tokenizer: Any, folder: Path) -> str:
    """All that makes a tokenizer what it is, as a text; without a fast backend, with its files."""
    if tokenizer.is_fast:
        return str(tokenizer.backend_tokenizer.to_str())
    places = (folder / file for file in sorted(tokenizer.vocab_files_names.values()))
    parts = {
        "class": type(tokenizer).__name__,
        "vocabulary": tokenizer.get_vocab(),
        "added": {i: repr(token) for i, token in tokenizer.added_tokens_decoder.items()},
        "special": tokenizer.special_tokens_map,
        "files": sha256_of_files([place for place in places if place.is_file()]),
    }
    return json.dumps(parts, sort_keys=True, default=repr)
