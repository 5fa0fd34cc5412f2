import pytest
import yaml

from isogloss.errors import ReportError
from isogloss.report.render.project import (
    page_names,
    read_configuration,
    read_variables,
    without_pages,
)


def change(site, *keys, value) -> None:
    path = site.folder / "_quarto.yml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    part = settings
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = value
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")


def test_the_projects_own_settings_are_read(project) -> None:
    configuration = read_configuration(project / "reports")
    assert configuration.website.title == "Isogloss"
    assert configuration.website.navbar.left[0].href == "index.qmd"
    assert configuration.format.html.theme == ("default", "custom.scss")


@pytest.mark.parametrize(
    ("keys", "value", "named"),
    [
        (("format", "html", "embed-resources"), False, "format.html.embed-resources"),
        (("format", "html", "theme"), ["cosmo", "custom.scss"], "format.html.theme.0"),
        (("format", "html", "css"), "https://example.org/x.css", "format.html.css"),
        (("execute", "enabled"), True, "execute.enabled"),
        (("website", "google-analytics"), "UA-1", "website.google-analytics"),
        (("website", "navbar", "left"), [{"href": "https://x", "text": "x"}], "navbar.left.0.href"),
        (("filters",), ["x.lua"], "filters"),
    ],
)
def test_a_setting_the_renderers_could_differ_on_is_refused(site, keys, value, named) -> None:
    change(site, *keys, value=value)
    with pytest.raises(ReportError) as caught:
        read_configuration(site.folder)
    assert named in str(caught.value)


def test_missing_settings_are_named(site) -> None:
    (site.folder / "_quarto.yml").write_text("project: [\n", encoding="utf-8")
    with pytest.raises(ReportError, match=r"_quarto\.yml is not YAML"):
        read_configuration(site.folder)
    (site.folder / "_quarto.yml").unlink()
    with pytest.raises(ReportError, match=r"_quarto\.yml is missing"):
        read_configuration(site.folder)


def test_variables_get_dotted_names(site) -> None:
    site.write("_variables.yml", "hedging:\n  phi:\n    gap: '0.10'\n  n: 200\n")
    assert read_variables(site.folder) == {"hedging.phi.gap": "0.10", "hedging.n": "200"}


def test_an_absent_file_has_no_variables(site) -> None:
    assert read_variables(site.folder) == {}


@pytest.mark.parametrize("value", ["0.10", "true", "null", "[1]", "'{{< env X >}}'", '"a\\nb"'])
def test_a_value_whose_print_depends_on_the_renderer_is_refused(site, value: str) -> None:
    site.write("_variables.yml", f"a:\n  b: {value}\n")
    with pytest.raises(ReportError, match=r"_variables\.yml: a\.b must be one line of text"):
        read_variables(site.folder)


def test_hidden_files_are_no_pages(site) -> None:
    site.page("x", "_draft.qmd")
    site.page("x", "second.qmd")
    assert page_names(site.folder) == ("index.qmd", "second.qmd")


def test_a_folder_without_pages_is_refused(tmp_path) -> None:
    with pytest.raises(ReportError, match="has no page"):
        page_names(tmp_path)


def test_absent_pages_are_no_pages_and_stand_in_no_navigation(site) -> None:
    site.page("Text.", "second.qmd")
    change(
        site,
        "website",
        "navbar",
        "left",
        value=[{"href": f"{name}.qmd", "text": name} for name in ("index", "second")],
    )
    assert page_names(site.folder, {"second"}) == ("index.qmd",)
    shown = without_pages(read_configuration(site.folder), {"second"}).website.navbar.left
    assert [item.href for item in shown] == ["index.qmd"]
