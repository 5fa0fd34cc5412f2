"""The whole report: the project's own pages with the results of a small study."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml
from tests.report.test_cited_parts import sourced

from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import write_plan
from isogloss.analysis.tables import write_tables
from isogloss.record.checks import report as check
from isogloss.record.findings import Finding
from isogloss.report.check.declared import read_declarations, undeclared, unused
from isogloss.report.check.source import expected_page
from isogloss.report.parts import PartInputs, write_parts
from isogloss.report.render import render_site
from isogloss.report.render.pandoc import find_pandoc
from isogloss.report.render.source import SHORTCODE, Source, read_lines, split_header
from isogloss.report.results import Results
from isogloss.report.stimuli_tables import StimuliResults
from isogloss.report.study_pages import absent_pages
from isogloss.report.weat_tables import WeatResults
from isogloss.studies.registry import STUDIES

PAGES = ("*.qmd", "*.yml", "*.yaml", "custom.scss", "references.bib")
PAIRED = next(name for name, study in STUDIES.items() if study.design == "paired")


@dataclass(frozen=True)
class Rendered:
    """A folder with a rendered report, and what it was made from."""

    root: Path
    inputs: PartInputs

    @property
    def reports(self) -> Path:
        return self.root / "reports"

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        path = self.reports / name
        before = path.read_text(encoding="utf-8")
        after = change(before)
        assert after != before, name
        path.write_text(after, encoding="utf-8")

    def findings(self) -> list[Finding]:
        outcome = check.ReportCheck().run(self.root)
        assert outcome.covered > 50
        assert outcome.status == ("differs" if outcome.findings else "verified")
        return list(outcome.findings)


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory,
    project: Path,
    results: Results,
    stimuli: StimuliResults,
    untested: WeatResults,
) -> Rendered:
    root = tmp_path_factory.mktemp("rendered")
    reports, folder = root / "reports", root / "data" / "results" / PAIRED
    reports.mkdir()
    for pattern in PAGES:
        for path in (project / "reports").glob(pattern):
            if path.name != "_variables.yml":
                shutil.copy(path, reports)
    named = replace(results, study=PAIRED)
    write_tables(named.tables, folder)
    write_plan(named.plan, folder / PLAN)
    write_parts({PAIRED: folder}, stimuli, untested, reports, [], [])
    render_site(reports, reports / "_site", quarto=None, absent=absent_pages([PAIRED]))
    out = {"path": "reports/_variables.yml", "hash": "md5", "md5": "0" * 32, "size": 1}
    lock = {"schema": "2.0", "stages": {"report_parts": {"cmd": "write", "outs": [out]}}}
    (root / "dvc.lock").write_text(yaml.safe_dump(lock), encoding="utf-8")
    return Rendered(root, PartInputs((sourced(named),), stimuli, untested, [], []))


@pytest.fixture
def report(made: Rendered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rendered:
    root = tmp_path / "copy"
    shutil.copytree(made.root, root)
    monkeypatch.setattr(check, "open_project", lambda *_: None)
    monkeypatch.setattr(check, "part_inputs", lambda _: made.inputs)
    return Rendered(root, made.inputs)


def test_a_report_as_it_was_made_is_verified(report: Rendered) -> None:
    assert report.findings() == []


def test_alterations_of_pages_and_parts_are_found_and_named(report: Rendered) -> None:
    """Several at once, because each look at the whole report takes seconds."""
    page = f"_site/{PAIRED}.html"
    report.edit(page, lambda text: re.sub(r">−1\.033", ">−1.933", text, count=1))
    report.edit(
        "_site/stimuli.html", lambda text: text.replace("<p>Thresholds", "<p>77 Thresholds")
    )
    report.edit("_variables.yml", lambda text: text.replace("[52]", "[57]", 1))
    report.edit(f"_generated/{PAIRED}/means.md", lambda text: text.replace("2.025", "2.925", 1))
    report.edit("audit.qmd", lambda text: text.replace("Verify first,", "Verify 2 times,"))
    (report.reports / "_site" / "embeddings.html").unlink()
    (report.reports / "_site" / "more.html").write_text("<main></main>")
    found = {(one.kind, one.path): one for one in report.findings()}
    assert set(found) == {
        ("page", f"reports/{page}"),
        ("page", "reports/_site/stimuli.html"),
        ("page", "reports/_site/audit.html"),
        ("page", "reports/_site/embeddings.html"),
        ("page", "reports/_site/more.html"),
        ("part", "reports/_variables.yml"),
        ("part", f"reports/_generated/{PAIRED}/means.md"),
        ("prose", f"reports/audit.qmd:{_line(report, 'audit.qmd', 'Verify 2 times')}"),
    }
    part = found["part", f"reports/_generated/{PAIRED}/means.md"]
    assert "2.025" in str(part.recorded)
    assert "2.925" in str(part.found)
    assert part.note.startswith("line ")
    assert "−1.933" in str(found["page", f"reports/{page}"].found)
    assert found["page", "reports/_site/stimuli.html"].found == "77"


def _line(report: Rendered, name: str, words: str) -> int:
    lines = (report.reports / name).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if words in line)


def test_a_part_that_is_not_there(report: Rendered) -> None:
    (report.reports / "_generated" / "audit.md").unlink()
    (found,) = report.findings()
    assert (found.kind, found.path) == ("part", "reports/_generated/audit.md")


def test_a_declaration_without_its_words(report: Rendered) -> None:
    report.edit("prose_numbers.yaml", lambda text: text.replace("at most 20", "at most 21"))
    kinds = [(one.kind, one.path.partition(":")[0], one.found) for one in report.findings()]
    assert ("prose", f"reports/{PAIRED}.qmd", "20") in kinds
    assert ("prose", "reports/prose_numbers.yaml", None) in kinds
    assert len(kinds) == 2


def test_a_project_without_a_report_has_nothing_to_check(report: Rendered) -> None:
    lock = report.root / "dvc.lock"
    lock.write_text(lock.read_text().replace("reports/_variables.yml", "data/x"), encoding="utf-8")
    outcome = check.ReportCheck().run(report.root)
    assert (outcome.status, outcome.summary) == ("verified", "no report is recorded")


def test_without_a_site_nothing_is_checked(report: Rendered) -> None:
    shutil.rmtree(report.reports / "_site")
    outcome = check.ReportCheck().run(report.root)
    assert outcome.status == "not_checked"
    assert "reports/_site is not here" in outcome.not_checked[0]


def test_a_page_made_of_other_results_has_its_findings_counted(report: Rendered) -> None:
    report.edit(
        f"_site/{PAIRED}.html", lambda text: re.sub(r">([^<>]*)1([^<>]*)<", r">\g<1>7\2<", text)
    )
    found = [one for one in report.findings() if one.kind == "page"]
    assert len(found) == check.MOST + 1
    assert re.fullmatch(r"and \d+ more differences", found[-1].note)


def test_every_number_in_the_sentences_of_all_pages_is_declared(project: Path) -> None:
    reports, pandoc = project / "reports", find_pandoc()
    declared = read_declarations(reports)
    pages = {path.stem: path for path in reports.glob("*.qmd")}
    assert set(declared) <= set(pages)
    for name, path in pages.items():
        header, lines = split_header(read_lines(reports, path.name))
        own = tuple(replace(one, text=SHORTCODE.sub("", one.text)) for one in lines)
        source = Source(path.name, header, own)
        said = expected_page(pandoc, source, reports / "references.bib").own
        assert list(undeclared(said, declared.get(name, ()), own)) == [], name
        assert unused(said, declared.get(name, ())) == [], name


@pytest.mark.quarto
@pytest.mark.slow
def test_pages_by_real_quarto_have_no_difference(report: Rendered) -> None:
    from isogloss.report.render import find_quarto

    quarto = find_quarto()
    if quarto is None:
        pytest.skip("no Quarto: set QUARTO to its executable")
    render_site(
        report.reports, report.reports / "_site", quarto=quarto, absent=absent_pages([PAIRED])
    )
    assert report.findings() == []
    page = f"_site/{PAIRED}.html"
    report.edit(page, lambda text: re.sub(r">−1\.033", ">−1.933", text, count=1))
    assert [one.path for one in report.findings()] == [f"reports/{page}"]
