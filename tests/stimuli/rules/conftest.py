"""Texts on which every rule is tried."""

import csv
from pathlib import Path

import pytest

HOSTILE = (
    "",
    " ",
    "\n\n",
    "???",
    "🎉",
    "she",
    "I'm",
    "’s",
    "'re 're",
    "שלום עולם. היא תמיד עובדת!",
    "She is 🎉 tired, and they are 🚀.\n\nThey don't have any 🍕.",
    "مرحبا, they are late \u202eand he is\u202c tired.",
    "He is\ttired.\r\nThey  are   late.\u00a0We are\u2028ready.",
    "\"They are late\" is 'what he is' (and it is a lie)…",
    "THEY ARE NOT HERE AND I THINK IT IS PROBABLY SO.",
    "I think. I think, I think I think, perhaps, perhaps perhaps.",
    "may have may have been may be, tends to tend to",
    "isn't aren't 'tain't n't 's 'd'd'd've",
    "x" * 5_000,
    "is " * 1_000,
    "`" * 300 + '"' * 301 + "“" * 300,
    "- They are late\n- He isn't\n- She usually works\n",
    "{'they are': \"she isn't\"} <b>he is tired</b> $they_are$",
    "Ne\u0301e and caf\u00e9 are late; they’re fine, she isn’t.",
)


@pytest.fixture(scope="session")
def confident(project: Path) -> tuple[str, ...]:
    """The confident answers that the project wrote."""
    path = project / "data" / "stimuli" / "hedging" / "items.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(row["confident"] for row in csv.DictReader(file))


@pytest.fixture(scope="session")
def texts(project: Path) -> tuple[str, ...]:
    """Every third authored answer in three guises, and texts that no rule should stumble over."""
    path = project / "data" / "stimuli" / "hedging" / "items.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = tuple(csv.DictReader(file))
    guises = ("confident", "hedged", "accent")
    return (*HOSTILE, *(row[guise] for row in rows[::3] for guise in guises))
