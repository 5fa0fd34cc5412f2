"""The published validator on a package, where it is installed.

`pipx install roc-validator`; it cannot share an environment with Isogloss, and reads two JSON-LD
contexts from the network.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.crate.package import package
from isogloss.crate.terms import Terms


@pytest.mark.slow
@pytest.mark.parametrize("name", ["run", "run.zip"])
def test_the_validator_finds_nothing_required_missing(
    recorded: Project, terms: dict[str, Terms], tmp_path: Path, name: str
) -> None:
    validator = shutil.which("rocrate-validator")
    if validator is None:
        pytest.skip("there is no rocrate-validator: pipx install roc-validator")
    out = package(recorded.folder, tmp_path / name, terms).out
    options = ("--profile-identifier", "provenance-run-crate", "--skip-availability-check")
    done = subprocess.run(
        [validator, "-y", "validate", *options, "--no-paging", "--verbose", str(out)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
