"""Tests of `isogloss package` and `isogloss sign`."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator
from tests.crate.conftest import Keys
from tests.record.conftest import Project
from typer.testing import CliRunner, Result

from isogloss.crate.signing import verify_signature
from isogloss.errors import RecordError
from isogloss.package_cli import package, sign

app = typer.Typer()
for command in (package, sign):
    app.command()(command)


@pytest.fixture
def here(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The recorded project as the working folder."""
    monkeypatch.chdir(project.folder)
    monkeypatch.setenv("COLUMNS", "200")
    return project


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def outcome(done: Result) -> dict[str, Any]:
    """The printed JSON, which has to follow the published schema."""
    document: dict[str, Any] = json.loads(done.stdout)
    Draft202012Validator(json.loads(call("package", "--schema").stdout)).validate(document)
    return document


def test_a_run_is_packaged_and_the_package_verified(here: Project, tmp_path: Path) -> None:
    out = tmp_path / "run.zip"
    done = call("package", "--out", out)
    assert done.exit_code == 0, done.output
    assert f"{out}: 20 files, 4 withheld, urn:uuid:" in done.output
    done = call("package", "--verify", out)
    assert done.exit_code == 0
    assert "verified 20 files" in done.output
    document = outcome(call("package", "--verify", out, "--json"))
    assert (document["status"], document["exit_code"]) == ("verified", 0)


def test_the_default_verification_of_a_signed_package(
    here: Project, keys: Keys, tmp_path: Path
) -> None:
    out = tmp_path / "run.zip"
    done = call("package", "--out", out, "--sign", f"gpg:{keys.mine}")
    assert done.exit_code == 0, done.output
    signature = ("--signature", f"{out}.asc", "--key", keys.public)
    done = call("package", "--verify", out, *signature)
    assert done.exit_code == 0
    assert "signed by Toy <mine@example.org>, key " in done.output
    with out.open("ab") as stream:
        stream.write(b"\0")
    done = call("package", "--verify", out, *signature)
    assert done.exit_code == 1
    assert "the signature is of other bytes" in done.output
    document = outcome(call("package", "--verify", out, *signature, "--json"))
    assert document["status"] == "differs"
    assert document["signature"]["ok"] is False
    done = call("package", "--verify", out, "--signature", f"{out}.asc", "--key", keys.other)
    assert isinstance(done.exception, RecordError)
    assert done.exception.exit_code == 2


@pytest.mark.parametrize("name", ["data/results/toy/counts.csv", "upstream/items.csv"])
def test_a_run_that_does_not_verify_is_not_packaged(
    here: Project, tmp_path: Path, name: str
) -> None:
    here.path(name).write_text("changed")
    done = call("package", "--out", tmp_path / "run.zip")
    assert done.exit_code == 1
    assert f"differs: {name}" in done.output
    assert not (tmp_path / "run.zip").exists()


def test_without_a_record_there_is_nothing_to_package(here: Project, tmp_path: Path) -> None:
    here.path("dvc.lock").unlink()
    done = call("package", "--out", tmp_path / "run.zip")
    assert isinstance(done.exception, RecordError)
    assert "dvc.lock does not exist" in str(done.exception)


def test_a_changed_package_is_named_file_by_file(here: Project, tmp_path: Path) -> None:
    assert call("package", "--out", tmp_path / "run").exit_code == 0
    (tmp_path / "run" / "LICENSE").write_text("none")
    shutil.rmtree(tmp_path / "run" / "src")
    done = call("package", "--verify", tmp_path / "run")
    assert done.exit_code == 1
    assert "differs: LICENSE" in done.output
    assert "missing: src/toy/module.py" in done.output
    document = outcome(call("package", "--verify", tmp_path / "run", "--json"))
    assert {(one["kind"], one["path"]) for one in document["findings"]} >= {
        ("differs", "LICENSE"),
        ("missing", "src/toy/module.py"),
    }


def test_what_cannot_be_checked_says_so_in_json_too(tmp_path: Path) -> None:
    done = call("package", "--verify", tmp_path / "none.zip", "--json")
    assert isinstance(done.exception, RecordError)
    assert done.exception.exit_code == 2
    document = outcome(done)
    assert (document["status"], document["exit_code"]) == ("not_checked", 2)
    assert document["reason"] == str(done.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--out", "a", "--verify", "b"),
        ("--out", "a", "--json"),
        ("--out", "a", "--signature", "b"),
        ("--verify", "a", "--sign", "gpg:x"),
        ("--verify", "a", "--key", "b"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert call("package", *arguments).exit_code == 2


def test_the_record_is_signed(here: Project, keys: Keys) -> None:
    done = call("sign", "--key", f"gpg:{keys.mine}")
    assert done.exit_code == 0, done.output
    assert "dvc.lock.asc: signature of dvc.lock" in done.output
    assert verify_signature(Path("dvc.lock"), Path("dvc.lock.asc"), keys.public).ok
    again = call("sign", "--key", f"gpg:{keys.mine}")
    assert "dvc.lock.asc exists already" in str(again.exception)


def test_what_is_not_there_is_not_signed(here: Project) -> None:
    done = call("sign", "none.txt", "--key", "gpg:x")
    assert "none.txt is no file that could be signed" in str(done.exception)
