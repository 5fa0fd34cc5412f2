"""Word lists, and which of them make up the classic tests. Kept in `data/weat`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from isogloss.config.base import Strict
from isogloss.config.faults import first_fault
from isogloss.config.load import read_yaml
from isogloss.errors import ConfigurationError, ItemError

Name = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
Word = Annotated[str, Field(min_length=1, max_length=100)]


class ClassicTest(Strict):
    """A test between targets X and Y with attributes A and B, each the name of a list."""

    title: Annotated[str, Field(min_length=1)]
    x: Name
    y: Name
    a: Name
    b: Name
    published: float | None = None
    """Effect size that the source found with vectors of its own."""


class ListsFile(Strict):
    """Form of a file of word lists."""

    sources: Annotated[dict[str, str], Field(min_length=1)]
    """Where lists and tests come from, by key."""
    lists: dict[Name, Annotated[tuple[Word, ...], Field(min_length=1, strict=False)]]
    tests: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")], ClassicTest] = {}

    @model_validator(mode="after")
    def _lists_exist(self) -> Self:
        for name, test in self.tests.items():
            for wanted in (test.x, test.y, test.a, test.b):
                if wanted not in self.lists:
                    raise ValueError(f"test {name}: there is no list {wanted!r}")
        return self


@dataclass(frozen=True)
class WordList:
    """Words under one name, as they are written."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class WordLists:
    """A file of word lists."""

    path: Path
    lists: dict[str, WordList]
    tests: dict[str, ClassicTest]

    def named(self, name: str) -> WordList:
        """Return a list; raise `ConfigurationError` naming those that exist."""
        if name not in self.lists:
            known = ", ".join(self.lists) or "none"
            raise ConfigurationError(f"{self.path} has no word list {name!r}; there are {known}")
        return self.lists[name]


def load_lists(path: Path) -> WordLists:
    """Read a file of the form `ListsFile`; raise `ItemError` naming the file and the field."""
    try:
        file = ListsFile.model_validate(read_yaml(path))
    except (RecursionError, ConfigurationError) as error:
        raise ItemError(f"{path}: the word lists cannot be read ({error})") from error
    except ValidationError as error:
        raise ItemError(f"{path}: {first_fault(error, 'the file')}") from error
    lists = {name: WordList(name, words) for name, words in file.lists.items()}
    return WordLists(path, lists, file.tests)
