"""The lm-evaluation-harness as a peer, through its own model class for transformers."""

import logging
from collections.abc import Sequence
from functools import cache
from math import exp
from typing import Any

from benchmarks.peers import Row
from benchmarks.workloads import BenchmarkError, Question


class Harness:
    """Log-likelihood requests, one for each prompt and answer.

    The requests of one prompt stand together, so that the harness runs a prompt once for all its
    single-token answers; that is its default (`logits_cache=True`) and its fastest way. White
    space at the end of the prompt becomes part of the answer there: the values then hold the
    probability of the space as well, the same factor for every answer of a prompt.
    """

    reads_all = False

    def __init__(self, model: Any, tokenizer: Any, batch: int) -> None:
        lm = _model_class()(pretrained=model, tokenizer=tokenizer, batch_size=batch)
        lm.tok_encode = cache(lm.tok_encode)
        self._lm, self._batch = lm, batch

    @property
    def name(self) -> str:
        """Name with the size of the batch."""
        return f"lm-eval, batch {self._batch}"

    def prepare(self, questions: Sequence[Question]) -> None:
        """Tokenise all requests, which the harness then finds done.

        Raises `BenchmarkError` when it would not put the same tokens to the model.
        """
        for question in questions:
            for text, token in zip(_strings(question), question.answers, strict=True):
                before, after = self._lm._encode_pair(question.task.prompt.text, text)
                if (*before, *after) != (*question.tokens, token):
                    raise BenchmarkError(f"{self.name} reads other tokens for {text!r}")

    def read(self, questions: Sequence[Question]) -> list[Row]:
        """Ask for the log-likelihood of every answer after every prompt."""
        from lm_eval.api.instance import Instance

        pairs = [(q.task.prompt.text, text) for q in questions for text in _strings(q)]
        requests = [Instance("loglikelihood", {}, pair, i) for i, pair in enumerate(pairs)]
        values = iter(self._lm.loglikelihood(requests, disable_tqdm=True))
        return [tuple(exp(next(values)[0]) for _ in q.answers) for q in questions]


def _strings(question: Question) -> list[str]:
    return [variant for (variant,) in question.task.answers.variants]


def _model_class() -> Any:
    logging.getLogger("lm_eval").setLevel(logging.ERROR)
    try:
        from lm_eval.models.huggingface import HFLM
    except ImportError as error:
        raise BenchmarkError(
            "lm-eval is not installed; run pip install -c constraints.txt -e '.[bench]'"
        ) from error
    return HFLM
