"""Which personas one mixed model holds, and which of them are compared."""

from dataclasses import dataclass

from isogloss.analysis.plan import CrossedFamily, PersonaDesign, PersonaFamily


@dataclass(frozen=True)
class PersonaSet:
    """The personas of one fit: those of a family, and the one of whom nothing is said."""

    name: str
    """Name of the family."""
    own: tuple[str, ...]
    """Personas of the family, in the order in which tables list them."""
    levels: tuple[str, ...]
    """All personas; the first that has ratings is the reference level."""
    pairs: tuple[tuple[str, str], ...]
    """Personas whose contrasts of guises are compared: the minuend, then the subtrahend."""


def persona_sets(design: PersonaDesign) -> tuple[PersonaSet, ...]:
    """Return the personas of each family and crossed family of a design.

    Each persona is compared with the reference of its family, and with the persona of whom nothing
    is said; in a crossed family, the first value of the second attribute is compared with the
    second value, within each value of the first attribute.
    """
    return (
        *(_of_family(family, design.unspecified) for family in design.families),
        *(_of_crossed(family, design.unspecified) for family in design.crossed),
    )


def persona_order(design: PersonaDesign | None) -> tuple[str, ...]:
    """Order in which tables list personas; a row about none comes first."""
    if design is None:
        return ("",)
    own = [name for one in persona_sets(design) for name in one.own]
    return tuple(dict.fromkeys(["", design.unspecified, *own]))


def _of_family(family: PersonaFamily, unspecified: str) -> PersonaSet:
    within = [(name, family.reference) for name in family.personas if name != family.reference]
    levels = dict.fromkeys([unspecified, family.reference, *family.personas])
    return _persona_set(family.name, family.personas, tuple(levels), within)


def _of_crossed(family: CrossedFamily, unspecified: str) -> PersonaSet:
    place = {(outer, inner): persona for outer, inner, persona in family.cells}
    first, second = family.inner
    within = [(place[outer, first], place[outer, second]) for outer in family.outer]
    own = tuple(persona for _, _, persona in family.cells)
    return _persona_set(family.name, own, (unspecified, *own), within)


def _persona_set(
    name: str, own: tuple[str, ...], levels: tuple[str, ...], within: list[tuple[str, str]]
) -> PersonaSet:
    alone = [(persona, levels[0]) for persona in own]
    return PersonaSet(name, own, levels, (*within, *alone))
