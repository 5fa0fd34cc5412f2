"""The request that a task becomes."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from isogloss.config.schema import OpenAIModel
from isogloss.score.answers import AnswerSet
from isogloss.score.api.tally import completion_limit, prompt_tokens
from isogloss.score.backend import ScoreTask, WriteTask
from isogloss.score.prompts import Prompt


@dataclass(frozen=True)
class ApiRequest:
    """One request, and which task it is for."""

    index: int
    prompt: Prompt
    body: dict[str, Any]
    tokens: int
    """Estimate of the prompt's tokens and the most that may be written."""
    answers: AnswerSet | None = None
    """What the reply is to be read for."""


def scored_request(config: OpenAIModel, index: int, task: ScoreTask) -> ApiRequest:
    """Ask for the most probable answer and, where configured, for the tokens' alternatives.

    A model that thinks first is asked for an answer; which one it gives is left to it.
    """
    body = _start(config, task)
    if not config.reasoning:
        body["temperature"] = 0
        if config.top_logprobs is not None:
            body |= {"logprobs": True, "top_logprobs": config.top_logprobs}
    if task.answers.json_field is not None:
        body |= _format(config, answer_schema(task.answers, task.answers.json_field))
    return ApiRequest(index, task.prompt, body, _tokens(config, task), task.answers)


def written_request(config: OpenAIModel, index: int, task: WriteTask) -> ApiRequest:
    """Ask for a text drawn as the task says; a model that thinks first draws as it sees fit."""
    decoding = task.decoding
    body = _start(config, task)
    if not config.reasoning:
        body |= {"temperature": decoding.temperature, "top_p": decoding.top_p}
    if decoding.seed is not None:
        body["seed"] = draw_seed(decoding.seed, task.prompt.sha256, task.repeat)
    if decoding.stop:
        body["stop"] = list(decoding.stop)
    if decoding.json_schema is not None:
        body |= _format(config, json.loads(decoding.json_schema))
    return ApiRequest(index, task.prompt, body, _tokens(config, task))


def draw_seed(seed: int, prompt_sha256: str, repeat: int) -> int:
    """Seed of one draw: 31 bits of the SHA-256 of seed, prompt and repeat, separated by spaces."""
    drawn = hashlib.sha256(f"{seed} {prompt_sha256} {repeat}".encode()).digest()
    return int.from_bytes(drawn[:4], "big") >> 1


def answer_schema(answers: AnswerSet, name: str) -> dict[str, Any]:
    """JSON schema of an object whose only field holds one of the labels.

    Labels of a numeric set become numbers where they are whole numbers as JSON writes them.
    """
    whole = answers.numeric and all(label == _whole(label) for label in answers.labels)
    kind = {"type": "integer"} if whole else {"type": "string"}
    allowed = [int(label) if whole else label for label in answers.labels]
    return {
        "type": "object",
        "properties": {name: {**kind, "enum": allowed}},
        "required": [name],
        "additionalProperties": False,
    }


def _whole(label: str) -> str | None:
    try:
        return str(int(label))
    except ValueError:
        return None


def not_taken(config: OpenAIModel, task: ScoreTask | WriteTask) -> str | None:
    """Say which part of a task's decoding a model that thinks first does not take, if any."""
    if not config.reasoning or isinstance(task, ScoreTask):
        return None
    decoding = task.decoding
    if decoding.temperature != 0:
        return f"temperature {decoding.temperature:g}"
    if decoding.top_p != 1:
        return f"top_p {decoding.top_p:g}"
    return f"an end at {decoding.stop[0]!r}" if decoding.stop else None


def _start(config: OpenAIModel, task: ScoreTask | WriteTask) -> dict[str, Any]:
    messages = [{"role": m.role, "content": m.content} for m in task.prompt.messages]
    bound = "max_completion_tokens" if config.reasoning else "max_tokens"
    return {
        "model": config.model,
        "messages": messages,
        bound: completion_limit(config, task),
    }


def _format(config: OpenAIModel, schema: dict[str, Any]) -> dict[str, Any]:
    if config.structured == "none":
        return {}
    if config.structured == "json_object":
        return {"response_format": {"type": "json_object"}}
    named = {"name": "answer", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _tokens(config: OpenAIModel, task: ScoreTask | WriteTask) -> int:
    return prompt_tokens(task.prompt) + completion_limit(config, task)
