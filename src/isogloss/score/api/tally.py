"""What requests cost: counted as they are made, or estimated before."""

from collections.abc import Sequence
from dataclasses import dataclass

from isogloss.config.schema import OpenAIModel, Prices
from isogloss.score.backend import Estimate, Reply, ScoreTask, WriteTask
from isogloss.score.prompts import Prompt

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class Tally:
    """What was sent and received so far."""

    requests: int = 0
    """Requests sent, repeated ones included."""
    retries: int = 0
    """Requests among them that repeated a failed one."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    """Replies whose tokens the server did not count; the token counts and the cost lack them."""
    cost: float | None = None
    """By the configured prices; None without prices."""
    currency: str | None = None

    def sentence(self) -> str:
        """Say it in one line."""
        parts = [
            f"{self.requests} requests ({self.retries} of them repeated)",
            f"{self.prompt_tokens} prompt tokens",
            f"{self.completion_tokens} written tokens",
        ]
        parts += [f"{self.cost:.4f} {self.currency}"] if self.cost is not None else []
        parts += [f"{self.uncounted} replies without a token count"] if self.uncounted else []
        return ", ".join(parts)


class Meter:
    """Counts requests and tokens."""

    def __init__(self, prices: Prices | None) -> None:
        self._prices = prices
        self._requests = self._retries = self._uncounted = 0
        self._prompt_tokens = self._completion_tokens = 0

    def sent(self, *, again: bool) -> None:
        """Count a request."""
        self._requests += 1
        self._retries += again

    def received(self, reply: Reply) -> None:
        """Count a reply's tokens."""
        self._uncounted += reply.prompt_tokens is None or reply.completion_tokens is None
        self._prompt_tokens += reply.prompt_tokens or 0
        self._completion_tokens += reply.completion_tokens or 0

    @property
    def tally(self) -> Tally:
        """The counts so far."""
        return Tally(
            self._requests,
            self._retries,
            self._prompt_tokens,
            self._completion_tokens,
            self._uncounted,
            cost_of(self._prices, self._prompt_tokens, self._completion_tokens),
            None if self._prices is None else self._prices.currency,
        )


def prompt_tokens(prompt: Prompt) -> int:
    """Estimate a prompt's tokens: the UTF-8 bytes of its messages over 4, rounded up."""
    size = sum(len(message.content.encode()) for message in prompt.messages)
    return -(-size // _BYTES_PER_TOKEN)


def estimate(config: OpenAIModel, tasks: Sequence[ScoreTask | WriteTask]) -> Estimate:
    """Estimate what tasks would take; nothing is sent."""
    read = sum(prompt_tokens(task.prompt) for task in tasks)
    written = sum(completion_limit(config, task) for task in tasks)
    cost = cost_of(config.prices, read, written)
    currency = None if config.prices is None else config.prices.currency
    return Estimate(len(tasks), read, written, cost, currency)


def completion_limit(config: OpenAIModel, task: ScoreTask | WriteTask) -> int:
    """Most tokens that may be written for a task, thoughts before the reply included."""
    thoughts = config.reasoning_tokens if config.reasoning else 0
    if isinstance(task, WriteTask):
        return thoughts + task.decoding.max_new_tokens
    return thoughts + task.reasons_tokens + config.max_tokens


def cost_of(prices: Prices | None, prompt: int, completion: int) -> float | None:
    """Cost of tokens read and written by configured prices; None without prices."""
    if prices is None:
        return None
    return (prompt * prices.input_per_million + completion * prices.output_per_million) / 1e6
