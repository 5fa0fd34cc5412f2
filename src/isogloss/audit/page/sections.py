"""What the page shows, put in order for its templates; nothing is computed here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.audit.audit import Audit
from isogloss.audit.highlight import highlight
from isogloss.audit.obligations import Law, Obligations, Provision
from isogloss.audit.page.curves import described, picture, rates_at
from isogloss.audit.page.words import name, number, ratio, role
from isogloss.audit.probe import Question
from isogloss.audit.selection_results import CurvePoint, GroupingSelection, GroupSelection


@dataclass(frozen=True)
class Register:
    """How the words of a register are told apart."""

    name: str
    style: int
    tag: str
    """Letters that stand behind a marked word."""


@dataclass(frozen=True)
class Piece:
    """A stretch of the posting, marked or not."""

    text: str
    style: int | None
    tag: str
    said: str
    """What a screen reader says of a marked stretch."""


@dataclass(frozen=True)
class Figure:
    """A grouping with its figure and the values behind it."""

    number: int
    grouping: GroupingSelection
    picture: str
    described: str
    rates: list[tuple[int, list[CurvePoint]]]


@dataclass(frozen=True)
class Duty:
    """One row of the mapping from parts of the record to provisions."""

    provision: Provision
    law: Law
    how: str


def registers_of(audit: Audit) -> tuple[Register, ...]:
    """Return the registers with their letters: the initials of their words."""
    return tuple(
        Register(
            one.register,
            number % 4,
            "".join(word[:1].upper() for word in one.register.split("_")) or "?",
        )
        for number, one in enumerate(audit.profile.registers)
    )


def pieces_of(audit: Audit) -> Iterator[Piece]:
    """Yield the posting, cut where marks begin and end."""
    known = {one.name: one for one in registers_of(audit)}
    for segment in highlight(audit.document.text, audit.profile.matches):
        marks = [known[register] for register in segment.registers]
        classes = [f"{name(m.register)}, {name(m.marker_class)}" for m in segment.matches]
        yield Piece(
            segment.text,
            marks[0].style if marks else None,
            " ".join(mark.tag for mark in marks),
            "; ".join(dict.fromkeys(classes)),
        )


def examples_of(audit: Audit) -> list[Question]:
    """Return a question of each role: the first of a persona of whom most is stated."""
    found = []
    for asked in audit.settings.roles:
        own = [one for one in audit.questions if one.role == asked]
        if own:
            found.append(max(own, key=lambda one: len(one.persona.stated)))
    return found


def figures_of(audit: Audit) -> list[Figure]:
    """Return each grouping with its figure."""
    return [
        Figure(number, one, picture(one), described(one), rates_at(one))
        for number, one in enumerate(audit.selection.groupings, start=1)
    ]


def dominated(audit: Audit) -> list[str]:
    """Say in a sentence each which register dominates the wording, and why."""
    return [
        f"{name(one.register)} dominates: {one.reason}"
        for one in audit.profile.dominance
        if one.register is not None
    ]


def flags_of(audit: Audit) -> list[str]:
    """Say each group that is below four fifths in a sentence."""
    return [_flag(one, group) for one, group in _flagged(audit)]


def _flagged(audit: Audit) -> Iterator[tuple[GroupingSelection, GroupSelection]]:
    for one in audit.selection.groupings:
        yield from ((one, group) for group in one.groups if group.impact.flagged)


def _flag(one: GroupingSelection, group: GroupSelection) -> str:
    impact = group.impact
    sentence = (
        f"As {role(one.role)}, by {name(one.grouping)}: {name(group.group)}, {impact.selected} of "
        f"{impact.total} selected, a ratio of {ratio(impact.ratio, True)} to "
        f"{name(one.reference or '')} (interval {number(impact.low)} to {number(impact.high)})."
    )
    return f"{sentence} The numbers are small." if impact.warnings else sentence


def not_compared(audit: Audit) -> list[str]:
    """Say what could not be compared, and why."""
    found = []
    for one in audit.selection.groupings:
        place = f"As {role(one.role)}, by {name(one.grouping)}"
        if one.status != "ok":
            found.append(f"{place}: {one.reason}")
        found += [
            f"{place}, {name(group.group)}: {group.impact.reason}"
            for group in one.groups
            if one.status == "ok" and group.impact.status != "ok"
        ]
    return found


def duties_of(mapping: Obligations) -> list[tuple[str, Sequence[str], list[Duty]]]:
    """Return the parts of the record with the provisions that they can serve."""
    return [
        (
            item.title,
            item.where,
            [
                Duty(
                    mapping.provisions[place],
                    mapping.laws[mapping.provisions[place].law],
                    how,
                )
                for place, how in item.serves.items()
            ],
        )
        for item in mapping.items.values()
    ]


def shown_values(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and values as text."""
    return [(name(key), "none" if value is None else _said(value)) for key, value in values.items()]


def _said(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_said, value))
    return str(value)
