"""A small rendered page with everything on it that can hold a number."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from isogloss.report.check.compare import Difference, differences
from isogloss.report.check.page import shown_page
from isogloss.report.check.source import Expected, expected_page
from isogloss.report.render import render_site
from isogloss.report.render.pandoc import find_pandoc
from isogloss.report.render.project import read_variables
from isogloss.report.render.source import read_source

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><defs><clipPath id="p1">'
    '<rect width="8"/></clipPath></defs><g clip-path="url(#p1)"><text>{}</text></g></svg>'
)
FROM = '{.num title="data/results/x/effects.csv, row'
DRAWN = '[Drawn.]{.source title="data/results/x/a.csv"}'
PAGE = f"""---
title: A page of 2026
description: With 3 words.
---

## Results {{#sec-results}}

Of the {{{{< var x.n >}}}} pairs, see @tbl-a and @fig-a, most lay between 1 and 5 [@holm1979].
A "quoted" line, `code 7`, $x^2$ and *d*~z~ of phi-4.

- An entry: [−0.390 \\[−0.550, −0.230\\]]{FROM} 4: estimate, low, high"}}.

Term
:   Defined at most 20 times.

{{{{< include part.md >}}}}

![Shares from 1 to 5. {DRAWN}](a.svg){{#fig-a fig-alt="Bars of 1 to 5."}}

![Another.](b.svg){{#fig-b fig-alt="More bars."}}

::: {{.callout-note title="Note 9"}}
### Inside {{#sec-inside}}

Text with 12 words.
:::
"""
PART = f"""| Model | Difference | Items |
|:--|--:|--:|
| phi-4 | [−0.655]{FROM} 1: estimate"}} | [29]{FROM} 1: n"}} |
| olmo | [+0.464]{FROM} 2: estimate"}} | [18]{FROM} 2: n"}} |

: Differences at [95 %]{{.num title="data/results/x/plan.json: alpha"}}. {{#tbl-a}}

[Source: [data/results/x/effects.csv](#sec-results)]{{.source}}
"""


@dataclass(frozen=True)
class Report:
    """The page's source and what was rendered of it."""

    folder: Path
    expected: Expected
    html: str

    def differences(self, html: str, *, exact: bool = True) -> list[Difference]:
        """What a page differs in, when it was rendered and then perhaps changed."""
        wanted = self.expected.shown
        labels = {*wanted.tables, *wanted.figures}
        found = shown_page(html.encode(), labels, "index.html")
        known = [find_pandoc().version]
        return list(differences(self.expected, found, self.folder, known, same_pandoc=exact))

    def planted(self, old: str, new: str) -> list[Difference]:
        """What the page differs in after a text of its HTML was replaced once."""
        assert old in self.html, old
        return self.differences(self.html.replace(old, new, 1))


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory, project: Path) -> Report:
    folder = tmp_path_factory.mktemp("reports")
    shutil.copy(project / "reports" / "custom.scss", folder)
    settings = yaml.safe_load((project / "reports" / "_quarto.yml").read_text(encoding="utf-8"))
    settings["website"]["navbar"]["left"] = [{"href": "index.qmd", "text": "Overview"}]
    written = {
        "_quarto.yml": yaml.safe_dump(settings),
        "_variables.yml": f"x:\n  n: '[33]{FROM}s 1-33: n (sum)\"}}'\n",
        "references.bib": "@article{holm1979, author={Holm, Sture}, title={A Procedure}, "
        "year={1979}, journal={SJS}, volume={6}, pages={65--70}}\n",
        "index.qmd": PAGE,
        "part.md": PART,
        "a.svg": SVG.format("first 1"),
        "b.svg": SVG.format("second 2"),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    render_site(folder, folder / "_site", quarto=None)
    source = read_source(folder, "index.qmd", read_variables(folder))
    expected = expected_page(find_pandoc(), source, folder / "references.bib")
    return Report(folder, expected, (folder / "_site" / "index.html").read_text(encoding="utf-8"))
