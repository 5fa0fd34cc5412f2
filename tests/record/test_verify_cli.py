"""The command `isogloss verify`: its exit status, its words, its JSON."""

import json
from collections.abc import Callable

import pytest
import typer
from jsonschema import Draft202012Validator
from tests.record.conftest import Project
from typer.testing import CliRunner, Result

from isogloss.verify_cli import verify

Call = Callable[..., Result]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Call:
    app = typer.Typer()
    app.command()(verify)

    def run(project: Project, *arguments: str) -> Result:
        monkeypatch.chdir(project.folder)
        return CliRunner().invoke(app, arguments)

    return run


def _document(result: Result, schema: str) -> dict:
    document = json.loads(result.stdout)
    Draft202012Validator(json.loads(schema)).validate(document)
    assert document["exit_code"] == result.exit_code
    return document


def test_a_verified_project(recorded_chain: Project, call: Call) -> None:
    result = call(recorded_chain)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == (
        "verified: artifacts, commit, sources, models, versions, workflow, report"
    )


def test_json_follows_the_printed_schema(chain: Project, call: Call) -> None:
    schema = call(chain, "--schema").stdout
    assert json.loads(schema)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    quick = ("--json", "--no-workflow")
    verified = _document(call(chain, *quick), schema)
    assert (verified["status"], verified["left_out"]) == ("verified", ["workflow"])
    chain.path("data/results/toy/plan.json").write_text("{}")
    differs = _document(call(chain, *quick), schema)
    assert differs["status"] == "differs"
    assert [one["path"] for one in differs["findings"]] == ["data/results/toy/plan.json"]
    chain.path("dvc.lock").unlink()
    unknown = _document(call(chain, *quick), schema)
    assert unknown["status"] == "not_checked"
    assert all("dvc.lock" in one["not_checked"][0] for one in unknown["checks"][:4])


def test_what_is_left_out_is_said(chain: Project, call: Call) -> None:
    chain.edit("dvc.yaml", "stages:", "stages: ")
    chain.path("models/toy/model.safetensors").write_bytes(b"other")
    chain.git("checkout", "--quiet", "--", "models")
    assert call(chain, "--no-workflow", "--no-models").exit_code == 1
    result = call(chain, "--no-workflow", "--no-models", "--no-commit")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == (
        "verified: artifacts, sources, versions, report; left out: commit, models, workflow"
    )


def test_every_committed_file_can_be_demanded(chain: Project, call: Call) -> None:
    chain.edit("make.py", "import sys", "import sys  # edited")
    assert call(chain, "--no-workflow").exit_code == 0
    result = call(chain, "--no-workflow", "--commit")
    assert result.exit_code == 1
    assert "uncommitted: make.py" in result.stdout


def test_a_signature_is_checked_where_there_is_one_or_has_to_be(chain: Project, call: Call) -> None:
    quick = ("--no-workflow", "--no-models")
    demanded = call(chain, *quick, "--key", "keys.asc")
    assert demanded.exit_code == 2
    assert "could not be checked: signature" in demanded.stdout
    chain.path("dvc.lock.asc").write_text("no signature\n")
    assert call(chain, *quick).exit_code == 2


def test_an_unknown_place_is_no_success(tmp_path, call: Call) -> None:
    result = call(Project(tmp_path))
    assert result.exit_code == 2
    assert "could not be checked: artifacts, commit, sources, models, versions" in result.stdout
    assert "Traceback" not in result.output
