"""Choose the next token from logits: the most probable one, or a draw that can be repeated."""

import numpy as np
import torch

_FIRST_LOOK = 1024
"""Most probable tokens looked at before all are sorted."""


def generator(seed: int, prompt_sha256: str, repeat: int) -> np.random.Generator:
    """Random numbers of one repeat of one prompt, the same in whatever batch it is drawn."""
    words = [int(prompt_sha256[i : i + 8], 16) for i in range(0, 64, 8)]
    return np.random.default_rng([seed, repeat, *words])


def most_probable(logits: torch.Tensor) -> int:
    """Token of the largest logit, the first of several."""
    return int(logits.argmax())


def draw(logits: torch.Tensor, *, temperature: float, top_p: float, uniform: float) -> int:
    """Draw a token from softmax(logits / temperature), cut to its nucleus.

    The nucleus is the smallest set of most probable tokens that together hold `top_p` of the
    probability. `uniform`, from [0, 1), picks the token by the inverse of the cumulative
    distribution over the nucleus, most probable token first (over the whole vocabulary in its own
    order where `top_p` is 1). Logits are float64, shape (vocabulary,).
    """
    probabilities = torch.softmax(logits / temperature, dim=-1)
    if top_p >= 1.0:
        return _inverse(probabilities, uniform)
    shares, tokens = _nucleus(probabilities, top_p)
    return int(tokens[_inverse(shares, uniform)])


def _nucleus(probabilities: torch.Tensor, top_p: float) -> tuple[torch.Tensor, torch.Tensor]:
    look = min(_FIRST_LOOK, len(probabilities))
    shares, tokens = probabilities.topk(look)
    if float(shares.sum()) < top_p:
        shares, tokens = probabilities.sort(descending=True)
    size = int((shares.cumsum(0) < top_p).sum()) + 1
    return shares[:size], tokens[:size]


def _inverse(shares: torch.Tensor, uniform: float) -> int:
    """Index of the share in which `uniform` of their sum falls; never one of share 0."""
    cumulative = shares.cumsum(0)
    found = int(torch.searchsorted(cumulative, uniform * cumulative[-1], right=True))
    return min(found, int(shares.nonzero()[-1]))
