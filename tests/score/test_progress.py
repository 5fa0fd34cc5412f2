import logging
import sys

import pytest

from isogloss.score.progress import Progress, time_left


@pytest.mark.parametrize(
    ("elapsed", "done", "open_", "said"),
    [
        (12.4, 10, 0, "done in 12 s"),
        (0.0, 0, 0, "done in 0 s"),
        (3.0, 0, 7, "time left unknown"),
        (10.0, 10, 30, "about 30 s left"),
        (10.0, 10, 59, "about 59 s left"),
        (10.0, 10, 60, "about 1 min 0 s left"),
        (10.0, 4, 50, "about 2 min 5 s left"),
        (1.0, 100, 1, "about 0 s left"),
        (60.0, 1, 120, "about 120 min 0 s left"),
    ],
)
def test_time_left_in_words(elapsed: float, done: int, open_: int, said: str) -> None:
    assert time_left(elapsed, done, open_) == said


class Clock:
    """A clock that stands still until it is moved on."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("isogloss.score.progress.time.monotonic", clock)
    return clock


def _said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_a_log_gets_a_line_every_fifteen_seconds_and_one_at_the_end(
    clock: Clock, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO, "isogloss")
    with Progress("ratings", 5) as bar:
        for seconds in (10, 10, 10, 10, 1):
            clock.now += seconds
            bar.advance(1)
    assert _said(caplog) == [
        "ratings: 2/5, about 30 s left",
        "ratings: 4/5, about 10 s left",
        "ratings: 5/5, done in 41 s",
    ]
    assert capsys.readouterr().err == ""  # no live bar where there is no terminal


def test_what_was_stored_before_is_said_and_not_counted_as_pace(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "isogloss")
    with Progress("ratings", 100) as bar:
        bar.reuse(60)
        bar.reuse(30)
        clock.now += 20
        bar.advance(2)
    assert _said(caplog) == [
        "ratings: 60 of 100 already stored",
        "ratings: 90 of 100 already stored",
        "ratings: 92/100, about 1 min 20 s left",  # two in twenty seconds, eight to go
    ]


def test_nothing_stored_is_not_worth_a_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "isogloss")
    with Progress("ratings", 7) as bar:
        bar.reuse(0)
    assert _said(caplog) == []


def test_a_finished_run_says_so_and_counts_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "isogloss")
    with Progress("ratings", 7) as bar:
        bar.reuse(7)
    assert _said(caplog) == ["ratings: 7 of 7 already stored"]


def test_a_terminal_gets_a_bar(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "isogloss")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress("ratings", 3) as bar:
        bar.reuse(1)
        bar.advance(2)
    shown = capsys.readouterr().err
    assert "ratings" in shown
    assert "3/3" in shown
    assert _said(caplog) == ["ratings: 1 of 3 already stored"]


def test_a_hushed_terminal_gets_no_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    quiet = logging.StreamHandler(sys.stderr)
    quiet.setLevel(logging.WARNING)
    monkeypatch.setattr(logging.getLogger("isogloss"), "handlers", [quiet])
    with Progress("ratings", 3) as bar:
        bar.reuse(1)
        bar.advance(2)
    assert capsys.readouterr().err == ""


def test_an_error_inside_is_not_swallowed() -> None:
    with pytest.raises(KeyError), Progress("ratings", 2):
        raise KeyError("inside")
