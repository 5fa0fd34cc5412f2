import logging

import pytest

from isogloss.reproduce.progress import Jobs


def test_jobs_are_counted_without_a_guess_of_the_time_left(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 20.0, 80.0, 95.0])
    monkeypatch.setattr("isogloss.score.progress.time.monotonic", lambda: next(times))
    caplog.set_level(logging.INFO, "isogloss")
    with Jobs("run the workflow anew") as jobs:
        jobs.at(1, 4)
        jobs.at(3, 4)
        jobs.at(4, 4)
    assert caplog.messages == [
        "run the workflow anew: 1/4, 20 s so far",
        "run the workflow anew: 3/4, 1 min 20 s so far",
        "run the workflow anew: 4/4, done in 1 min 35 s",
    ]


def test_a_live_bar_of_jobs_guesses_no_time_either(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isogloss.score.progress.shows_bars", lambda: True)
    with Jobs("run the workflow anew") as jobs:
        jobs.at(1, 4)
        jobs.at(4, 4)
    drawn = [line.strip() for line in capsys.readouterr().err.split("\r") if line.strip()]
    assert drawn[0] == "run the workflow anew: 0/0 jobs done"
    assert drawn[-1] == "run the workflow anew: 4/4 jobs done"
