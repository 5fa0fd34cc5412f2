"""Short runs of a model that show how it computes: a dozen tokens, a few milliseconds.

What a model's configuration says is believed only as far as these runs agree with it.
"""

from dataclasses import dataclass, field
from typing import Any

import torch

from isogloss.models.attending import Asked, attending

_START = 3
_STEM, _BRANCH = 6, 3
"""The runs are about a text of six tokens, and another that leaves it after the third."""

_TOLERANCE = {torch.float32: 1e-4, torch.float16: 0.03, torch.bfloat16: 0.1}
"""Root mean square of a difference of logits over their standard deviation. Rounding stays well
below it; attention of another kind goes well above it."""

_UNDERSTOOD = frozenset(
    (
        "cache",
        "dropout",
        "is_causal",
        "output_attentions",
        "output_hidden_states",
        "output_router_logits",
        "position_ids",
        "return_dict",
        "scaling",
        "sliding_window",
        "softcap",
        "use_cache",
    )
)
"""Options of an attention function that plain attention takes account of, or may ignore."""


@dataclass(frozen=True)
class Findings:
    """What the runs showed."""

    finite: bool
    """Whether all predictions are numbers."""
    causal: bool
    """Whether a token's prediction is the same whatever follows it."""
    padded: bool
    """Whether a short text, padded on the right beside a longer one, is predicted as alone."""
    stepwise: bool
    """Whether tokens read one by one, from the cache, are predicted as in one run."""
    not_shared: str | None
    """Why texts packed as branches are not predicted as alone; None where they are."""
    window: int | None
    """Smallest sliding window that an attention function was told of."""


@torch.inference_mode()
def probe(model: Any, *, share: bool = True) -> Findings:
    """Run a model on short texts in the ways in which prompts are run.

    With `share`, packed branches are tried too.
    """
    stem, other = _texts(model)
    rows = torch.stack([stem, other, torch.cat([stem[:_START], stem.new_zeros(_STEM - _START)])])
    seen = torch.ones_like(rows)
    seen[2, _START:] = 0
    whole = model(input_ids=rows, attention_mask=seen, use_cache=False).logits.float()
    alone, steps = _stepwise(model, stem)
    finite = bool(whole.isfinite().all())
    same = _Same(whole, model.dtype)
    packed = _packed(model, stem, other, whole, same) if share and finite else None
    return Findings(
        finite=finite,
        causal=same(whole[0, :_START], whole[1, :_START]),
        padded=same(whole[2, :_START], alone) and same(whole[0, :_START], alone),
        stepwise=steps is not None and same(whole[0, _START:], steps),
        not_shared=None if packed is None else packed.fault,
        window=None if packed is None else min(packed.windows, default=None),
    )


def _texts(model: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Two texts of tokens from all over the vocabulary, alike up to the third."""
    size = model.get_input_embeddings().weight.shape[0]
    ids = [(1 + 7919 * i) % size for i in range(1, _STEM + _BRANCH + 1)]
    stem, branch = ids[:_STEM], ids[_STEM:]
    first, second = (torch.tensor(x, device=model.device) for x in (stem, stem[:_START] + branch))
    return first, second


class _Same:
    """Whether logits agree, measured by how far the logits of a model are spread."""

    def __init__(self, logits: torch.Tensor, dtype: torch.dtype) -> None:
        self._bound = _TOLERANCE.get(dtype, 1e-4) * float(logits.std())

    def __call__(self, first: torch.Tensor, second: torch.Tensor) -> bool:
        difference = (first.float() - second.float()).square().mean().sqrt()
        return bool(difference <= self._bound)


def _stepwise(model: Any, text: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Logits after the first tokens run alone, and after the others read from the cache."""
    first = model(input_ids=text[None, :_START], use_cache=True)
    state = getattr(first, "cache", None)
    if state is None:
        return first.logits[0], None
    rows = []
    try:
        for token in text[_START:]:
            step = model(input_ids=token[None, None], cache=state, use_cache=True)
            state = step.cache
            rows.append(step.logits[0])
    except Exception:  # a model whose cache works in its own way fails in its own way
        return first.logits[0], None
    return first.logits[0], torch.cat(rows)


@dataclass
class _Packed:
    """What was seen while branches were run packed."""

    visible: torch.Tensor
    """Which key each query attends to, shape (tokens, tokens)."""
    layers: set[int] = field(default_factory=set)
    windows: list[int] = field(default_factory=list)
    fault: str | None = None

    def attend(
        self, asked: Asked, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
    ) -> torch.Tensor:
        """Softmax of scaled products over the visible keys, and nothing else."""
        self._note(asked, query, value)
        groups = query.shape[1] // key.shape[1]
        key, value = (x.repeat_interleave(groups, dim=1) for x in (key, value))
        scores = (query @ key.transpose(-1, -2)).float() * asked.scale
        if asked.softcap is not None:
            scores = torch.tanh(scores / asked.softcap) * asked.softcap
        weights = scores.masked_fill(~self.visible, -torch.inf).softmax(dim=-1)
        return (weights.to(value.dtype) @ value).transpose(1, 2).contiguous()

    def _note(self, asked: Asked, query: torch.Tensor, value: torch.Tensor) -> None:
        """Note how a layer asks for attention."""
        self.layers.add(asked.layer)
        if asked.options.get("sliding_window") is not None:
            self.windows.append(int(asked.options["sliding_window"]))
        given = (name for name, option in asked.options.items() if option is not None)
        unknown = sorted(set(given) - _UNDERSTOOD)
        if unknown:
            self.fault = f"its attention depends on {unknown[0]}"
        if query.shape[-1] != value.shape[-1]:
            self.fault = "its keys and values differ in size"


def _packed(
    model: Any, stem: torch.Tensor, other: torch.Tensor, whole: torch.Tensor, same: _Same
) -> _Packed:
    ids = torch.cat([stem, other[_START:]])
    places = [*range(_STEM), *range(_START, _STEM)]
    seen = torch.ones(len(places), len(places), dtype=torch.bool, device=ids.device).tril()
    seen[_STEM:, _START:_STEM] = False
    found = _Packed(visible=seen)
    positions = torch.tensor([places], device=ids.device)
    try:
        with attending(model, found):
            logits = model(input_ids=ids[None], position_ids=positions, use_cache=False).logits[0]
    except Exception as error:  # whatever a model cannot do, it says in its own way
        found.fault = f"it cannot be run with prompts packed together ({error})"
        return found
    layers = model.config.get_text_config(decoder=True).num_hidden_layers
    agrees = same(logits[:_STEM], whole[0]) and same(logits[_STEM:], whole[1, _START:])
    if found.fault is None and not (agrees and len(found.layers) == layers):
        found.fault = "it computes attention in a way of its own"
    return found
