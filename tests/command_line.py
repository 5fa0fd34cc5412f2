"""Call the command line within a test, as the script `isogloss` does."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from isogloss import cli


@dataclass(frozen=True)
class Said:
    """What a call said and how it ended."""

    status: int
    out: str
    err: str

    @property
    def everything(self) -> str:
        return self.out + self.err


Call = Callable[..., Said]


@contextmanager
def command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *group: str
) -> Iterator[Call]:
    """Give what calls `isogloss`, or a group of its commands; the log is put back afterwards."""
    logger = logging.getLogger("isogloss")
    before = logger.handlers, logger.level, logger.propagate
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["isogloss", *group, *map(str, arguments)])
        status = 0
        try:
            cli.main()
        except SystemExit as end:
            status = int(end.code or 0)
        return Said(status, *capsys.readouterr())

    yield run
    for handler in logger.handlers:
        handler.close()
    logger.handlers, logger.level, logger.propagate = before
