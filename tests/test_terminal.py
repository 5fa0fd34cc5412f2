"""What reaches the terminal, what a file gets, and when a bar is drawn."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from isogloss.terminal import hush, shows_bars, speak, tell

logger = logging.getLogger("isogloss")


@pytest.fixture(autouse=True)
def _log_put_back() -> Iterator[None]:
    before = logger.handlers, logger.level, logger.propagate
    yield
    for handler in logger.handlers:
        handler.close()
    logger.handlers, logger.level, logger.propagate = before


def test_a_file_gets_what_the_terminal_gets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "deep" / "x.log"
    speak(log)
    logger.info("read")
    logger.error("error: gone")
    assert capsys.readouterr() == ("", "read\nerror: gone\n")
    assert log.read_text(encoding="utf-8") == "read\nerror: gone\n"


def test_hushed_the_terminal_gets_warnings_and_the_file_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speak(tmp_path / "x.log")
    hush()
    logger.info("read")
    tell("3 responses, 0 missing", heed=False)
    tell("3 responses, 1 missing", heed=True)
    logger.warning("set a is out of reach")
    logger.error("error: gone")
    heeded = "3 responses, 1 missing\nset a is out of reach\nerror: gone\n"
    assert capsys.readouterr() == ("", heeded)
    said = (tmp_path / "x.log").read_text(encoding="utf-8")
    assert said == f"read\n3 responses, 0 missing\n{heeded}"


@pytest.mark.parametrize("log", [None, "x.log"])
@pytest.mark.parametrize(
    ("terminal", "hushed", "drawn"),
    [(True, False, True), (True, True, False), (False, False, False), (False, True, False)],
)
def test_bars_are_for_a_terminal_that_is_not_hushed(
    terminal: bool, hushed: bool, drawn: bool, log: str | None,
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:  # fmt: skip
    speak(None if log is None else tmp_path / log)
    if hushed:
        hush()
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    assert shows_bars() == drawn
