"""What one reviewer is given, and the verdicts there are to choose from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from isogloss.errors import ConfigurationError
from isogloss.guises.definition import load_guise
from isogloss.review.pairs import ReviewPair

HumanVerdict = Literal["accept", "reject", "unsure"]
VERDICTS: tuple[HumanVerdict, ...] = get_args(HumanVerdict)
LONGEST_COMMENT = 2_000
"""Most characters of a comment."""
LONGEST_NAME = 80
"""Most characters of a reviewer's name."""

QUESTION = (
    "Accept a pair when both wordings state the same things, when the first differs from the "
    "second in the named manner and in nothing else, and when a person could have written either. "
    "Accept a text that stands by itself when it is in the named manner and a person could have "
    "written it. Reject otherwise, and say in the comment what is wrong. Unsure is an answer, too."
)
"""What a reviewer is asked about every pair."""


@dataclass(frozen=True)
class Batch:
    """The pairs that go to one reviewer."""

    pairs: tuple[ReviewPair, ...]
    guises: Mapping[str, str]
    """What each guise is, in words, by name; guises without a definition are left out."""
    reviewer: str = ""
    """Whom it is for; empty where it is not known."""
    blind: bool = False
    """Whether what the machine found is left out."""
    content_note: str = ""
    """What a reader should know before the texts are shown; empty where there is nothing."""

    @property
    def digest(self) -> str:
        """SHA-256 over the pairs' hashes and everything else that was given."""
        hashes = [pair.sha256 for pair in self.pairs]
        content = [hashes, self.reviewer, self.blind, self.content_note]
        return sha256(json.dumps(content).encode()).hexdigest()


def clean_name(name: str) -> str:
    """Return a reviewer's name with single blanks.

    Raises `ConfigurationError` when it is empty, longer than `LONGEST_NAME` or has a control
    character.
    """
    plain = " ".join(name.split())
    if not plain:
        raise ConfigurationError("the reviewer has no name; give one with --reviewer")
    if len(plain) > LONGEST_NAME or not plain.isprintable():
        raise ConfigurationError(
            f"the reviewer's name must be 1 to {LONGEST_NAME} plain characters"
        )
    return plain


def describe_guises(pairs: Sequence[ReviewPair], folder: Path) -> dict[str, str]:
    """Return title, phenomenon and what must stay for each guise that `folder` defines.

    Raises `ItemError` for a definition that cannot be read.
    """
    names = dict.fromkeys(name for pair in pairs for name in pair.definitions)
    described = {}
    for name in names:
        path = folder / f"{name}.yaml"
        if path.is_file():
            guise = load_guise(path)
            kept = "; ".join(guise.keep)
            described[name] = f"{guise.title}: {guise.phenomenon.strip()} What stays: {kept}."
    return described
