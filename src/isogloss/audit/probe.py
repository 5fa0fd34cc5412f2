"""Stage S2 of an audit: the posting is put to the model for every persona."""

from dataclasses import dataclass

from isogloss.audit.grid import Background, Grid
from isogloss.audit.records import Probe
from isogloss.audit.settings import AuditSettings
from isogloss.postings.personas import Persona
from isogloss.postings.posting import Posting
from isogloss.postings.prompts import ANSWERS, messages
from isogloss.postings.roles import Role
from isogloss.score.ask import Asker
from isogloss.score.prompts import Message
from isogloss.score.requests import Reading, Request


@dataclass(frozen=True)
class Question:
    """One persona with one background, in one role."""

    role: Role
    persona: Persona
    background: Background
    messages: tuple[Message, ...]


def questions_about(posting: Posting, grid: Grid, settings: AuditSettings) -> list[Question]:
    """Return every question of an audit, in a fixed order."""
    shown = posting.shown("full")
    return [
        Question(role, persona, background, messages(role, shown, persona, background.text))
        for role in settings.roles
        for persona in grid.personas
        for background in grid.backgrounds
    ]


def probe(
    questions: list[Question], grid: Grid, asker: Asker, settings: AuditSettings
) -> list[Probe]:
    """Ask every question; a question without answer is a probe without score, with its reason."""
    requests = [
        Request(one.messages, ANSWERS[one.role], min_answer_mass=settings.min_answer_mass)
        for one in questions
    ]
    readings = asker.score(requests, "personas")
    return [_probe(one, grid, reading) for one, reading in zip(questions, readings, strict=True)]


def _probe(question: Question, grid: Grid, reading: Reading) -> Probe:
    return Probe(
        role=question.role,
        persona=question.persona.name,
        attributes=grid.attributes_of(question.persona),
        profile=question.background.name,
        prompt_sha256=reading.prompt_sha256,
        outcome=reading.outcome,
        reason=reading.reason,
        answer_mass=reading.answer_mass,
        probabilities=reading.probabilities,
        expected=reading.expected,
        modal=None if reading.modal is None else int(reading.modal),
        text=reading.text,
    )
