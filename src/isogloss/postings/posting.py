"""Job postings, and how much of one is shown."""

from dataclasses import dataclass
from typing import Literal, get_args

from isogloss.errors import ItemError

Part = Literal["full", "description", "title"]
"""What a model sees: the whole posting, or the description or the title alone."""

PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True)
class Posting:
    """A job posting; a part that it does not have is empty."""

    title: str
    description: str

    def shown(self, part: Part) -> str:
        """Return the posting as a prompt shows it.

        Raises `ItemError` when the posting has nothing of that part.
        """
        title = f"Job title: {self.title}" if self.title and part != "description" else ""
        text = f"Job description: {self.description}" if part != "title" else ""
        if not (title if part == "title" else self.description):
            raise ItemError(f"the posting {self.title or '(no title)'!r} has no {part} to show")
        return "\n".join(filter(None, [title, text]))
