"""The questions put to a model: ratings, ratings after reasoning, interviews with a decision."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from isogloss.score.ask import Asker
from isogloss.score.prompts import Message
from isogloss.score.requests import Reading, ReasonedRequest, Request
from isogloss.score.responses import Response
from isogloss.studies.base import ItemTable
from isogloss.studies.hedging.interviews import (
    Interview,
    draw_interviews,
    rating_at,
    sample_items,
)
from isogloss.studies.hedging.prompts import (
    RATING,
    REASONING,
    Mode,
    decision_answers,
    decision_messages,
    rating_messages,
)
from isogloss.studies.hedging.settings import ScoringSettings


@dataclass(frozen=True)
class Cell:
    """One answer under one condition."""

    item_id: str
    guise: str
    condition: str


@dataclass(frozen=True)
class _Item:
    category: str
    guiding_question: str
    question: str
    answers: dict[str, str]


class Questioning:
    """All questions of the study to one model about one item set."""

    def __init__(
        self,
        table: ItemTable,
        guises: dict[str, list[str]],
        asker: Asker,
        settings: ScoringSettings,
        row: Response,
        seed: int,
    ) -> None:
        """Prepare the questions; `guises` lists for each item the guises in valid pairs."""
        self._table = table
        self._guises = guises
        self._asker = asker
        self._settings = settings
        self._row = row
        self._seed = seed
        self._items = {
            record["item_id"]: _Item(
                record["category"],
                record["guiding_question"],
                record["question"],
                {guise: record[guise] for guise in guises[record["item_id"]]},
            )
            for record in table.items.to_dict("records")
            if guises[record["item_id"]]
        }

    def ask_all(self) -> list[Response]:
        """Return the rows of every task, in a fixed order."""
        interviews = self._draw()
        cells = self._cells(list(self._items), self._settings.conditions)
        ratings = self._rate(cells)
        rows = [self._rating_row(cell, reading) for cell, reading in ratings.items()]
        return rows + self._reasoned() + self._interviews(interviews, ratings)

    def _cells(self, item_ids: Sequence[str], conditions: Sequence[str]) -> list[Cell]:
        return [
            Cell(item_id, guise, condition)
            for condition in conditions
            for item_id in item_ids
            for guise in self._items[item_id].answers
        ]

    def _rate(self, cells: Sequence[Cell]) -> dict[Cell, Reading]:
        mass = self._settings.min_answer_mass
        requests = [
            Request(self._messages(cell, "direct"), RATING, min_answer_mass=mass) for cell in cells
        ]
        return dict(zip(cells, self._asker.score(requests, self._what("ratings")), strict=True))

    def _reasoned(self) -> list[Response]:
        reasoned = self._settings.reasoned
        chosen = sample_items(
            list(self._items), reasoned.questions, self._seed, self._table.item_set
        )
        cells = self._cells(chosen, reasoned.conditions)
        requests = [
            ReasonedRequest(
                self._messages(cell, "reasoned"),
                RATING,
                opening=REASONING,
                stop=RATING.reply_prefix.strip(),
                max_new_tokens=reasoned.max_new_tokens,
                min_answer_mass=self._settings.min_answer_mass,
            )
            for cell in cells
        ]
        readings = self._asker.reason(requests, self._what("reasoned ratings"))
        return [
            replace(self._rating_row(cell, reading), mode="reasoned", text=_reasons(reading.text))
            for cell, reading in zip(cells, readings, strict=True)
        ]

    def _interviewed(self) -> list[str]:
        """Guises that are interviewed: those configured that the item set has."""
        present = dict.fromkeys(g for item in self._items.values() for g in item.answers)
        return [guise for guise in present if guise in self._settings.interviews.guises]

    def _draw(self) -> list[Interview]:
        """Draw the interviews from the items that are valid in every interviewed guise."""
        settings = self._settings.interviews
        if settings.count == 0:
            return []
        guises = set(self._interviewed())
        return draw_interviews(
            [item_id for item_id, item in self._items.items() if guises <= set(item.answers)],
            count=settings.count,
            questions=settings.questions,
            seed=self._seed,
            item_set=self._table.item_set,
        )

    def _interviews(
        self, interviews: Sequence[Interview], ratings: dict[Cell, Reading]
    ) -> list[Response]:
        if not interviews:
            return []
        sheets = [
            (interview, condition, guise, self._sheet(interview, condition, guise, ratings))
            for condition in self._settings.interviews.conditions
            for interview in interviews
            for guise in self._interviewed()
        ]
        rows = [row for *_, sheet in sheets for row in sheet]
        complete_sheets = [s for s in sheets if all(row.modal is not None for row in s[3])]
        requests = [
            Request(
                self._decision_messages(sheet, interview),
                decision_answers(interview.option_order),
            )
            for interview, _, _, sheet in complete_sheets
        ]
        readings = self._asker.score(requests, self._what("decisions"))
        decided = {
            (interview.number, condition, guise): reading
            for (interview, condition, guise, _), reading in zip(
                complete_sheets, readings, strict=True
            )
        }
        return rows + [
            self._decision_row(i, c, g, decided.get((i.number, c, g))) for i, c, g, _ in sheets
        ]

    def _sheet(
        self, interview: Interview, condition: str, guise: str, ratings: dict[Cell, Reading]
    ) -> list[Response]:
        rows = []
        for item_id, uniform in zip(interview.item_ids, interview.uniforms, strict=True):
            reading = ratings[Cell(item_id, guise, condition)]
            rating = _drawn(reading, uniform)
            rows.append(
                replace(
                    self._rating_row(Cell(item_id, guise, condition), reading),
                    task="interview_rating",
                    interview=interview.number,
                    answers=None,
                    probabilities=None,
                    expected=None if rating is None else float(rating),
                    modal=None if rating is None else str(rating),
                )
            )
        return rows

    def _decision_messages(
        self, sheet: Sequence[Response], interview: Interview
    ) -> tuple[Message, ...]:
        blocks = [
            (
                self._items[row.item_id].question,
                self._items[row.item_id].answers[row.guise],
                int(str(row.modal)),
            )
            for row in sheet
        ]
        return decision_messages(blocks, interview.option_order)

    def _decision_row(
        self, interview: Interview, condition: str, guise: str, reading: Reading | None
    ) -> Response:
        row = replace(
            self._row,
            item_id=f"interview-{interview.number:02d}",
            guise=guise,
            condition=condition,
            task="decision",
            interview=interview.number,
        )
        if reading is None:
            return replace(row, outcome="error", reason="a rating of this interview is missing")
        return reading.onto(row, decision_answers(interview.option_order))

    def _rating_row(self, cell: Cell, reading: Reading) -> Response:
        row = replace(
            self._row,
            item_id=cell.item_id,
            category=self._items[cell.item_id].category or None,
            guise=cell.guise,
            condition=cell.condition,
        )
        return reading.onto(row, RATING)

    def _messages(self, cell: Cell, mode: Mode) -> tuple[Message, ...]:
        item = self._items[cell.item_id]
        return rating_messages(
            cell.condition,
            mode,
            item.category,
            item.guiding_question,
            item.question,
            item.answers[cell.guise],
        )

    def _what(self, task: str) -> str:
        return f"{self._row.model} on {self._table.item_set}: {task}"


def _drawn(reading: Reading, uniform: float) -> int | None:
    """Rating that an interview shows: drawn from the distribution, or the one that was named."""
    if reading.probabilities is not None:
        return rating_at(uniform, reading.probabilities)
    return None if reading.modal is None else int(reading.modal)


def _reasons(text: str | None) -> str | None:
    """Return the reasons without the word that announces them."""
    if text is None:
        return None
    mark = REASONING.partition(" ")[0]
    return text.removeprefix(mark).strip()
