"""A recorded project whose artifacts are in a remote, and clones of it that have none."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.record.conftest import Project, _isolated, home, isolated, recorded  # noqa: F401

from isogloss.record.lock import read_lock
from isogloss.restore.objects import object_path

ARTIFACTS = (
    "data/code.sha256",
    "data/raw/toy/a.txt",
    "data/raw/toy/b.1.txt",
    "data/responses/toy/a.one",
    "data/responses/toy/a.two",
    "data/responses/toy/b.1.one",
    "data/responses/toy/b.1.two",
    "data/results/toy/all.csv",
    "reports/_site/index.html",
    "reports/_site/pages/1.html",
)


def configure(project: Project, address: str, **settings: str) -> None:
    """Make `address` the project's default remote, called `store`."""
    lines = [f"url = {address}", *(f"{name} = {value}" for name, value in settings.items())]
    text = "[core]\nremote = store\n['remote \"store\"']\n" + "\n".join(lines) + "\n"
    project.path(".dvc/config.local").write_text(text)


def artifacts(project: Project) -> dict[str, str]:
    """Content of the artifacts that stand in a project."""
    present = [name for name in ARTIFACTS if project.path(name).exists()]
    return {name: project.path(name).read_text() for name in present}


@dataclass(frozen=True)
class Clone(Project):
    """A clone, and the folder that is its remote."""

    store: Path

    def object(self, name: str) -> Path:
        """The remote's object of an artifact."""
        hashes = {out.path: out.md5 for out in read_lock(self.path("dvc.lock")).artifacts}
        found = object_path(self.store, hashes[name])
        found.chmod(0o644)
        return found


@pytest.fixture(scope="session")
def pushed(
    recorded: Project,  # noqa: F811
    home: Path,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A folder that holds what `dvc push` pushes; not to be changed."""
    folder = tmp_path_factory.mktemp("pushed")
    copy = Project(folder / "project")
    shutil.copytree(recorded.folder, copy.folder, symlinks=True)
    configure(copy, str(folder / "store"))
    with isolated(home):
        copy.dvc("push", "--quiet")
    return folder / "store"


@pytest.fixture
def make_clone(recorded: Project, tmp_path: Path) -> Callable[[Path], Clone]:  # noqa: F811
    """Make a fresh clone without a remote."""

    def make(store: Path) -> Clone:
        clone = Clone(tmp_path / "clone", store)
        recorded.git("clone", "--quiet", str(recorded.folder), str(clone.folder))
        return clone

    return make


@pytest.fixture
def clone(make_clone: Callable[[Path], Clone], pushed: Path, tmp_path: Path) -> Clone:
    """A fresh clone with a remote of its own."""
    store = tmp_path / "store"
    shutil.copytree(pushed, store)
    made = make_clone(store)
    configure(made, str(store))
    return made
