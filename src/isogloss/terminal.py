"""What the terminal is told: messages of the program, and progress bars."""

import logging
import sys
from pathlib import Path

_logger = logging.getLogger("isogloss")


def speak(log: Path | None = None) -> None:
    """Send messages to standard error, and to a file, begun anew, where one is named."""
    _logger.setLevel(logging.INFO)
    _logger.propagate = False
    for earlier in _logger.handlers:
        earlier.close()
    _logger.handlers = [logging.StreamHandler(sys.stderr)]
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
        _logger.addHandler(logging.FileHandler(log, mode="w", encoding="utf-8"))
    for handler in _logger.handlers:
        handler.setFormatter(logging.Formatter("%(message)s"))


def hush() -> None:
    """Leave only warnings and errors to the terminal; a file still gets every message."""
    for handler in _logger.handlers:
        if not isinstance(handler, logging.FileHandler):
            handler.setLevel(logging.WARNING)


def tell(message: str, *, heed: bool) -> None:
    """Say what came of the work; what is to be heeded is said to a hushed terminal, too."""
    _logger.log(logging.WARNING if heed else logging.INFO, "%s", message)


def shows_bars() -> bool:
    """Whether a progress bar may be drawn: on a terminal, unless it is to be quiet.

    Bars are drawn on standard error only. Everything that draws one asks here.
    """
    hushed = any(handler.level > logging.INFO for handler in _logger.handlers)
    return sys.stderr.isatty() and not hushed
