"""`isogloss restore`: exit statuses and what is said."""

import json

import pytest
import typer
from jsonschema import Draft202012Validator
from tests.restore.conftest import Clone, configure
from typer.testing import CliRunner, Result

from isogloss.restore_cli import restore

app = typer.Typer()
app.command()(restore)


@pytest.fixture
def run(clone, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(clone.folder)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def _document(result: Result) -> dict:
    """The JSON of a call, held to the schema that the command prints."""
    schema = CliRunner().invoke(app, ["--schema"])
    assert schema.exit_code == 0
    document = json.loads(result.stdout)
    Draft202012Validator(json.loads(schema.stdout)).validate(document)
    assert document["exit_code"] == result.exit_code
    return document


def _is_error(result: Result, caplog: pytest.LogCaptureFixture, *words: str) -> bool:
    """Whether the call ended with exit status 2 and a sentence with those words."""
    said = caplog.messages[-1]
    return result.exit_code == 2 and said.startswith("error: ") and all(w in said for w in words)


@pytest.mark.slow
def test_done(run) -> None:
    done = run()
    assert done.exit_code == 0, done.output
    assert done.output.startswith("restored: 10 files written")
    assert done.output.count("\n") == 1
    again = _document(run("--json"))
    assert (again["status"], again["written"], again["kept"]) == ("restored", 0, 10)
    assert again["verified"]["artifacts"] == 10


def test_difference(run, clone) -> None:
    clone.object("reports/_site").write_text("[]")
    done = run()
    assert done.exit_code == 1
    assert "differs: reports/_site (recorded" in done.output
    assert "not restored, the working tree is as it was: 1 differs" in done.output
    document = _document(run("--json"))
    assert (document["status"], document["written"], document["verified"]) == ("differs", 0, None)
    assert [(one["kind"], one["path"]) for one in document["findings"]] == [
        ("differs", "reports/_site")
    ]


def test_json_of_what_cannot_be_done(run, clone) -> None:
    document = _document(run("--json", "--remote", "other"))
    assert document["status"] == "not_done"
    assert "no remote 'other'" in document["reason"]
    clone.path("dvc.lock").unlink()
    assert "dvc.lock" in _document(run("--json"))["reason"]


def test_what_cannot_be_done(run, caplog) -> None:
    done = run("--remote", "other")
    assert done.stdout == ""
    assert _is_error(done, caplog, "no remote 'other'")


def test_a_system_error_is_no_difference(run, caplog, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "data")

    monkeypatch.setattr("isogloss.restore.run.restore", full)
    assert _is_error(run(), caplog, "No space left on device")


@pytest.mark.slow
def test_newer_code_keeps_the_files_from_being_accepted(run, clone) -> None:
    clone.edit("Snakefile", "rule all:", "# Edited.\nrule all:")
    done = run()
    assert done.exit_code == 1
    assert "stale: Snakefile (recorded " in done.output
    assert "restored, but not accepted" in done.output
    document = _document(run("--json"))
    assert (document["status"], document["kept"]) == ("not_accepted", 10)
    assert run("--accept-changes").exit_code == 0


@pytest.mark.slow
def test_a_clone_whose_history_is_cut_off_is_restored(run, clone, tmp_path, monkeypatch) -> None:
    shallow = Clone(tmp_path / "shallow", clone.store)
    address = clone.folder.as_uri()
    clone.git("clone", "--quiet", "--depth", "1", address, str(shallow.folder))
    configure(shallow, str(shallow.store))
    monkeypatch.chdir(shallow.folder)
    done = run()
    assert done.exit_code == 0, done.output
