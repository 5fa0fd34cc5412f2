"""A small recorded project with an open source, a closed one, and a report; and GnuPG keys."""

import csv
import hashlib
import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.record.conftest import PROFILE, ROOT, Project, _isolated, home, isolated

from isogloss.crate.terms import Terms, terms_of
from isogloss.fetch.sources import load_sources

__all__ = ["_isolated", "home"]

SENTENCE = "every morning the careful gardener waters nine rows of beans and two of peas"
"""Text of the closed source, of fourteen words."""

SNAKEFILE = """\
import sys

RECORD = "from pathlib import Path; from isogloss.record.recording import record; record(Path())"
RAW = ["data/raw/open/words.txt", "data/raw/closed/items.csv"]


rule all:
    input:
        "reports/_site",
        "data/results/toy/quote.csv",
        "data/results/toy/empty dir",
        "dvc.lock",


rule fetch:
    input:
        "upstream/{name}",
    output:
        "data/raw/{source}/{name}",
    shell:
        "cp {input} {output} # --config config/toy.yaml"


rule stimuli:
    input:
        "data/raw/closed/items.csv",
    output:
        "data/items/toy/items.csv",
        "data/items/toy/numbers.csv",
    shell:
        "cp {input} {output[0]}; echo 1,2 > {output[1]}"


rule own:
    input:
        "data/raw/open/words.txt",
    output:
        "data/items/own/items.csv",
    shell:
        "cp {input} {output}"


rule analysis:
    input:
        "data/items/toy/items.csv",
        "data/items/own/items.csv",
    output:
        "data/results/toy/counts.csv",
        "data/results/toy/quote.csv",
        directory("data/results/toy/empty dir"),
    shell:
        "wc -w {input} > {output[0]}; tail -1 {input[0]} > {output[1]}; mkdir '{output[2]}'; "
        "echo nothing > '{output[2]}/a file.txt'"


rule report:
    input:
        "data/results/toy/counts.csv",
        "data/raw/closed/items.csv",
        "data/sources.yaml",
        "reports/index.qmd",
    output:
        directory("reports/_site"),
    shell:
        "mkdir -p {output}; echo '<p>14 words</p>' > {output}/index.html; "
        "cp {input[0]} {output}/counts.txt"


rule record:
    input:
        "reports/_site",
        "data/results/toy/quote.csv",
        "data/items/toy/numbers.csv",
    output:
        "dvc.yaml",
        "dvc.lock",
    shell:
        "{sys.executable} -c '{RECORD}'"
"""

SOURCES = """\
open:
  kind: file
  title: Words
  url: https://example.org/words.txt
  mirror: toy/words.txt
  sha256: {open}
  bytes: 1
  licence: MIT
  citation: toy
closed:
  kind: file
  title: Sentences
  url: https://example.org/items.csv
  mirror: toy/items.csv
  sha256: {closed}
  bytes: 1
  licence: none stated by its authors; read at run time, never redistributed
  citation: toy
"""

CITATION = """\
cff-version: 1.2.0
message: Please cite.
title: A toy
version: 1.2.3
authors:
  - family-names: Müller
    given-names: Ada
    orcid: https://orcid.org/0000-0002-1825-0097
  - name: The toy group
license: Apache-2.0
keywords: [toys, tests]
"""

GITIGNORE = """\
.snakemake/
/data/raw/
/data/items/
/data/results/
/reports/_site/
"""


def _write(folder: Path) -> Project:
    items = io.StringIO()
    csv.writer(items).writerows([["id", "text"], ["1", SENTENCE]])
    texts = {
        "Snakefile": SNAKEFILE,
        "profiles/default/config.yaml": PROFILE,
        "config/toy.yaml": "seed: 1\n",
        "constraints.txt": "# pins\nsnakemake==9.27.0\nnumpy==2.4.6  # arrays\n",
        "data/sources.yaml": SOURCES.format(
            open=hashlib.sha256(b"a").hexdigest(), closed=hashlib.sha256(b"b").hexdigest()
        ),
        "upstream/words.txt": "a few plain words that nobody minds to be handed on at all\n",
        "upstream/items.csv": items.getvalue(),
        "reports/index.qmd": "# Toy\n",
        "src/toy/module.py": "print(1)\n",
        "CITATION.cff": CITATION,
        "LICENSE": "Apache License\n",
        "README.md": "# A toy\n",
        ".gitignore": GITIGNORE,
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / ".dvc").mkdir()
    for name in (".dvc/config", ".dvc/.gitignore", ".dvcignore"):
        shutil.copy(ROOT / name, folder / name)
    return Project(folder)


@pytest.fixture(scope="session")
def recorded(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project after one run of its workflow, committed; not to be changed."""
    project = _write(tmp_path_factory.mktemp("packaged") / "project")
    with isolated(home):
        project.git("init", "--quiet", "--initial-branch", "main")
        done = project.snakemake()
        assert done.returncode == 0, done.stdout + done.stderr
        project.git("add", ".")
        project.git("commit", "--quiet", "--date=2026-05-06T07:08:09Z", "--message", "Record a run")
    return project


@pytest.fixture
def project(recorded: Project, tmp_path: Path) -> Project:
    """A copy of the recorded project, file times included."""
    shutil.copytree(recorded.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture(scope="session")
def terms(recorded: Project) -> dict[str, Terms]:
    """Terms of the project's two sources."""
    return terms_of(load_sources(recorded.path("data/sources.yaml")))


@dataclass(frozen=True)
class Keys:
    """Two throwaway keys of GnuPG."""

    mine: str
    """Address of the key that signs."""
    public: Path
    """Its public key."""
    other: Path
    """The public key of somebody else."""


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keys]:
    """Keys in a GNUPGHOME of their own; the test is skipped where there is no GnuPG."""
    if shutil.which("gpg") is None:
        pytest.skip("there is no gpg")
    folder = tmp_path_factory.mktemp("keys")
    # The agent's socket has to have a short path, which those of pytest are not.
    with tempfile.TemporaryDirectory(prefix="gpg") as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNUPGHOME", home)
        for name in ("mine", "other"):
            address = f"{name}@example.org"
            new = ("--passphrase", "", "--quick-generate-key", f"Toy <{address}>", "ed25519")
            gpg(*new, "sign", "never")
            (folder / f"{name}.asc").write_text(gpg("--armor", "--export", address))
        yield Keys("mine@example.org", folder / "mine.asc", folder / "other.asc")
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=False, env=os.environ)


def gpg(*arguments: str) -> str:
    """Call GnuPG with the keys of the test."""
    done = subprocess.run(
        ["gpg", "--batch", "--no-tty", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
