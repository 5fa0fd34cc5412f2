"""Runs Snakemake and DVC with the interpreter that runs this package."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from isogloss.errors import RecordError

_LINES_SHOWN = 15


def run_python(
    arguments: Sequence[str],
    *,
    folder: Path,
    purpose: str,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run `python arguments` in `folder` and return what it wrote to standard output.

    `purpose` completes the sentence "cannot ..." of the error. The child has no standard input,
    so nothing it starts can wait for an answer, and `-P` keeps `folder` off its module path.

    Raises:
        RecordError: the command ended with another status than 0; the last lines it wrote follow.
    """
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        written = (done.stdout + done.stderr).strip().splitlines()
        last = "\n".join(f"  {line}" for line in written[-_LINES_SHOWN:])
        raise RecordError(f"cannot {purpose}: `{' '.join(arguments[:3])}` failed with\n{last}")
    return done.stdout
