"""LoRA adapters made with peft, put into a model that stays a transformers model.

The adapter's product is computed beside each weight, x W' + s (x A') B', and is not merged into
W: merging rounds the sum to the format of W, which in bfloat16 loses most of a small adapter.
What peft would skip in silence is refused here.
"""

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from isogloss.errors import ModelError
from isogloss.models.identity import sha256_of_files
from isogloss.models.quiet import quiet

_CONFIG, _WEIGHTS, _PICKLE = "adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"
_PREFIX = "base_model.model."
"""What peft puts before a module's name when it saves the wrapped model."""

_USED = (
    "r",
    "lora_alpha",
    "target_modules",
    "exclude_modules",
    "fan_in_fan_out",
    "bias",
    "use_rslora",
    "use_dora",
    "lora_bias",
    "modules_to_save",
    "layers_to_transform",
    "layers_pattern",
    "rank_pattern",
    "alpha_pattern",
    "target_parameters",
    "trainable_token_indices",
    "ensure_weight_tying",
)
_OF_TRAINING = (
    "auto_mapping",
    "base_model_name_or_path",
    "corda_config",
    "eva_config",
    "inference_mode",
    "init_lora_weights",
    "lora_dropout",
    "lora_ga_config",
    "loftq_config",
    "megatron_core",
    "peft_type",
    "peft_version",
    "qalora_group_size",
    "revision",
    "runtime_config",
    "task_type",
)
"""Settings without a say in what a trained adapter computes. The base model's name is not looked
up: the adapter goes onto the model that the configuration names."""
_KEEPS_BASE = (True, False, None, "gaussian", "orthogonal", "eva")
"""Ways of beginning a training that leave the base model's weights as they are."""


class AdapterFolder:
    """A folder as peft saves it: settings and weights of one LoRA adapter."""

    def __init__(self, name: str, shown: str, folder: Path) -> None:
        """Refuse, with `ModelError`, what is no LoRA adapter in safetensors.

        `name` is the model's, `shown` the folder in the words of the configuration.
        """
        self._label = f"model {name}: adapter {shown}"
        self._folder = folder
        if not (folder / _CONFIG).is_file():
            raise self._error(f"has no {_CONFIG}; name the folder of a LoRA adapter")
        if not (folder / _WEIGHTS).is_file():
            pickle = f" ({_PICKLE} is a pickle, which is not read)"
            there = (folder / _PICKLE).is_file()
            raise self._error(f"has no {_WEIGHTS}{pickle if there else ''}; save it as safetensors")
        self._settings = self._checked_settings()

    @property
    def sha256(self) -> str:
        """SHA-256 over settings and weights."""
        return sha256_of_files([self._folder / _CONFIG, self._folder / _WEIGHTS])

    def put_into(self, model: Any) -> None:
        """Put the adapter into a model's modules; the model keeps its class.

        Raises `ModelError` unless every weight of the adapter finds its place, and every place
        that the adapter asks for gets its weights.
        """
        peft: Any = import_module("peft")
        try:
            weights = self._read_weights()
            with quiet():
                self._inject(peft, model, weights)
        except ModelError:
            raise
        except Exception as error:  # peft says in many ways that an adapter does not fit
            raise self._error(f"does not fit the model: {error}") from error

    def _inject(self, peft: Any, model: Any, weights: dict[str, torch.Tensor]) -> None:
        config = peft.LoraConfig(**self._settings, inference_mode=True)
        peft.inject_adapter_in_model(config, model)
        # As in peft's own loading, products of an adapter are computed in float32.
        peft.tuners.tuners_utils.cast_adapter_dtype(model, "default")
        self._refuse_misfits(_places(peft, model, weights), weights)
        peft.set_peft_model_state_dict(model, weights)
        held = _places(peft, model, weights)
        for key, tensor in weights.items():
            if not torch.equal(held[key], tensor.to(held[key].dtype)):
                raise self._error(f"does not fit the model: {key} was not taken up")

    def _read_weights(self) -> dict[str, torch.Tensor]:
        weights = load_file(self._folder / _WEIGHTS)
        for key, tensor in weights.items():
            if not tensor.isfinite().all():
                raise self._error(f"holds numbers that are not finite, in {key}")
        return {key.removeprefix(_PREFIX): tensor for key, tensor in weights.items()}

    def _refuse_misfits(
        self, places: Mapping[str, torch.Tensor], weights: Mapping[str, torch.Tensor]
    ) -> None:
        missing, unknown = sorted(places.keys() - weights), sorted(weights.keys() - places)
        if missing:
            raise self._error(f"has no weights for {missing[0]} ({len(missing)} such)")
        if unknown:
            raise self._error(f"has weights that fit no module: {unknown[0]} ({len(unknown)} such)")
        for key, tensor in weights.items():
            if tensor.shape != places[key].shape:
                shapes = f"{list(tensor.shape)} instead of {list(places[key].shape)}"
                raise self._error(f"does not fit the model: {key} has the shape {shapes}")

    def _checked_settings(self) -> dict[str, Any]:
        try:
            given = json.loads((self._folder / _CONFIG).read_text(encoding="utf-8"))
            kind = given["peft_type"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._error(f"has no readable {_CONFIG} ({error})") from error
        if kind != "LORA":
            raise self._error(f"is of the kind {kind}; only LORA adapters are read")
        if given.get("init_lora_weights") not in _KEEPS_BASE:
            raise self._error(
                f"was trained from {given['init_lora_weights']}, which changes the base model; "
                "let peft convert it to a plain LoRA adapter"
            )
        other = (key for key, value in given.items() if value and key not in _USED + _OF_TRAINING)
        for key in sorted(other):
            raise self._error(f"has the setting {key}, which is not supported")
        return {key: given[key] for key in _USED if given.get(key) is not None}

    def _error(self, fault: str) -> ModelError:
        return ModelError(f"{self._label} {fault}")


def _places(peft: Any, model: Any, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The adapter's own tensors in a model, and embeddings of the base that the file replaces."""
    own = peft.get_peft_model_state_dict(model, save_embedding_layers=False)
    ends = (model.get_input_embeddings(), model.get_output_embeddings())
    embeddings = {end.weight.data_ptr() for end in ends if end is not None}
    base = model.state_dict()
    replaced = (key for key in weights if key in base and base[key].data_ptr() in embeddings)
    return {**{key: base[key] for key in replaced}, **own}
