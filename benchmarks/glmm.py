"""CPU time of mixed models on one thread, and of R on the same data.

Run `python -m benchmarks.glmm` from the project's folder. Each workload is fitted in a process of
its own: once for the compilation, then `--rounds` times. Where Rscript and the packages of a
workload are installed, R fits the same rows, and ratios of CPU time and differences of
log-likelihood and coefficients (in standard errors) stand beside. R on 801,100 rows takes minutes
and gigabytes: it runs with `--large` only. Exit status 1 when a result differs from R's or a fit
ended without a maximum.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from isogloss.stats.glmm import fit_glmm
from isogloss.stats.glmm.families import Family

CONVERSATIONS, USERS, LLMS = 8_011, 1_396, 21
FIXED = "y ~ ident + ctrl + conv"
SAME_LOGLIK, SAME_COEFFICIENT = 1e-4, 0.002
"""Differences from R that count as none: absolute, and in standard errors."""

_PREAMBLE = """
args <- commandArgs(TRUE)
d <- read.csv(args[1], stringsAsFactors = TRUE)
f <- as.formula(args[2])
suppressMessages(library(PACKAGE, character.only = TRUE))
"""
_RESULT = """
cat(sprintf('{"seconds": %.4f, "loglik": %.8f, "coef": [%s]}\\n', t[[1]] + t[[2]],
    as.numeric(logLik(m)), paste(sprintf("%.10f", b), collapse = ",")))
"""
_FITS = {
    "glmmTMB": "t <- system.time(m <- glmmTMB(f, d, family = beta_family())); b <- fixef(m)$cond",
    "lme4": "t <- system.time(m <- lmer(f, d, REML = TRUE)); b <- fixef(m)",
    "ordinal": "d$y <- factor(d$y); t <- system.time(m <- clmm(f, d)); b <- m$beta",
}


@dataclass(frozen=True)
class Workload:
    """One model on one simulated table."""

    family: Family
    groups: str
    questions: int
    """Questions asked of each conversation; 0 for one row each."""
    engine: str
    """Package of R that fits the same model."""
    goal: float
    """CPU seconds, or times faster than R where `relative`."""
    relative: bool = False
    memory: float = 500.0
    """MB that the process may hold at most."""

    @property
    def formula(self) -> str:
        """Formula of fixed effects and random intercepts."""
        return f"{FIXED} + {self.groups}"


WORKLOADS: Mapping[str, Workload] = {
    "beta": Workload("beta", "(1 | user) + (1 | llm)", 0, "glmmTMB", 0.25),
    "ordinal": Workload("ordinal", "(1 | user) + (1 | llm)", 0, "ordinal", 50, relative=True),
    "gaussian": Workload("gaussian", "(1 | user) + (1 | llm)", 0, "lme4", 1, relative=True),
    "pooled": Workload("beta", "(1 | question) + (1 | llm)", 100, "glmmTMB", 3),
    "pooled-user": Workload(
        "beta", "(1 | question) + (1 | llm) + (1 | user)", 100, "glmmTMB", 40, memory=700
    ),
}


def simulate(workload: Workload, seed: int = 0) -> pd.DataFrame:
    """Draw conversations of users with models, each with `questions` rows."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(CONVERSATIONS - USERS, rng.dirichlet(np.full(USERS, 3.0))) + 1
    user = np.repeat(np.arange(USERS), counts)
    codes = {
        "user": user,
        "llm": rng.choice(LLMS, CONVERSATIONS, p=rng.dirichlet(np.full(LLMS, 5.0))),
        "ident": rng.choice(5, USERS, p=[0.55, 0.20, 0.12, 0.08, 0.05])[user],
        "ctrl": rng.choice(3, USERS, p=[0.45, 0.45, 0.10])[user],
        "conv": rng.choice(3, CONVERSATIONS, p=[0.40, 0.35, 0.25]),
    }
    eta = -0.3 + np.array([0, 0.2, -0.15, 0.1, -0.3])[codes["ident"]]
    eta += np.array([0, 0.1, -0.05])[codes["ctrl"]] + np.array([0, 0.25, -0.1])[codes["conv"]]
    eta += rng.normal(0, 0.6, USERS)[user] + rng.normal(0, 0.35, LLMS)[codes["llm"]]
    if workload.questions:
        codes = {name: np.repeat(code, workload.questions) for name, code in codes.items()}
        codes["question"] = np.tile(np.arange(workload.questions), CONVERSATIONS)
        eta = np.repeat(eta, workload.questions)
        eta += rng.normal(0, 0.9, workload.questions)[codes["question"]]
    frame = {
        name: pd.Categorical.from_codes(code, [f"{name}{i:04d}" for i in range(code.max() + 1)])
        for name, code in codes.items()
    }
    return pd.DataFrame({**frame, "y": _response(workload.family, eta, rng)})


def measure(workload: Workload, rounds: int) -> dict[str, Any]:
    """Fit a part of the rows for the compilation, then all rows `rounds` times."""
    data = simulate(workload)
    options: dict[str, Any] = {"family": workload.family, "reml": workload.family == "gaussian"}
    start = time.process_time()
    fit_glmm(workload.formula, data.iloc[: max(len(data) // 50, 2_000)], **options)
    first = time.process_time() - start
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        fit = fit_glmm(workload.formula, data, **options)
        seconds.append(time.process_time() - start)
    return {
        "first": first,
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "rows": len(data),
        "status": fit.status,
        "loglik": fit.loglik,
        "coef": fit.coef.tolist(),
        "se": fit.se.tolist(),
    }


def measure_r(workload: Workload) -> dict[str, Any] | None:
    """Fit the same rows with R; None where it or the package is missing."""
    if shutil.which("Rscript") is None:
        return None
    script = _PREAMBLE.replace("PACKAGE", repr(workload.engine))
    with tempfile.TemporaryDirectory() as folder:
        table, program = Path(folder, "data.csv"), Path(folder, "fit.R")
        simulate(workload).to_csv(table, index=False)
        program.write_text(script + _FITS[workload.engine] + _RESULT, encoding="utf-8")
        command = ["Rscript", str(program), str(table), workload.formula]
        done = subprocess.run(
            command, env=_one_thread(), capture_output=True, text=True, check=False
        )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["killed, perhaps for its memory"]
        print(f"  R ended with status {done.returncode}: {said[-1]}", file=sys.stderr)
        return None
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def report(name: str, ours: dict[str, Any], theirs: dict[str, Any] | None) -> bool:
    """Print a workload's figures; return whether the fit ended well and they agree with R's."""
    workload = WORKLOADS[name]
    best, ended = min(ours["seconds"]), ours["status"] in ("converged", "boundary")
    print(
        f"{name}: {ours['rows']} rows, {ours['status']}, {best:.3f} s CPU "
        f"(first fit with compilation or its cache {ours['first']:.1f} s), "
        f"peak {ours['peak']:.0f} MB"
    )
    print(f"  goal at most {workload.memory:g} MB: {_reached(ours['peak'] <= workload.memory)}")
    if not workload.relative:
        print(f"  goal {workload.goal} s: {_reached(best <= workload.goal)}")
    if theirs is None:
        print("  R: not measured")
        return ended
    ratio = theirs["seconds"] / best
    off = np.abs((np.array(ours["coef"]) - theirs["coef"]) / ours["se"]).max()
    apart = ours["loglik"] - theirs["loglik"]
    print(
        f"  R {workload.engine}: {theirs['seconds']:.3f} s, {ratio:.1f} times ours; log-likelihood "
        f"ours - R {apart:.2e}, largest difference of a coefficient {off:.1e} SE"
    )
    if workload.relative:
        print(f"  goal {workload.goal:g} times faster than R: {_reached(ratio >= workload.goal)}")
    return bool(ended and abs(apart) < SAME_LOGLIK and off < SAME_COEFFICIENT)


def main() -> int:
    """Measure the workloads that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", action="append", choices=WORKLOADS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-r", action="store_true", help="do not run R")
    parser.add_argument("--large", action="store_true", help="run R on 801,100 rows too")
    parser.add_argument("--child", choices=WORKLOADS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(WORKLOADS[options.child], options.rounds)))
        return 0
    agree = True
    for name in options.workload or WORKLOADS:
        command = [sys.executable, "-m", "benchmarks.glmm", "--child", name]
        command += ["--rounds", str(options.rounds)]
        done = subprocess.run(
            command, env=_one_thread(), capture_output=True, text=True, check=True
        )
        ours = json.loads(done.stdout.strip().splitlines()[-1])
        with_r = not options.no_r and (options.large or not WORKLOADS[name].questions)
        agree &= report(name, ours, measure_r(WORKLOADS[name]) if with_r else None)
    return 0 if agree else 1


def _reached(goal: bool) -> str:
    return "reached" if goal else "NOT reached"


def _one_thread() -> dict[str, str]:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, "1")}


def _response(family: Family, eta: Any, rng: np.random.Generator) -> Any:
    n = eta.size
    if family == "beta":
        mu = expit(eta)
        return (rng.beta(mu * 8, (1 - mu) * 8) * (n - 1) + 0.5) / n
    if family == "gaussian":
        return 10 + 2 * eta + rng.normal(0, 1.5, n)
    return 1 + np.searchsorted([-2.0, -0.8, 0.4, 1.8], eta + rng.logistic(size=n))


if __name__ == "__main__":
    sys.exit(main())
