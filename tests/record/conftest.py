"""A small project with a real workflow, in a real git and DVC repository."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LIST_CODE = """\


import sys
from pathlib import Path

from isogloss.record.code import code_list

LIST_CODE = (
    "from pathlib import Path; from isogloss.record.code import CODE_LIST, code_list; "
    "Path(CODE_LIST).write_text(code_list(Path(), Path(\\"config/config.yaml\\")))"
)


rule list_code:
    output:
        "data/code.sha256",
    params:
        files=code_list(Path(), Path("config/config.yaml")),
    shell:
        "{sys.executable} -c '{LIST_CODE}'"
"""
"""The stage that lists the code, for the end of a Snakefile."""

SNAKEFILE = """\
import sys
from pathlib import Path

from isogloss.record.run_lock import run_lock

NAMES = ["a", "b.1"]
TARGETS = ["data/results/toy/all.csv", "reports/_site", "data/code.sha256"]
RECORD = "from pathlib import Path; from isogloss.record.recording import record; record(Path())"


onstart:
    run_lock(Path.cwd())


rule all:
    input:
        TARGETS,
        "dvc.lock",


rule fetch:
    input:
        "data/stimuli/items.csv",
    output:
        "data/raw/toy/{name}.txt",
    shell:
        "sed 's/item/{wildcards.name}/' {input} > {output}"


rule score:
    input:
        "data/raw/toy/{name}.txt",
    output:
        one="data/responses/toy/{name}.one",
        two="data/responses/toy/{name}.two",
    shell:
        '''
        cat {input} > {output.one}
        printf '%s "%s"\\\\n' "it's" "${{HOME:+{wildcards.name}}}" > {output.two}
        '''


rule analysis:
    input:
        expand("data/responses/toy/{name}.one", name=NAMES),
    output:
        "data/results/toy/all.csv",
    shell:
        "cat {input} > {output}"


rule site:
    input:
        "data/results/toy/all.csv",
        "data/stimuli",
    output:
        directory("reports/_site"),
    shell:
        "mkdir -p {output}/pages; cp {input[0]} {output}/index.html; echo 1 > {output}/pages/1.html"


rule record:
    input:
        TARGETS,
        expand("data/responses/toy/{name}.two", name=NAMES),
    output:
        "dvc.yaml",
        "dvc.lock",
    shell:
        "{sys.executable} -c '{RECORD}'"
"""
SNAKEFILE += LIST_CODE

PROFILE = """\
cores: 1
nolock: true
rerun-incomplete: true
max-checksum-file-size: 1000000000000
"""

GITIGNORE = """\
.snakemake/
/data/code.sha256
/data/raw/
/data/responses/
/data/results/
/reports/_site/
"""


@dataclass(frozen=True)
class Project:
    """The folder of a project, and the programs that a person runs in it."""

    folder: Path

    def path(self, name: str) -> Path:
        return self.folder / name

    def snakemake(self, *options: str) -> subprocess.CompletedProcess[str]:
        return self._run(sys.executable, "-m", "snakemake", *(options or ("--cores", "all")))

    def dvc(self, *arguments: str) -> str:
        return self._succeed(sys.executable, "-m", "dvc", *arguments)

    def git(self, *arguments: str) -> str:
        return self._succeed("git", *arguments)

    def edit(self, name: str, old: str, new: str) -> None:
        text = self.path(name).read_text()
        assert old in text
        self.path(name).write_text(text.replace(old, new))

    def _succeed(self, *command: str) -> str:
        done = self._run(*command)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, encoding="utf-8", check=False
        )


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder for the programs."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module", autouse=True)
def _isolated(home: Path) -> Iterator[None]:
    with isolated(home):
        yield


@contextmanager
def isolated(home: Path) -> Iterator[None]:
    """Keep the programs' caches and settings away from those of the person who runs the tests."""
    settings = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "DVC_NO_ANALYTICS": "true",
        "DVC_SITE_CACHE_DIR": str(home / "dvc"),
        "DVC_GLOBAL_CONFIG_DIR": str(home / "dvc-global"),
        "DVC_SYSTEM_CONFIG_DIR": str(home / "dvc-system"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
    } | {
        f"GIT_{role}_{part}": "toy@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        yield


def _write_project(folder: Path) -> Project:
    project = Project(folder)
    for name in ("data/stimuli", "profiles/default", ".dvc"):
        project.path(name).mkdir(parents=True)
    project.path("Snakefile").write_text(SNAKEFILE)
    project.path("profiles/default/config.yaml").write_text(PROFILE)
    project.path(".gitignore").write_text(GITIGNORE)
    project.path("data/stimuli/items.csv").write_text("item 1\nitem 2\n")
    for name in (".dvc/config", ".dvc/.gitignore", ".dvcignore"):
        shutil.copy(ROOT / name, project.path(name))
    return project


def run_and_commit(project: Project) -> None:
    """Run the workflow of a new project once, and commit the project with its record."""
    project.git("init", "--quiet", "--initial-branch", "main")
    done = project.snakemake()
    assert done.returncode == 0, done.stdout + done.stderr
    project.git("add", ".")
    project.git("commit", "--quiet", "--message", "Record a run")


@pytest.fixture(scope="session")
def recorded(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project after one run of its workflow; not to be changed."""
    project = _write_project(tmp_path_factory.mktemp("recorded"))
    with isolated(home):
        run_and_commit(project)
    return project


@pytest.fixture
def project(recorded: Project, tmp_path: Path) -> Project:
    """A copy of the recorded project, file times included."""
    shutil.copytree(recorded.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture(scope="session")
def recorded_chain(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with every link of the chain, run, recorded and committed; not to be changed."""
    from tests.record.chain_project import write_chain_project

    project = write_chain_project(tmp_path_factory.mktemp("chain") / "project")
    with isolated(home):
        run_and_commit(project)
    return project


@pytest.fixture
def chain(recorded_chain: Project, tmp_path: Path) -> Project:
    """A copy of the recorded chain, file times included."""
    shutil.copytree(recorded_chain.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")
