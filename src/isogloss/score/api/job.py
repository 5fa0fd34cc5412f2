"""Send many requests, a few at once, and repeat those that fail in passing."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import openai
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

from isogloss.config.schema import OpenAIModel
from isogloss.errors import ModelError
from isogloss.score.api.background import Emit
from isogloss.score.api.completion import read_reply
from isogloss.score.api.faults import Censor, JobFault, PassingFault, PromptFault
from isogloss.score.api.limits import Gate
from isogloss.score.api.payload import ApiRequest
from isogloss.score.api.tally import Meter
from isogloss.score.api.transport import open_client, send
from isogloss.score.backend import Answer, Failed, Reply

Found = tuple[int, Answer]
_ALL_FAIL = 10
"""A job whose first so many prompts all fail is ended."""
_IF_ALL_FAIL = (
    "if it does not know log-probabilities or JSON schemas, set top_logprobs: null or "
    "structured: none; if it thinks before it replies, set reasoning: true"
)
_NOT_BEGUN = "the bound on tokens was reached before the reply began; give it more room ({})"
_FOR_REPLY = "max_tokens, or reasoning: true for a model that thinks before it replies"
_NAMED = 3


@dataclass(frozen=True)
class Backoff:
    """Before attempt n + 1 a random time up to `first_s` x 2^(n-1), at most `most_s`, is waited."""

    first_s: float = 1.0
    most_s: float = 60.0


class Job:
    """The requests of one call, to one server."""

    def __init__(
        self,
        name: str,
        config: OpenAIModel,
        requests: Sequence[ApiRequest],
        *,
        key: str | None,
        meter: Meter,
        backoff: Backoff,
    ) -> None:
        self._name = name
        self._config = config
        self._requests = requests
        self._key = key
        self._censor = Censor(key)
        self._meter = meter
        self._backoff = backoff
        self._settled: set[int] = set()
        self._failed = 0

    async def run(self, emit: Emit[Found]) -> None:
        """Emit the answer to each request as soon as it is there.

        Raises `ModelError` when the server cannot be asked any more.
        """
        self._gate = Gate()
        waiting = iter(self._requests)
        try:
            async with open_client(self._config, self._key) as client, asyncio.TaskGroup() as group:
                for _ in range(min(self._config.concurrency, len(self._requests))):
                    group.create_task(self._work(client, waiting, emit))
        except ExceptionGroup as errors:
            raise self._ended(errors.exceptions[0]) from None

    async def _work(
        self, client: openai.AsyncOpenAI, waiting: Iterator[ApiRequest], emit: Emit[Found]
    ) -> None:
        for request in waiting:
            answer = await self._answer(client, request)
            self._settled.add(request.index)
            self._failed += isinstance(answer, Failed)
            emit((request.index, answer))
            if isinstance(answer, Failed) and self._failed == len(self._settled) == _ALL_FAIL:
                reason = f"the first {_ALL_FAIL} prompts all failed ({answer.reason})"
                raise JobFault(reason, remedy=_IF_ALL_FAIL)

    async def _answer(self, client: openai.AsyncOpenAI, request: ApiRequest) -> Answer:
        texts = [message.content for message in request.prompt.messages]
        try:
            return await self._repeated(client, request)
        except PromptFault as fault:
            return Failed(self._censor.sentence(fault.reason, texts))
        except PassingFault as fault:
            reason = f"{self._config.max_attempts} attempts failed, at last: {fault.reason}"
            raise JobFault(self._censor.sentence(reason, texts), remedy="run again") from None
        except JobFault as fault:
            reason = self._censor.sentence(fault.reason, texts)
            raise JobFault(reason, remedy=fault.remedy) from None

    async def _repeated(self, client: openai.AsyncOpenAI, request: ApiRequest) -> Reply:
        jitter = wait_random_exponential(multiplier=self._backoff.first_s, max=self._backoff.most_s)
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(PassingFault),
            stop=stop_after_attempt(self._config.max_attempts),
            wait=lambda state: max(jitter(state), _passing(state).wait_s or 0.0),
            before_sleep=self._hold_others,
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                number = attempt.retry_state.attempt_number
                return await self._attempt(client, request, again=number > 1)
        raise AssertionError("retrying ends with a reply or an error")

    async def _attempt(
        self, client: openai.AsyncOpenAI, request: ApiRequest, *, again: bool
    ) -> Reply:
        await self._gate.enter(request.tokens)
        try:
            self._meter.sent(again=again)
            received = await send(client, request.body, self._config.timeout_s)
            self._gate.learn(received.headers)
        finally:
            self._gate.leave(request.tokens)
        reply = read_reply(received.data, received.headers, request.answers, self._censor)
        self._meter.received(reply)
        if reply.finish == "length" and not reply.text.strip():
            room = "reasoning_tokens" if self._config.reasoning else _FOR_REPLY
            raise PromptFault(_NOT_BEGUN.format(room))
        return reply

    def _hold_others(self, state: RetryCallState) -> None:
        if _passing(state).for_all and state.next_action is not None:
            self._gate.close_for(state.next_action.sleep)

    def _ended(self, error: Exception) -> Exception:
        if not isinstance(error, JobFault):
            return error
        left = [r.prompt.sha256[:12] for r in self._requests if r.index not in self._settled]
        answered = len(self._settled) - self._failed
        named = ", ".join(left[:_NAMED]) + (", …" if len(left) > _NAMED else "")
        rest = f"{len(left)} are left ({named})" if left else "none is left"
        return ModelError(
            f"model {self._name}: {error.reason}; {answered} prompts were answered and are kept, "
            f"{rest}; {error.remedy}"
        )


def _passing(state: RetryCallState) -> PassingFault:
    fault = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(fault, PassingFault)
    return fault
