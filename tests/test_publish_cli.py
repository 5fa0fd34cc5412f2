"""`isogloss publish-check` on the project's own configuration and small sites."""

import json
from pathlib import Path

import pytest
import typer
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from isogloss.publish.site import PublishError
from isogloss.publish_cli import publish_check

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none';
 form-action 'none'"><meta name="viewport" content="width=device-width"><title>T</title></head>
<body><main><h1>T</h1></main></body></html>
"""

app = typer.Typer()
app.command()(publish_check)


@pytest.fixture
def run(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run the command from the project's folder on a site with one page."""
    monkeypatch.chdir(project)
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text(PAGE)

    def command(*options: str):
        return CliRunner().invoke(app, [str(site), *options]), site

    return command


def test_a_site_without_a_fault_ends_with_0(run) -> None:
    result, site = run("--no-browser")
    assert result.exit_code == 0, result.output
    last = result.output.splitlines()[-1]
    assert last == f"{site}: nothing found that speaks against publishing; left out: browser"


def test_a_finding_ends_with_1_and_is_named(run, tmp_path: Path) -> None:
    (tmp_path / "site" / "index.html").write_text(PAGE.replace("</h1>", "</h1>/home/ada/x"))
    result, _ = run("--no-browser")
    assert result.exit_code == 1
    assert "index.html:4: a path of a machine: /home/ada/x" in result.output


def test_the_checkouts_own_folder_is_a_finding(run, tmp_path: Path, project: Path) -> None:
    (tmp_path / "site" / "index.html").write_text(PAGE.replace("</h1>", f"</h1>{project}/x"))
    result, _ = run("--no-browser")
    assert f"a path of a machine: {project}/x" in result.output


def test_limits_are_options(run) -> None:
    result, _ = run("--no-browser", "--page-limit", "0.0002")
    assert result.exit_code == 1
    assert "index.html: 0.3 kB, above 0.2 kB; shorten or split the page" in result.output


def test_without_a_browser_the_outcome_is_2_and_says_how_to_get_one(run, monkeypatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere")
    result, _ = run()
    assert result.exit_code == 2
    assert "set CHROMIUM to its executable" in result.output


def document(result) -> dict:
    """Return the JSON of a call, held to the schema that the command prints."""
    schema = CliRunner().invoke(app, ["--schema"])
    assert schema.exit_code == 0
    content = json.loads(result.output)
    Draft202012Validator(json.loads(schema.output)).validate(content)
    assert content["exit_code"] == result.exit_code
    return content


def test_json_holds_every_check(run) -> None:
    result, site = run("--no-browser", "--json")
    passed = document(result)
    assert (passed["site"], passed["status"]) == (str(site), "passed")
    assert [one["name"] for one in passed["checks"]][:2] == ["files", "weight"]


def test_json_of_a_finding_and_of_what_could_not_be_checked(run, monkeypatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere")
    result, site = run("--json")
    assert document(result)["status"] == "not_checked"
    (site / "index.html").write_text(PAGE.replace("</h1>", "</h1>/home/ada/x"))
    result, _ = run("--json")
    found = document(result)
    assert found["status"] == "found"
    [finding] = [one for check in found["checks"] for one in check["findings"]]
    assert (finding["file"], finding["line"]) == ("index.html", 4)


def test_a_folder_that_is_not_there_is_an_error_of_one_sentence(project, monkeypatch) -> None:
    monkeypatch.chdir(project)
    result = CliRunner().invoke(app, ["nowhere", "--no-browser"])
    assert isinstance(result.exception, PublishError)
    assert str(result.exception) == "nowhere: there is no such folder; render the report first"
