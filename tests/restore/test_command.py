"""`isogloss restore`: exit statuses and what is said."""

import pytest
import typer
from typer.testing import CliRunner, Result

from isogloss.errors import RecordError
from isogloss.restore_cli import restore

app = typer.Typer()
app.command()(restore)


@pytest.fixture
def run(clone, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(clone.folder)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def _is_error(result: Result, *words: str) -> bool:
    """Whether the call ended with an error that the command line shows as exit status 2."""
    error = result.exception
    return (
        isinstance(error, RecordError)
        and error.exit_code == 2
        and all(word in str(error) for word in words)
    )


@pytest.mark.slow
def test_done(run) -> None:
    done = run()
    assert done.exit_code == 0, done.output
    assert done.output.startswith("restored: 9 files written")
    assert done.output.count("\n") == 1


def test_difference(run, clone) -> None:
    clone.object("reports/_site").write_text("[]")
    done = run()
    assert done.exit_code == 1
    assert "differs: reports/_site (recorded" in done.output
    assert "not restored, the working tree is as it was: 1 differs" in done.output


def test_what_cannot_be_done(run) -> None:
    assert _is_error(run("--remote", "other"), "no remote 'other'")


@pytest.mark.slow
def test_newer_code_keeps_the_files_from_being_accepted(run, clone) -> None:
    clone.edit("Snakefile", "rule all:", "# Edited.\nrule all:")
    done = run()
    assert done.exit_code == 1
    assert "stale: Snakefile (changed after the run that commit" in done.output
    assert "restored, but not accepted" in done.output
    assert run("--accept-changes").exit_code == 0


@pytest.mark.slow
def test_history_that_does_not_tell(run, clone) -> None:
    with clone.path("dvc.lock").open("a") as lock:
        lock.write("# Not committed.\n")
    assert _is_error(
        run(), "restored and verified", "dvc.lock is not committed", "--accept-changes"
    )
