"""Exact versions of packages: those that a constraints file pins, and those that are installed."""

from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from isogloss.errors import RecordError


def read_constraints(path: Path) -> dict[str, Requirement]:
    """The pins of a constraints file that hold on this platform, by the package's plain name.

    Raises:
        RecordError: the file is missing or unreadable, or a line is no pin.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read ({error}): restore it from git") from error
    pins: dict[str, Requirement] = {}
    for number, line in enumerate(lines, start=1):
        text = line.split("#", 1)[0].strip()
        if text:
            pin = _pin(text, f"{path}, line {number}")
            if pin.marker is None or pin.marker.evaluate():
                pins[canonicalize_name(pin.name)] = pin
    return pins


def _pin(text: str, place: str) -> Requirement:
    try:
        return Requirement(text)
    except InvalidRequirement as error:
        raise RecordError(f"{place}: {text!r} is no name with a version: correct it") from error


def installed_versions() -> dict[str, str]:
    """Version of every distribution on the module path, the first of a name, by its plain name."""
    found: dict[str, str] = {}
    for distribution in metadata.distributions():
        name = distribution.metadata["Name"]
        if name:
            found.setdefault(canonicalize_name(name), distribution.version)
    return found


def needed_packages(root: str) -> dict[str, str]:
    """Every package that `root` needs, directly or not, with the one that needs it first.

    Extras are followed as they are asked for. Packages that are not installed are named, and what
    they would need is not known.

    Raises:
        RecordError: `root` is not installed.
    """
    try:
        metadata.distribution(root)
    except metadata.PackageNotFoundError:
        raise RecordError(
            f"{root} is not an installed package, so what it needs is unknown: "
            "install it with `pip install -c constraints.txt -e .`"
        ) from None
    needed: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(root, frozenset[str]())]
    while waiting:
        one = waiting.pop(0)
        if one in seen:
            continue
        seen.add(one)
        for requirement in _requirements(*one):
            name = canonicalize_name(requirement.name)
            needed.setdefault(name, one[0])
            waiting.append((name, frozenset(requirement.extras)))
    return needed


def _requirements(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    try:
        listed = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for requirement in map(Requirement, listed):
        if _applies(requirement, extras):
            yield requirement


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    environments: list[Mapping[str, str]] = [{"extra": extra} for extra in ("", *extras)]
    return marker is None or any(marker.evaluate(dict(one)) for one in environments)
