"""The list of the code behind a run, and what is said of code that is not in it."""

import hashlib
import subprocess
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.errors import RecordError
from isogloss.record.code import CODE_LIST, changed_code, code_list
from isogloss.record.lock import Lock, read_lock
from isogloss.stage_code import code_files

CONFIG = Path("config/config.yaml")
LOCK = f"""\
schema: '2.0'
stages:
  list_code:
    cmd: isogloss list-code
    outs:
    - path: {CODE_LIST}
      hash: md5
      md5: 26bfa9cd5af3ff5b2c9ef6ae83eb7d6d
      size: 1
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    for name in ("workflow/rules/a.smk", "workflow/.swp", "Snakefile", str(CONFIG), "README.md"):
        made.path(name).parent.mkdir(parents=True, exist_ok=True)
        made.path(name).write_text("one\n")
    made.path("dvc.lock").write_text(LOCK)
    made.path(CODE_LIST).parent.mkdir()
    made.path(CODE_LIST).write_text(code_list(made.folder, CONFIG))
    return made


@pytest.fixture
def lock(project: Project) -> Lock:
    return read_lock(project.path("dvc.lock"))


def _own(listed: str) -> list[str]:
    """Lines of the project's own files."""
    return [line for line in listed.splitlines() if "  src/isogloss/" not in line]


def test_the_list_has_code_and_settings_and_nothing_else(project: Project) -> None:
    digest = hashlib.sha256(b"one\n").hexdigest()
    listed = code_list(project.folder, CONFIG)
    expected = [f"{digest}  {name}" for name in ("Snakefile", CONFIG, "workflow/rules/a.smk")]
    assert _own(listed) == expected
    package = {line.partition("  ")[2] for line in listed.splitlines()} - {
        line.partition("  ")[2] for line in expected
    }
    assert package == code_files().keys()


def test_sha256sum_reads_the_list(project: Project) -> None:
    own = "".join(f"{line}\n" for line in _own(project.path(CODE_LIST).read_text()))
    command = ["sha256sum", "--check", "--strict"]
    done = subprocess.run(
        command, cwd=project.folder, input=own, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == 3


def test_a_configuration_elsewhere_is_named_from_the_project(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "other.yaml"
    elsewhere.write_text("two\n")
    listed = code_list(project.folder, elsewhere)
    assert f"  ../{elsewhere.parent.name}/other.yaml\n" in listed
    assert str(elsewhere) not in listed
    assert f"  {CONFIG}\n" not in listed


def test_line_ends_make_no_difference(project: Project, lock: Lock) -> None:
    project.path("Snakefile").write_bytes(b"one\r\n")
    assert changed_code(project.folder, CONFIG, lock) == ()


def test_changed_new_and_deleted_files_are_named(project: Project, lock: Lock) -> None:
    project.path("Snakefile").write_text("two\n")
    project.path("workflow/rules/b.smk").write_text("one\n")
    project.path("workflow/rules/a.smk").unlink()
    one, two = (hashlib.sha256(text).hexdigest() for text in (b"one\n", b"two\n"))
    found = changed_code(project.folder, CONFIG, lock)
    assert [(f.kind, f.path, f.recorded, f.found) for f in found] == [
        ("stale", "Snakefile", one, two),
        ("stale", "workflow/rules/a.smk", one, None),
        ("stale", "workflow/rules/b.smk", None, one),
    ]


def test_code_of_the_package_that_changed_is_named(
    project: Project, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = project.path("answers.py")
    edited.write_text("edited\n")
    name = "src/isogloss/score/answers.py"
    files = code_files() | {name: edited}
    monkeypatch.setattr("isogloss.record.code.code_files", lambda: files)
    assert [one.path for one in changed_code(project.folder, CONFIG, lock)] == [name]


def test_a_record_without_the_list_says_nothing_of_code(project: Project) -> None:
    project.path("Snakefile").write_text("two\n")
    project.path("dvc.lock").write_text(LOCK.replace(CODE_LIST, "data/other.txt"))
    assert changed_code(project.folder, CONFIG, read_lock(project.path("dvc.lock"))) == ()


def test_a_list_that_is_not_here(project: Project, lock: Lock) -> None:
    project.path(CODE_LIST).unlink()
    with pytest.raises(RecordError, match="isogloss restore"):
        changed_code(project.folder, CONFIG, lock)
    project.path(CODE_LIST).write_bytes(b"\xff")
    with pytest.raises(RecordError, match="cannot be read"):
        changed_code(project.folder, CONFIG, lock)


@pytest.mark.parametrize("line", ["Snakefile", "", "  Snakefile", "9a  ", "one  two"])
def test_a_line_that_is_no_hash_and_path(line: str, project: Project, lock: Lock) -> None:
    path = project.path(CODE_LIST)
    path.write_text(f"{path.read_text()}{line}\n")
    number = len(path.read_text().splitlines())
    with pytest.raises(RecordError, match=f"line {number}: no hash and path: delete the file"):
        changed_code(project.folder, CONFIG, lock)


def test_a_path_that_is_listed_twice(project: Project, lock: Lock) -> None:
    path = project.path(CODE_LIST)
    path.write_text(f"{path.read_text()}{'0' * 64}  Snakefile\n")
    with pytest.raises(RecordError, match="Snakefile is listed twice"):
        changed_code(project.folder, CONFIG, lock)
