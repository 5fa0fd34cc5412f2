"""Fitting one mixed model to each of many groups of rows, in several processes."""

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.families import Family
from isogloss.stats.glmm.fit import fit_glmm
from isogloss.stats.glmm.result import FitStatus, GlmmFit

Start = Literal["spawn", "forkserver"]

Outcome = tuple[int, GlmmFit | str]
"""Place of a group, and its fit or why there is none."""

_DIED = "the process that made the fit died; it may have run out of memory"


class Advances(Protocol):
    """What is told how far the work is, such as `isogloss.score.progress.Progress`."""

    def advance(self, count: int) -> None:
        """Say that `count` more fits are done."""


@dataclass(frozen=True, eq=False)
class GroupFit:
    """What became of the fit to one group of rows."""

    key: tuple[Any, ...]
    """Values of the columns of `by`."""
    n: int
    """Rows of the group, those that the fit dropped included."""
    status: FitStatus | Literal["error"]
    """Status of the fit, or `error` where there is none."""
    reason: str | None
    """Why the status is not `converged`, and what was left out; None where nothing is to say."""
    fit: GlmmFit | None
    """None only where the status is `error`."""


@dataclass(frozen=True)
class _Task:
    formula: str
    data: pd.DataFrame
    family: Family
    reml: bool
    trials: Any

    def run(self) -> GlmmFit | str:
        """Return the fit, or what was raised instead."""
        try:
            with threadpool_limits(limits=1):
                return fit_glmm(
                    self.formula, self.data, family=self.family, reml=self.reml, trials=self.trials
                )
        except StatisticsError as error:
            return str(error)
        except Exception as error:
            # One group's fault must not lose the others.
            return f"{type(error).__name__}: {error}"


def fit_many(
    formula: str,
    data: pd.DataFrame,
    by: str | Sequence[str],
    *,
    family: Family,
    reml: bool = False,
    trials: str | ArrayLike | None = None,
    workers: int | None = None,
    progress: Advances | None = None,
    start: Start = "spawn",
) -> list[GroupFit]:
    """Fit `formula` to the rows of each combination of the columns `by`, as `fit_glmm` does.

    The results are in the order in which groups first appear in `data`, and are those that one
    process gives, whatever the number of `workers` (by default, the CPUs that this process may use;
    1 starts no other process). Each worker computes with one thread. A group with a missing value
    in `by` is a group of its own. A fit that raises, and one whose process dies, gives a result of
    the status `error`; the others are not lost. `progress` is advanced by 1 for each group.

    Raises `StatisticsError` when a column of `by` does not exist, `workers` is below 1, or `trials`
    has another length than the data.
    """
    names = [by] if isinstance(by, str) else list(by)
    keys, tasks = _tasks(formula, data, names, family, reml, trials)
    if workers is not None and workers < 1:
        raise StatisticsError(f"workers is {workers}; pass a number of processes from 1")
    wanted = min(workers or _processors(), len(tasks))
    found: list[GlmmFit | str] = ["the fit was not made"] * len(tasks)
    outcomes = _serial(tasks) if wanted <= 1 else _parallel(tasks, wanted, start)
    for place, outcome in outcomes:
        found[place] = outcome
        if progress is not None:
            progress.advance(1)
    return [
        _result(key, len(task.data), outcome)
        for key, task, outcome in zip(keys, tasks, found, strict=True)
    ]


def _tasks(
    formula: str,
    data: pd.DataFrame,
    by: list[str],
    family: Family,
    reml: bool,
    trials: str | ArrayLike | None,
) -> tuple[list[tuple[Any, ...]], list[_Task]]:
    missing = [name for name in by if name not in data.columns]
    if missing or not by:
        what = f"by names {missing[0]!r}, which is no column of the data" if by else "by is empty"
        raise StatisticsError(f"{what}; name the columns whose combinations are fitted")
    counts = trials if trials is None or isinstance(trials, str) else np.asarray(trials)
    if isinstance(counts, np.ndarray) and counts.shape != (len(data),):
        raise StatisticsError(
            f"trials has shape {counts.shape}; pass one number for each of {len(data)} rows"
        )
    numbers = data.groupby(by, sort=False, dropna=False, observed=True).ngroup().to_numpy()
    keys, tasks = [], []
    for number in pd.unique(numbers):
        places = np.flatnonzero(numbers == number)
        own = counts[places] if isinstance(counts, np.ndarray) else counts
        keys.append(tuple(data[name].iloc[int(places[0])] for name in by))
        tasks.append(_Task(formula, data.iloc[places], family, reml, own))
    return keys, tasks


def _serial(tasks: list[_Task]) -> Iterator[Outcome]:
    for place, task in enumerate(tasks):
        yield place, task.run()


def _parallel(tasks: list[_Task], workers: int, start: Start) -> Iterator[Outcome]:
    """Yield outcomes as they come; where a process dies, find out whose fit it was.

    All fits that a broken pool leaves open look alike, so each of them is tried again, one at a
    time.
    """
    left = set(range(len(tasks)))
    for place, outcome in _pooled(tasks, workers, start):
        if outcome is not None:
            left.remove(place)
            yield place, outcome
    yield from _one_by_one({place: tasks[place] for place in sorted(left)}, start)


def _pooled(
    tasks: list[_Task], workers: int, start: Start
) -> Iterator[tuple[int, GlmmFit | str | None]]:
    with _pool(workers, start) as pool:
        futures = {pool.submit(task.run): place for place, task in enumerate(tasks)}
        try:
            for future in as_completed(futures):
                yield futures[future], _outcome(future)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _one_by_one(tasks: dict[int, _Task], start: Start) -> Iterator[Outcome]:
    waiting = deque(tasks.items())
    while waiting:
        with _pool(1, start) as pool:
            alive = True
            while waiting and alive:
                place, task = waiting.popleft()
                outcome = _outcome(pool.submit(task.run))
                alive = outcome is not None
                yield place, _DIED if outcome is None else outcome


def _pool(workers: int, start: Start) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(start))


def _outcome(future: "Future[GlmmFit | str]") -> GlmmFit | str | None:
    """Return what a process made of a task, or None where it died."""
    try:
        return future.result()
    except BrokenProcessPool:
        return None
    except Exception as error:
        # A task or a result that cannot be sent from one process to the other.
        return f"{type(error).__name__}: {error}"


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _result(key: tuple[Any, ...], n: int, outcome: GlmmFit | str) -> GroupFit:
    if isinstance(outcome, str):
        return GroupFit(key, n, "error", outcome, None)
    return GroupFit(key, n, outcome.status, "; ".join(outcome.reasons) or None, outcome)
