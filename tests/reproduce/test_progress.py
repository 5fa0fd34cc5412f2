import logging

import pytest

from isogloss.reproduce.progress import Jobs


def test_jobs_are_counted_without_a_guess_of_the_time_left(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 20.0, 90.0])
    monkeypatch.setattr("isogloss.score.progress.time.monotonic", lambda: next(times))
    caplog.set_level(logging.INFO, "isogloss")
    with Jobs("run the workflow anew") as jobs:
        jobs.at(1, 4)
        jobs.at(4, 4)
    assert caplog.messages == [
        "run the workflow anew: 1/4, 20 s so far",
        "run the workflow anew: 4/4, 90 s so far",
    ]
