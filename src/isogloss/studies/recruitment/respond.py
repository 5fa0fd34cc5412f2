"""The questions put to a model: a score for each posting, persona, role and part shown."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from isogloss.postings.personas import GENDER, RACE, Persona, crossed, nobody, singles
from isogloss.postings.posting import Part
from isogloss.postings.prompts import ANSWERS, SCHEMAS, messages
from isogloss.postings.roles import FIELDS, HIGH, LOW, Role
from isogloss.score.ask import Asker
from isogloss.score.backend import Decoding
from isogloss.score.prompts import Message
from isogloss.score.requests import Request, Text, TextRequest
from isogloss.score.responses import Response
from isogloss.score.structured import read_integer
from isogloss.studies.base import Contrast, ItemTable
from isogloss.studies.recruitment.items import (
    AGENTIC,
    Wording,
    contrast_of,
    shares_title,
    wordings,
)
from isogloss.studies.recruitment.settings import ScoringSettings


@dataclass(frozen=True)
class Question:
    """A posting as it is shown, for one persona, in one role."""

    wording: Wording
    persona: Persona
    role: Role
    part: Part


class Questioning:
    """All questions of the study to one model about one item set."""

    def __init__(
        self,
        table: ItemTable,
        asker: Asker,
        settings: ScoringSettings,
        row: Response,
        seed: int,
    ) -> None:
        """Prepare the questions; `row` has what all rows share."""
        self._table = table
        self._asker = asker
        self._settings = settings
        self._row = row
        self._seed = seed

    def ask_all(self) -> list[Response]:
        """Return the rows of every question, in a fixed order."""
        questions = questions_about(self._table, self._settings)
        return self._scored(questions) + self._generated(questions)

    def _scored(self, questions: Sequence[Question]) -> list[Response]:
        mass = self._settings.min_answer_mass
        requests = [
            Request(_messages(question), ANSWERS[question.role], min_answer_mass=mass)
            for question in questions
        ]
        readings = self._asker.score(requests, self._what("scores"))
        return [
            reading.onto(self._of(question), ANSWERS[question.role])
            for question, reading in zip(questions, readings, strict=True)
        ]

    def _generated(self, questions: Sequence[Question]) -> list[Response]:
        settings = self._settings.generated
        wordings = list(dict.fromkeys(question.wording for question in questions))
        chosen = drawn_items(wordings, settings.items, self._seed, self._table.item_set)
        asked = [q for q in questions if q.part == "full" and q.wording.item_id in chosen]
        requests = [
            TextRequest(
                _messages(question),
                Decoding(settings.max_new_tokens, json_schema=SCHEMAS[question.role]),
            )
            for question in asked
        ]
        texts = self._asker.write(requests, self._what("written scores"))
        return [
            _written(replace(self._of(question), mode="generated"), question.role, text)
            for question, text in zip(asked, texts, strict=True)
        ]

    def _of(self, question: Question) -> Response:
        wording = question.wording
        return replace(
            self._row,
            item_id=wording.item_id,
            guise=wording.guise,
            persona=question.persona.name,
            condition=question.part,
            task=question.role,
            valid_pair=wording.valid,
        )

    def _what(self, kind: str) -> str:
        return f"{self._row.model} on {self._table.item_set}: {kind}"


def questions_about(table: ItemTable, settings: ScoringSettings) -> list[Question]:
    """Return every question about an item set; those of one posting stand together.

    Personas with two attributes are asked about under the condition `full` only. The title alone
    is not shown where both wordings share it.
    """
    contrast = contrast_of(table)
    shown = [one for one in wordings(table) if one.valid or settings.failed_wordings]
    return [
        Question(wording, persona, role, part)
        for role in settings.roles
        for part in _parts(table, role, settings)
        for wording in shown
        for persona in personas_of(contrast, crossed_too=settings.crossed and part == "full")
    ]


def _parts(table: ItemTable, role: Role, settings: ScoringSettings) -> list[Part]:
    ablations = settings.ablations
    parts = ablations.conditions if role in ablations.roles else ()
    return ["full", *(part for part in parts if part != "title" or not shares_title(table))]


def personas_of(contrast: Contrast, *, crossed_too: bool) -> list[Persona]:
    """Personas that the postings of a contrast are judged for."""
    if contrast == AGENTIC:
        return [nobody(), *singles(GENDER)]
    return [nobody(), *singles(RACE), *(crossed([RACE, GENDER]) if crossed_too else [])]


def drawn_items(asked: Sequence[Wording], count: int, seed: int, item_set: str) -> set[str]:
    """Draw `count` items of each kind; kinds are items in one guise, in the other, and in both.

    Without replacement; seed and item set decide. Where there are fewer, all are taken.
    """
    guises: dict[str, tuple[str, ...]] = {}
    for one in asked:
        guises[one.item_id] = (*guises.get(one.item_id, ()), one.guise)
    random = np.random.default_rng([seed, zlib.crc32(f"written {item_set}".encode())])
    kinds = sorted(set(guises.values()))
    alike = [sorted(item for item, kind in guises.items() if kind == one) for one in kinds]
    return {str(item) for items in alike for item in random.permutation(items)[:count]}


def _messages(question: Question) -> tuple[Message, ...]:
    shown = question.wording.posting.shown(question.part)
    return messages(question.role, shown, question.persona)


def _written(row: Response, role: Role, text: Text) -> Response:
    """Return the row with the whole number that a reply gives, or why it gives none."""
    reply = None if text.reply is None else text.reply.text
    row = replace(row, prompt_sha256=text.prompt_sha256, text=reply)
    if text.text is None:
        return replace(row, outcome=text.outcome, reason=text.reason)
    read = read_integer(text.text, FIELDS[role], LOW, HIGH)
    if read.value is None:
        return replace(row, outcome="malformed", reason=read.reason)
    return replace(row, expected=float(read.value), modal=str(read.value))
