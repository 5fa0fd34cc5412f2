"""Rows that note which of their columns are read, so that what was made of them can be cited."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Number
from typing import Any

from isogloss.report.provenance.numerals import states_number
from isogloss.report.provenance.origins import Origin, origins_of
from isogloss.report.provenance.sources import Source, cite

Record = Mapping[str, Any]
"""One row of a result table, by column name."""

SAME = "the same in every row"
"""Rule of a number that stands once for many rows."""


@dataclass
class _Log:
    read: dict[int, tuple[Origin, list[str]]] = field(default_factory=dict)
    numeric: bool = False


class Reading(Mapping[str, Any]):
    """A row that notes what is read of it; a row inside a row notes it in the same place."""

    def __init__(self, record: Record, log: _Log | None = None) -> None:
        """Take a row, which may have origins or not."""
        self._record = record
        self._log = _Log() if log is None else log

    def __getitem__(self, name: str) -> Any:
        """Return what the row has in a column, and note that it was asked for."""
        value = self._record[name]
        if isinstance(value, Mapping):
            return Reading(value, self._log)
        for origin in origins_of(self._record):
            if origin.columns.get(name):
                self._log.read.setdefault(id(origin), (origin, []))[1].append(name)
                self._log.numeric |= isinstance(value, Number) and not isinstance(value, bool)
                break
        return value

    def __contains__(self, name: object) -> bool:
        """Say whether there is such a column; this notes nothing."""
        return name in self._record

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the columns."""
        return iter(self._record)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._record)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Places of what was read, in the order in which it was first read."""
        return tuple(origin.source(names) for origin, names in self._log.read.values())

    @property
    def is_numeric(self) -> bool:
        """Whether a number was read, an undefined one included."""
        return self._log.numeric

    def cited(self, text: str) -> str:
        """Cite a text that was made of what was read, where it is about a number."""
        return cite(text, self.sources) if self.is_numeric or states_number(text) else text


def cited(cell: Callable[[Record], str]) -> Callable[[Record], str]:
    """Return a function whose text carries the places of what it reads of a row."""

    def with_sources(row: Record) -> str:
        reading = Reading(row)
        return reading.cited(cell(reading))

    return with_sources


def cited_once(cell: Callable[[Record], str], records: Sequence[Record]) -> str:
    """Return the text that a function makes of each of some rows alike, with the place of all."""
    readings = [Reading(record) for record in records]
    texts = [cell(reading) for reading in readings]
    if not (readings[0].is_numeric or states_number(texts[0])):
        return texts[0]
    found: dict[tuple[str, tuple[str, ...]], Source] = {}
    for reading in readings:
        for source in reading.sources:
            key = (source.file, source.columns)
            rows = (*found[key].rows, *source.rows) if key in found else source.rows
            found[key] = replace(source, rows=rows, rule=SAME if len(records) > 1 else "")
    return cite(texts[0], tuple(found.values()))
