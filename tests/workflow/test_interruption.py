"""A run that is killed in the middle of scoring, and the run after it."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.workflow.conftest import INTERRUPTIBLE, ITEMS, MODEL, Run

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

# Batches are put together anew after an interruption, which moves a probability by about 1e-6.
TOLERANCE = 1e-5
STORE = Path(".isogloss/responses.sqlite")
PATIENCE_S = 240
KILLS = 10
ANSWERS = ITEMS * 3 * 2 + 3 + 3 + 6  # ratings; reasons, and the ratings after them; decisions


def test_a_killed_run_goes_on_where_it_was(
    finished: tuple[Run, str], copied: Callable[[], Run]
) -> None:
    run = copied()
    expected = pd.read_parquet(run.folder / INTERRUPTIBLE)
    for made in ("data/responses", "data/results", "reports/_generated", "reports/_site"):
        shutil.rmtree(run.folder / made)
    for made in ("reports/_variables.yml", "dvc.yaml", "dvc.lock", STORE):
        (run.folder / made).unlink()
    _run_and_kill(run)
    kept = _stored(run)
    assert kept > 0
    assert not (run.folder / INTERRUPTIBLE).exists()
    said = run.snakemake()
    reused = re.findall(r"^\S+ on \w+: .*: (\d+) of \d+ already stored$", said, flags=re.MULTILINE)
    assert sum(map(int, reused)) == kept
    assert run.isogloss("verify").returncode == 0
    _assert_same(pd.read_parquet(run.folder / INTERRUPTIBLE), expected)


def test_scoring_killed_ten_times_gives_the_same_responses(
    finished: tuple[Run, str], copied: Callable[[], Run]
) -> None:
    run = copied()
    table = run.folder / INTERRUPTIBLE
    expected = pd.read_parquet(table)
    for made in (table, run.folder / STORE):
        made.unlink()
    rng = random.Random(10)
    for left in range(KILLS, 0, -1):
        stored = _stored(run)
        _score_and_kill(run, stored + rng.randrange((ANSWERS - stored) // (left + 1) + 1), rng)
        assert not table.exists()
    stored = _stored(run)
    assert 0 < stored < ANSWERS
    done = run.isogloss(*_score(run))
    assert done.returncode == 0, done.stdout
    assert _stored(run) == ANSWERS
    _assert_same(pd.read_parquet(table), expected)


def _score(run: Run) -> list[str]:
    return ["score", "hedging", "own", MODEL, "--out", str(run.folder / INTERRUPTIBLE)]


def _score_and_kill(run: Run, answers: int, rng: random.Random) -> None:
    """Score, and kill the process at some moment after so many answers are stored."""
    with subprocess.Popen(
        [sys.executable, "-m", "isogloss", *_score(run)],
        cwd=run.folder,
        env=run.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + PATIENCE_S
        while _stored(run) < answers:
            assert process.poll() is None, "scoring ended before it could be killed"
            assert time.monotonic() < deadline, "no answer was stored in time"
            time.sleep(0.02)
        time.sleep(rng.uniform(0.0, 0.2))
        assert process.poll() is None, "scoring ended before it could be killed"
        os.killpg(process.pid, signal.SIGKILL)


def _run_and_kill(run: Run) -> None:
    """Start a plain run and kill all its processes once some answers are stored."""
    with subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "all"],
        cwd=run.folder,
        env=run.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + PATIENCE_S
        while _stored(run) < 2:
            assert process.poll() is None, "the run ended before it could be killed"
            assert time.monotonic() < deadline, "no answer was stored in time"
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)


def _stored(run: Run) -> int:
    if not (run.folder / STORE).is_file():
        return 0
    with closing(sqlite3.connect(run.folder / STORE, timeout=60)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM responses").fetchone()[0])
        except sqlite3.OperationalError:  # created, but its table is not there yet
            return 0


def _assert_same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    numbers = ["answer_mass", "expected"]
    exact = [c for c in expected.columns if c not in (*numbers, "probabilities", "answers")]
    pd.testing.assert_frame_equal(found[exact], expected[exact])
    np.testing.assert_allclose(found[numbers], expected[numbers], rtol=0, atol=4 * TOLERANCE)
    for one, other in zip(found["probabilities"], expected["probabilities"], strict=True):
        if other is None:
            assert one is None
        else:
            np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCE)
