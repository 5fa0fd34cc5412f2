"""What a reproduction found: records of tables, columns, models and of the whole."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

TableResult = Literal[
    "same bytes", "same values", "within tolerance", "differs", "missing", "extra", "unreadable"
]
"""How a table compares with the recorded one.

`missing` was recorded and not made again, `extra` the other way round. The first three count as
reproduced.
"""

Reproduced = frozenset({"same bytes", "same values", "within tolerance"})


@dataclass(frozen=True)
class Change:
    """One cell with another text or number."""

    row: str
    """What names the row."""
    recorded: str
    found: str


@dataclass(frozen=True)
class NumberDifference:
    """Numbers of one column that are not those recorded."""

    column: str
    cells: int
    """Cells with another number."""
    beyond: int
    """Those of them beyond the tolerance."""
    largest_absolute: float
    largest_relative: float
    """Over the larger of the two magnitudes."""
    worst: Change
    """The cell that is furthest beyond its bound, or nearest to it."""
    absolute: float
    """The tolerance: `absolute + relative * |recorded|`."""
    relative: float
    reason: str
    """Why the tolerance is what it is."""


@dataclass(frozen=True)
class TextDifference:
    """Texts of one column that are not those recorded."""

    column: str
    cells: int
    allowed: bool
    """Whether the tolerances let this text be another one."""
    listed: tuple[Change, ...]
    """The first of them."""


@dataclass(frozen=True)
class VerdictChange:
    """A verdict that is another one now."""

    column: str
    """Column, or `p_adjusted < 0.05` for a significance that follows from a number."""
    row: str
    recorded: str
    found: str


@dataclass(frozen=True)
class TableComparison:
    """One table against the recorded one."""

    table: str
    """Path relative to the project."""
    result: TableResult
    rows: int = 0
    """Rows that both have; 0 where the bytes are the same and were not read."""
    scope: str = ""
    """Which rows or columns were compared, where it is not all of them."""
    key: tuple[str, ...] = ()
    """Columns that rows were matched by."""
    only_recorded: int = 0
    only_found: int = 0
    rows_listed: tuple[str, ...] = ()
    """The first rows that one side has alone."""
    columns_listed: tuple[str, ...] = ()
    """Columns that one side has alone."""
    numbers: tuple[NumberDifference, ...] = ()
    texts: tuple[TextDifference, ...] = ()
    verdicts: tuple[VerdictChange, ...] = ()
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether the table was reproduced."""
        return self.result in Reproduced

    @property
    def largest_absolute(self) -> float:
        """Largest absolute difference of a number in it."""
        return max((number.largest_absolute for number in self.numbers), default=0.0)

    @property
    def largest_relative(self) -> float:
        """Largest relative difference of a number in it."""
        return max((number.largest_relative for number in self.numbers), default=0.0)


@dataclass(frozen=True)
class NotDone:
    """Something that was not computed again, and why."""

    what: str
    reason: str


@dataclass(frozen=True)
class Rescored:
    """A response table of which prompts were put to the model again."""

    table: str
    model: str
    prompts: int
    """Prompts that could be drawn."""
    drawn: int
    """Those of them that were asked again, without those that followed from new answers."""
    rows: int
    """Rows of the table that rest on new answers."""
    rebuilt: int
    """Rows whose prompt was built again from the items and compared by its hash."""
    not_rebuilt: int
    """Rows whose prompt holds a text that the model wrote and was not asked for again."""


@dataclass(frozen=True)
class Reproduction:
    """The whole."""

    mode: Literal["full", "sample"]
    config: str
    sample: str | None = None
    seed: int | None = None
    """Decides which prompts are drawn."""
    machine: str = ""
    """Processor and versions that computed again."""
    recomputed: tuple[str, ...] = ()
    """Stages that were run again."""
    taken_over: tuple[NotDone, ...] = ()
    """Stages that were not, by design: what they recorded was taken over."""
    failed: tuple[NotDone, ...] = ()
    """What should have been done and could not be."""
    altered: tuple[str, ...] = ()
    """Files of the recorded run that no longer have the bytes that dvc.lock records."""
    rescored: tuple[Rescored, ...] = ()
    tables: tuple[TableComparison, ...] = field(default=())

    @property
    def status(self) -> Literal["reproduced", "differs", "not done"]:
        """What came of it; a difference that was found outweighs what could not be done."""
        if self.altered or not all(table.ok for table in self.tables):
            return "differs"
        return "not done" if self.failed or not self.tables else "reproduced"

    @property
    def exit_code(self) -> Literal[0, 1, 2]:
        """0 within tolerance, 1 something differs, 2 something could not be done."""
        codes: dict[str, Literal[0, 1, 2]] = {"reproduced": 0, "differs": 1, "not done": 2}
        return codes[self.status]

    def counts(self) -> Counter[TableResult]:
        """How many tables there are of each result."""
        return Counter(table.result for table in self.tables)
