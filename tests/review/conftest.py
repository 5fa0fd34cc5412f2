"""A small item set, validated, with texts that try to be more than text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from isogloss.review.batch import Batch
from isogloss.review.decisions import Decision
from isogloss.review.pairs import PairKey, ReviewPair, read_pairs

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
HEBREW = ("אני בטוח שזה עובד.", "נראה לי שזה עובד.")
ROWS = {
    "007": ("I cut the bill by 40 percent.", "I think I cut the bill by 40 percent."),
    "i2": ("=1+1 is what I wrote.", "=1+1 is perhaps what I wrote."),
    "i3": (f"{HOSTILE} & so on", f"{HOSTILE} & maybe so on"),
    "i4": HEBREW,
    "i5": ("  Two lines,\nand \x07 a bell.", "Two lines,\r\nand possibly \x07 a bell. "),
    "i6": ("", "Nobody would say it."),
}
"""Plain and hedged wording by item."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the set `colours/set`: items, checks and verdicts."""
    folder = tmp_path / "items" / "colours" / "set"
    folder.mkdir(parents=True)
    items = [
        {"item_id": name, "question": f"Why {name}?", "plain": plain, "hedged": hedged}
        for name, (plain, hedged) in ROWS.items()
    ]
    pd.DataFrame(items).to_csv(folder / "items.csv", index=False)
    checks = [
        {
            "item_id": name,
            "contrast": "hedged - plain",
            "check": "similarity",
            "value": "" if name == "i6" else 0.9,
            "threshold": ">= 0.7",
            "passed": name != "i6",
            "repaired": False,
            "reason": "a wording is empty" if name == "i6" else "",
        }
        for name in ROWS
    ]
    pd.DataFrame(checks).to_csv(folder / "checks.csv", index=False)
    verdicts = [
        {
            "item_id": name,
            "contrast": "hedged - plain",
            "valid": name != "i6",
            "reason": "<b>a wording is empty</b>" if name == "i6" else "",
        }
        for name in ROWS
    ]
    pd.DataFrame(verdicts).to_csv(folder / "verdicts.csv", index=False)
    return folder


@pytest.fixture
def pairs(folder: Path) -> tuple[ReviewPair, ...]:
    return read_pairs(folder)


@pytest.fixture
def batch(pairs: tuple[ReviewPair, ...]) -> Batch:
    return Batch(pairs, {"hedged": "Hedging: <softened>."}, reviewer="Ana")


Decide = Callable[..., Decision]


@pytest.fixture
def decide() -> Decide:
    """Make a decision of Ana's; `item` and any field may be given."""
    first = Decision(
        "colours/set", "i1", "hedged - plain", "ab" * 32, "accept", "", "Ana",
        "2026-01-01T12:00:00Z", True, "cd" * 32,
    )  # fmt: skip

    def make(item: str = "i1", **changes: object) -> Decision:
        return replace(first, item_id=item, **changes)

    return make


@pytest.fixture
def pair() -> ReviewPair:
    key = PairKey("colours/set", "i1", "hedged - plain")
    return ReviewPair(key, "Why?", "hedged", "plain", "I think so.", "So.", True, "", ())
