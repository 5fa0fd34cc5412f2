"""A posting shows the part that is asked for."""

import pytest

from isogloss.errors import ItemError
from isogloss.postings.posting import Part, Posting

POSTING = Posting("Baker", "Bake bread at 4:00.")


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ("full", "Job title: Baker\nJob description: Bake bread at 4:00."),
        ("description", "Job description: Bake bread at 4:00."),
        ("title", "Job title: Baker"),
    ],
)
def test_part(part: Part, shown: str) -> None:
    assert POSTING.shown(part) == shown


def test_a_posting_without_title_is_shown_without_one() -> None:
    assert Posting("", "Bake.").shown("full") == "Job description: Bake."


@pytest.mark.parametrize(
    ("posting", "part"),
    [
        (Posting("", "Bake."), "title"),
        (Posting("Baker", ""), "full"),
        (Posting("Baker", ""), "description"),
    ],
)
def test_nothing_to_show_is_an_error(posting: Posting, part: Part) -> None:
    with pytest.raises(ItemError, match=f"has no {part} to show"):
        posting.shown(part)
