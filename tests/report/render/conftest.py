"""A small site in a temporary folder, built from the project's own settings and style."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from isogloss.report.render import Rendering, render_site
from isogloss.report.render.page import Page
from isogloss.report.render.pandoc import Pandoc, find_pandoc
from isogloss.report.render.project import read_configuration
from isogloss.report.render.site import read_pages

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8"/></svg>'


@dataclass(frozen=True)
class Site:
    """A folder of pages, and what a test does with it."""

    folder: Path
    out: Path

    def write(self, name: str, text: str) -> None:
        """Write a file of the site."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def page(self, body: str, name: str = "index.qmd") -> None:
        """Write a page whose body begins on line 5."""
        self.write(name, f"---\ntitle: A page\n---\n\n{body}\n")

    def read(self) -> tuple[Page, ...]:
        """Read and check the pages."""
        return read_pages(find_pandoc(), self.folder, read_configuration(self.folder))

    def render(self, quarto: Path | None = None) -> Rendering:
        """Render the site."""
        return render_site(self.folder, self.out, quarto=quarto)

    def html(self, name: str = "index.html") -> str:
        """Render the site and return one page of it."""
        self.render()
        return (self.out / name).read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, project: Path) -> Site:
    """A site with one page, one figure and two references."""
    folder = tmp_path / "reports"
    folder.mkdir()
    shutil.copy(project / "reports" / "custom.scss", folder)
    settings = yaml.safe_load((project / "reports" / "_quarto.yml").read_text(encoding="utf-8"))
    settings["website"]["navbar"]["left"] = [{"href": "index.qmd", "text": "Overview"}]
    built = Site(folder, tmp_path / "site")
    built.write("_quarto.yml", yaml.safe_dump(settings))
    built.write(
        "references.bib",
        "@book{hyland1998, author={Hyland, Ken}, title={Hedging}, year={1998}, publisher={JB}}\n"
        "@article{holm1979, author={Holm, Sture}, title={A Procedure}, year={1979}, journal={SJS},"
        " doi={10.1000/x}, url={https://example.org/holm}}\n",
    )
    built.write("figure.svg", SVG)
    built.page("Text.")
    return built


@pytest.fixture(scope="session")
def pandoc() -> Pandoc:
    """The pandoc that the renderer uses."""
    return find_pandoc()
