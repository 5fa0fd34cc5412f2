"""One device of a guise, found in a text."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Marker:
    """A stretch of text that is a device of a guise."""

    start: int
    """Offset of its first character in the text."""
    end: int
    """Offset behind its last character in the text."""
    text: str
    """The characters between the two."""
    device: str
    """Name of the device, as the guise's definition has it."""
