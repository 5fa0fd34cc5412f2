"""Discovery and log reading with a stand-in for Quarto, and the real thing where it exists."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.conftest import PROJECT

from isogloss.errors import ReportError
from isogloss.report.render import render_site
from isogloss.report.render.addresses import fetched_addresses
from isogloss.report.render.quarto import find_quarto, log_fault, log_lines, quarto_version

STAND_IN = """#!{python}
import json, os, pathlib, sys
if sys.argv[1:] == ["--version"]:
    print("1.10.3"); raise SystemExit(0)
stage = pathlib.Path(sys.argv[2])
log = pathlib.Path(sys.argv[sys.argv.index("--log") + 1])
settings = (stage / "_quarto.yml").read_text()
(stage / "seen.json").write_text("")
site = stage / "_site"; site.mkdir()
seen = json.dumps({{"arguments": sys.argv[1:], "environment": sorted(os.environ)}})
for page in stage.glob("*.qmd"):
    (site / (page.stem + ".html")).write_text(
        "<!doctype html><p>" + {content!r} + "</p><!--" + seen + "--><!--" + settings + "-->")
log.write_text({log!r}.replace("STAGE", str(stage)))
print({printed!r}, file=sys.stderr)
raise SystemExit({code})
"""


@pytest.fixture
def quarto(tmp_path: Path):
    def build(content: str = "page", log: str = "", printed: str = "", code: int = 0) -> Path:
        path = tmp_path / "quarto"
        text = STAND_IN.format(
            python=sys.executable, content=content, log=log, printed=printed, code=code
        )
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    return build


def test_the_named_executable_comes_before_the_one_on_the_path(quarto, tmp_path: Path) -> None:
    named = quarto()
    elsewhere = tmp_path / "bin"
    elsewhere.mkdir()
    (elsewhere / "quarto").write_text("#!/bin/sh\n")
    (elsewhere / "quarto").chmod(0o755)
    path = str(elsewhere)
    assert find_quarto({"QUARTO": str(named), "PATH": path}) == named
    assert find_quarto({"PATH": path}) == elsewhere / "quarto"
    assert find_quarto({"QUARTO": "", "PATH": path}) == elsewhere / "quarto"
    assert find_quarto({"PATH": str(tmp_path / "empty")}) is None


def test_a_named_executable_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    for name in ("absent", "plain", "."):
        with pytest.raises(ReportError, match="cannot be run"):
            find_quarto({"QUARTO": str(tmp_path / name)})


def test_something_that_is_not_quarto_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_text("#!/bin/sh\necho hello\n")
    path.chmod(0o755)
    with pytest.raises(ReportError, match="is it Quarto"):
        quarto_version(path)


def test_quarto_renders_a_copy_without_executing_or_inheriting(site, quarto, monkeypatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    before = sorted(path.name for path in site.folder.iterdir())
    rendering = site.render(quarto(log='{"levelName":"INFO","msg":"Output created"}\n'))
    assert (rendering.engine, rendering.version) == ("quarto", "1.10.3")
    assert rendering.pages == (site.out / "index.html",)
    page = (site.out / "index.html").read_text(encoding="utf-8")
    assert '"--no-execute"' in page
    assert "SECRET_TOKEN" not in page
    assert "Rendered by Quarto 1.10.3" in page
    assert sorted(path.name for path in site.folder.iterdir()) == before


def test_the_footer_of_a_quarto_page_is_set_in_the_copy_only(site, quarto) -> None:
    site.render(quarto())
    page = (site.out / "index.html").read_text(encoding="utf-8")
    assert "page-footer" in page
    settings = yaml.safe_load((site.folder / "_quarto.yml").read_text(encoding="utf-8"))
    assert "page-footer" not in settings["website"]


@pytest.mark.parametrize(
    "message",
    [
        "Unable to resolve crossref @tbl-x",
        "Unknown var a.b specified in a var shortcode.",
        "Unknown meta key x specified in a metadata Shortcode.",
        "Unable to resolve link target: x.qmd",
        "[WARNING] Citeproc: citation smith2000 not found",
        "[WARNING] Could not fetch resource a.png",
        "[WARNING] Could not convert TeX math x",
    ],
)
@pytest.mark.parametrize("where", ["log", "console"])
def test_a_fault_that_quarto_only_warns_of_fails(site, quarto, message: str, where: str) -> None:
    record = '{"levelName":"WARN","msg":"' + message + '"}\n'
    stand_in = (
        quarto(log=record) if where == "log" else quarto(printed=f"\x1b[33m{message}\x1b[39m")
    )
    with pytest.raises(ReportError) as caught:
        site.render(stand_in)
    assert message in str(caught.value)
    assert not site.out.exists()


def test_an_error_line_fails_although_quarto_exits_0(site, quarto) -> None:
    with pytest.raises(ReportError, match="ERROR: Include directive failed"):
        site.render(quarto(printed="\x1b[91mERROR: Include directive failed.\x1b[39m"))


def test_a_failure_says_its_exit_status_and_last_line(site, quarto) -> None:
    with pytest.raises(ReportError, match="exit status 3: something went wrong"):
        site.render(quarto(printed="first\nsomething went wrong", code=3))


def test_the_place_of_the_copy_stays_out_of_messages(site, quarto) -> None:
    with pytest.raises(ReportError) as caught:
        site.render(quarto(log='{"levelName":"ERROR","msg":"in STAGE/index.qmd"}'))
    assert str(caught.value) == "Quarto: ERROR: in index.qmd"


@pytest.mark.parametrize("mark", ["?@fig-x", "?var:a.b", "?meta:x", "?invalid var:x"])
def test_a_mark_of_something_unresolved_in_a_page_fails(site, quarto, mark: str) -> None:
    with pytest.raises(ReportError, match=r"index\.html: Quarto left .* unresolved"):
        site.render(quarto(content=f"<strong>{mark}</strong>"))


def test_code_that_only_looks_like_such_a_mark_is_none(site, quarto) -> None:
    site.render(quarto(content="<script>a?env:b</script>"))
    assert (site.out / "index.html").exists()


def test_a_page_that_would_fetch_something_fails(site, quarto) -> None:
    with pytest.raises(ReportError, match=r"would fetch https://x\.org/a\.js"):
        site.render(quarto(content='<script src="https://x.org/a.js"></script>'))


def test_a_harmless_warning_is_kept(site, quarto) -> None:
    rendering = site.render(quarto(log='{"levelName":"WARN","msg":"an option is deprecated"}\n'))
    assert rendering.warnings == ("WARN: an option is deprecated",)


def test_a_page_outside_the_subset_is_never_given_to_quarto(site, quarto) -> None:
    site.page("<b>x</b>")
    with pytest.raises(ReportError, match="line 5: raw HTML"):
        site.render(quarto(code=9))


def test_absent_pages_are_not_put_before_quarto(site, quarto) -> None:
    settings = yaml.safe_load((site.folder / "_quarto.yml").read_text(encoding="utf-8"))
    left = [{"href": f"{name}.qmd", "text": name} for name in ("index", "second")]
    settings["website"]["navbar"]["left"] = left
    site.write("_quarto.yml", yaml.safe_dump(settings))
    site.page("Not {{< var there >}}.", "second.qmd")
    rendering = render_site(site.folder, site.out, quarto=quarto(), absent={"second"})
    assert [path.name for path in rendering.pages] == ["index.html"]
    page = (site.out / "index.html").read_text(encoding="utf-8")
    assert "href: index.qmd" in page
    assert "second.qmd" not in page


def test_log_lines_are_distinct_and_without_colours() -> None:
    stream = '{"levelName":"INFO","msg":"a\\n\\u001b[1mb\\u001b[22m"}\nnot json\n[1]\n'
    assert log_lines(stream, "b\n", "\x1b[33mWARNING: c\x1b[39m\n") == (
        "INFO: a",
        "b",
        "not json",
        "[1]",
        "WARNING: c",
    )


def test_a_page_that_speaks_of_errors_is_no_fault() -> None:
    assert log_fault(("INFO: [1/2] error-analysis.qmd", "standard ERROR of the mean")) == ""


@pytest.mark.quarto
@pytest.mark.slow
def test_real_quarto_renders_the_subset(site) -> None:
    quarto = find_quarto(os.environ)
    if quarto is None:
        pytest.skip("no Quarto: set QUARTO to its executable")
    site.page(
        "## A {#sec-a}\n\nSee @tbl-a, @fig-a, @sec-a, [@holm1979].\n\n| a |\n|--:|\n| 1 |\n\n"
        ': Caption {#tbl-a}\n\n![Figure caption](figure.svg){#fig-a fig-alt="A box"}\n\n'
        '::: {.callout-note title="Title"}\nText.\n:::\n\n$x^2$'
    )
    rendering = site.render(quarto)
    first = (site.out / "index.html").read_bytes()
    page = first.decode()
    assert rendering.engine == "quarto"
    assert f"Rendered by Quarto {rendering.version}" in page
    assert fetched_addresses(page) == []
    assert str(site.folder) not in page
    assert "Table&nbsp;1" in page
    site.render(quarto)
    assert (site.out / "index.html").read_bytes() == first


@pytest.mark.parametrize("named", ["/some/quarto", ""])
def test_make_report_renders_with_the_quarto_that_it_is_given(tmp_path: Path, named: str) -> None:
    """`make` runs the rule of the report again, and what it starts sees the name."""
    installed, snakemake = tmp_path / "installed", tmp_path / "snakemake"
    installed.touch()
    snakemake.write_text('#!/bin/sh\necho "with $QUARTO: $@"\n')
    snakemake.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", "report", f"BIN={tmp_path}", f"INSTALLED={installed}", f"QUARTO={named}"],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"]},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"with {named}: --cores all --forcerun report\n"
