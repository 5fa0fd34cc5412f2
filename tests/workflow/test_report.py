"""Snakemake's own report of a run: what `make workflow-report` writes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.publish.browsing import tools
from tests.workflow.conftest import Run

from isogloss.publish.checks import requests
from isogloss.publish.site import read_site

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

Finished = tuple[Run, str]
CHAIN = {"fetch", "stimuli", "validate", "score", "analysis", "weat", "glmm", "report", "record"}


@pytest.fixture(scope="module")
def page(finished: Finished, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the small run, alone in a folder."""
    path = tmp_path_factory.mktemp("report") / "workflow.html"
    done = finished[0]("snakemake", "--report", str(path))
    assert done.returncode == 0, done.stdout
    return path


def _data(page: Path, name: str) -> Any:
    """What the page holds in a script of that id: `var name = value;`."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf'<script id="{name}">\s*var \w+ = (.*?);?\s*</script>', text, re.DOTALL)
    assert found is not None, name
    return json.loads(found[1])


def test_it_is_what_the_make_target_writes(project: Path) -> None:
    makefile = (project / "Makefile").read_text(encoding="utf-8")
    [command] = re.findall(r"^workflow-report:.*\n(.*)", makefile, re.MULTILINE)
    assert command.endswith("snakemake --report reports/workflow.html")


def test_every_stage_is_named_with_its_command_and_its_time(page: Path, finished: Finished) -> None:
    rules, timed = _data(page, "rules"), _data(page, "runtimes")["data"]["values"]
    assert {name.split("_")[0] for name in rules} >= CHAIN
    assert "isogloss --log {log} score" in re.sub("<[^>]*>", "", rules["score"]["code"])
    lock = yaml.safe_load((finished[0].folder / "dvc.lock").read_text(encoding="utf-8"))
    written = {out["path"] for stage in lock["stages"].values() for out in stage["outs"]}
    assert {"reports/_site"} == set(rules["report"]["output"]) & written
    assert {job["rule"] for job in timed} == set(rules)
    assert all(job["runtime"] > 0 for job in timed)
    assert len(timed) == sum(rule["n_jobs"] for rule in rules.values())


def test_nothing_in_it_is_asked_of_another_host(page: Path) -> None:
    site = read_site(page.parent)
    assert [finding.text for finding in requests.check(site).findings] == []
    markup = site.pages[0].markup
    assert len(list(markup.all("script"))) > 10  # they stand in the page
    for element in (*markup.all("script"), *markup.all("link")):
        assert not {"src", "href"} & set(element.attributes)


@pytest.mark.browser
def test_a_browser_shows_it_and_asks_for_nothing_else(page: Path) -> None:
    from playwright.sync_api import sync_playwright

    chromium = tools().chromium
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        shown = browser.new_page()
        asked: list[str] = []
        errors: list[str] = []
        shown.on("request", lambda request: asked.append(request.url))
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.goto(page.as_uri())
        for part in ("Workflow", "Statistics"):
            shown.get_by_text(part, exact=True).first.click()
            shown.wait_for_selector("svg, canvas")
        browser.close()
    held = ("data:", "blob:")
    assert [url for url in asked if not url.startswith(held)] == [page.as_uri()]
    assert errors == []


def test_the_site_names_it_and_has_no_link_to_it(finished: Finished) -> None:
    site = finished[0].folder / "reports/_site"
    texts = {path.name: path.read_text(encoding="utf-8") for path in site.glob("*.html")}
    assert not (site / "workflow.html").exists()
    assert "make workflow-report" in texts["audit.html"]
    for name, text in texts.items():
        assert re.findall(r"""href\s*=\s*["'][^"']*workflow\.html""", text) == [], name
