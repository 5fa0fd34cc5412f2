"""The run's configuration: what `config/config.yaml` may say, and how it is read."""

from isogloss.config.load import load_config, read_yaml
from isogloss.config.schema import (
    Config,
    EncoderConfig,
    ModelConfig,
    OpenAIModel,
    RecordedModel,
    Run,
    StudySettings,
    TransformersModel,
)

__all__ = [
    "Config",
    "EncoderConfig",
    "ModelConfig",
    "OpenAIModel",
    "RecordedModel",
    "Run",
    "StudySettings",
    "TransformersModel",
    "load_config",
    "read_yaml",
]
