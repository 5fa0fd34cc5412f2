"""Which probes of an audit are compared with which: by one attribute, or by two crossed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from isogloss.audit.records import Probe
from isogloss.errors import ResponseError

Values = tuple[str, ...]
"""Values of attributes; an empty one is not stated."""


@dataclass(frozen=True)
class Members:
    """The probes of one group."""

    group: str
    """Values of the grouping's attributes, joined by a comma."""
    probes: tuple[Probe, ...]


@dataclass(frozen=True)
class Grouping:
    """Groups that state other values of the same attributes and are alike in all else.

    Each group has the same backgrounds, and the same values of the remaining attributes.
    """

    name: str
    """Attributes, joined by ` x `."""
    attributes: tuple[str, ...]
    members: tuple[Members, ...]
    """Groups in order of first appearance; without probes when no two groups are alike."""
    left_out: int
    """Probes that state the attributes, beside values of others that not every group has."""

    @property
    def reason(self) -> str | None:
        """Why no group has a probe; None when one has."""
        if any(one.probes for one in self.members):
            return None
        return "the groups differ in other attributes as well; nothing to compare"


def baseline(probes: Iterable[Probe]) -> tuple[Probe, ...]:
    """Return the probes of the persona of whom no attribute is stated."""
    return tuple(probe for probe in probes if not any(value for _, value in probe.attributes))


def groupings(probes: Sequence[Probe]) -> tuple[Grouping, ...]:
    """Group the probes of one role by each attribute, and by each two attributes.

    A grouping by some attributes takes every probe that states them all. So that its groups differ
    in nothing else, it keeps those combinations of values of the other attributes, not stated being
    one, that each of its groups has. A grouping that no probe belongs to is left out.
    """
    names = [name for name, _ in probes[0].attributes] if probes else []
    chosen = [combination for size in (1, 2) for combination in combinations(names, size)]
    found = (_grouping(attributes, probes) for attributes in chosen)
    return tuple(grouping for grouping in found if grouping.members)


def context(probe: Probe, attributes: Sequence[str]) -> Values:
    """Values of all attributes of a probe but `attributes`."""
    return tuple(value for name, value in probe.attributes if name not in attributes)


def check_probes(probes: Sequence[Probe]) -> None:
    """Raise `ResponseError` unless every persona was asked once with each background and role.

    All probes must have the same attributes, a value needs a score from 1 to 10, and a
    distribution ten probabilities.
    """
    attributes = {tuple(name for name, _ in probe.attributes) for probe in probes}
    if len(attributes) > 1:
        raise ResponseError("the probes have different attributes; give all personas the same")
    times = Counter((probe.role, probe.persona, probe.profile) for probe in probes)
    if times and max(times.values()) > 1:
        role, persona, profile = times.most_common(1)[0][0]
        raise ResponseError(
            f"persona {persona!r} has two probes for background {profile!r} in role {role!r}; "
            "keep one"
        )
    _check_personas(probes)
    _check_complete(probes)
    for probe in probes:
        _check_value(probe)


def _check_personas(probes: Sequence[Probe]) -> None:
    stated: dict[tuple[tuple[str, str], ...], str] = {}
    for probe in probes:
        other = stated.setdefault(probe.attributes, probe.persona)
        if other != probe.persona:
            raise ResponseError(
                f"personas {other!r} and {probe.persona!r} state the same attributes; keep one"
            )
    if len({probe.persona for probe in probes}) < len(stated):
        raise ResponseError("a persona states other attributes in other probes; give it one set")


def _check_complete(probes: Sequence[Probe]) -> None:
    asked = {(probe.role, probe.persona, probe.profile) for probe in probes}
    for role in {probe.role for probe in probes}:
        personas = {probe.persona for probe in probes if probe.role == role}
        profiles = {probe.profile for probe in probes if probe.role == role}
        absent = {(role, a, b) for a in personas for b in profiles} - asked
        if absent:
            _, persona, profile = min(absent)
            raise ResponseError(
                f"persona {persona!r} has no probe for background {profile!r} in role {role!r}; "
                "ask it, or record that it failed"
            )


def _check_value(probe: Probe) -> None:
    where = f"persona {probe.persona!r}, background {probe.profile!r}, role {probe.role!r}"
    if probe.outcome != "ok":
        return
    if probe.modal is None or not 1 <= probe.modal <= 10:
        raise ResponseError(f"{where}: score {probe.modal}; a value is a score from 1 to 10")
    if probe.probabilities is not None and len(probe.probabilities) != 10:
        raise ResponseError(f"{where}: {len(probe.probabilities)} probabilities; ten are needed")


def _grouping(attributes: tuple[str, ...], probes: Sequence[Probe]) -> Grouping:
    by_group: dict[Values, list[Probe]] = {}
    for probe in probes:
        values = tuple(dict(probe.attributes)[name] for name in attributes)
        if all(values):
            by_group.setdefault(values, []).append(probe)
    contexts = [{context(probe, attributes) for probe in group} for group in by_group.values()]
    shared = set.intersection(*contexts) if contexts else set()
    members = tuple(
        Members(
            ", ".join(values),
            tuple(probe for probe in group if context(probe, attributes) in shared),
        )
        for values, group in by_group.items()
    )
    stated = sum(len(group) for group in by_group.values())
    kept = sum(len(group.probes) for group in members)
    return Grouping(" x ".join(attributes), attributes, members, stated - kept)
