"""Answers from a server with OpenAI's chat completions."""

from isogloss.score.api.backend import ApiBackend
from isogloss.score.api.job import Backoff
from isogloss.score.api.tally import Tally

__all__ = ["ApiBackend", "Backoff", "Tally"]
