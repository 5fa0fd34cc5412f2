"""Every error that a user can cause. The CLI prints the sentence and exits with `exit_code`."""

from typing import ClassVar


class IsoglossError(Exception):
    """Base of all errors that name what is at fault and what to do about it."""

    exit_code: ClassVar[int] = 1


class ConfigurationError(IsoglossError):
    """The configuration names an unknown key, a wrong type, or something that does not exist."""

    exit_code = 2


class SourceError(IsoglossError):
    """A pinned source is missing, has other bytes than its pin, or may not be used."""


class ItemError(IsoglossError):
    """A stimulus file has a row or a field that cannot be used."""


class PostingError(IsoglossError):
    """A job posting cannot be read, or is not what can be audited."""


class ModelError(IsoglossError):
    """A model cannot be found, loaded, or asked in the way a study needs."""


class AnswerError(IsoglossError):
    """An answer specification cannot be scored as token sequences with this tokenizer."""


class ResponseError(IsoglossError):
    """A response table or response store does not have the form it must have."""


class StatisticsError(IsoglossError):
    """A statistic was asked for something it is not defined for."""


class ReportError(IsoglossError):
    """A page cites something that does not exist, or the renderer could not render it."""


class RecordError(IsoglossError):
    """The record of artifacts cannot be written or read: nothing could be checked."""

    exit_code = 2
