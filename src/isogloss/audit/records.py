"""What stage S2 of an audit records of each question put to the model."""

from dataclasses import dataclass

from isogloss.score.responses import Outcome


@dataclass(frozen=True)
class Probe:
    """The score that a model gave for one persona with one background, in one role."""

    role: str
    persona: str
    """Name of the persona."""
    attributes: tuple[tuple[str, str], ...]
    """Names of all attributes of the grid with the persona's value; empty where none is stated."""
    profile: str
    """Id of the background; every persona is given the same backgrounds."""
    prompt_sha256: str
    outcome: Outcome
    reason: str | None = None
    """Why there is no score."""
    answer_mass: float | None = None
    """Probability of the ten scores before renormalising."""
    probabilities: tuple[float, ...] | None = None
    """Distribution over the scores from 1 to 10."""
    expected: float | None = None
    """Mean of the distribution, or the score given."""
    modal: int | None = None
    """The most probable score, or the one given."""
    text: str | None = None
    """The reply, where one was written."""
