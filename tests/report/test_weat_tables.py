"""The page on association tests shows what the tables hold, escaped, and says what is missing."""

from dataclasses import replace
from math import nan
from pathlib import Path

import pandas as pd
import pytest
from tests.report.conftest import HOSTILE, REASON
from tests.report.spans import bare

from isogloss.analysis.families import Adjusted
from isogloss.analysis.records import table
from isogloss.analysis.tables import write_tables
from isogloss.errors import ReportError
from isogloss.report.figure_style import write_svg
from isogloss.report.weat_figures import associations_figure
from isogloss.report.weat_tables import (
    WEAT_TEXTS,
    WeatResults,
    classic_table,
    contrasts_table,
    missing_words_table,
    read_weat_results,
)
from isogloss.weat.records import (
    WEAT_TABLES,
    AssociationRow,
    ClassicRow,
    ContrastRow,
    EmbeddingRow,
    Outcome,
    VocabularyRow,
)

FOUND = Outcome(
    n_x=8, n_y=7, effect_size=1.2345, low=0.5, high=1.6, p_value=0.012, statistic=0.1,
    status="ok", reason="", interval_reason="", design="unpaired", exact=True, n_partitions=6435.0,
    n_draws=6435, alternative="two-sided", ddof=1, alpha=0.05, n_bootstrap=2000, seed=7, method="m",
)  # fmt: skip
DRAWN = replace(FOUND, exact=False, n_draws=100_000, n_partitions=1e30, design="paired")
BARE = replace(FOUND, low=nan, high=nan, interval_reason="a set of 3")
LOST = replace(
    FOUND, effect_size=nan, low=nan, high=nan, p_value=nan, status="not_estimable",
    reason=REASON, interval_reason=REASON, n_draws=0, n_partitions=0.0,
)  # fmt: skip
FAMILY = Adjusted(0.048, "f", 4)


def classic(test: str, outcome: Outcome, missing: str = "") -> ClassicRow:
    return ClassicRow(
        HOSTILE, test, "Titles", "x", "y", "a", "b", 8, 8, missing, outcome, FAMILY, 1.5
    )


def contrast(part: str, outcome: Outcome, lost: int) -> ContrastRow:
    return ContrastRow(
        "toy", HOSTILE, "some/set", part, "firm_guise", "soft", "men", "women", 8, 8, lost, 0.9876,
        outcome, FAMILY,
    )  # fmt: skip


def text(guise: str, item: str, value: float) -> AssociationRow:
    status = "ok" if value == value else "not_estimable"
    return AssociationRow(
        "toy", HOSTILE, "some/set", "title", guise, item, value, 3, 2, 2 / 3, status, ""
    )  # type: ignore[arg-type]


@pytest.fixture
def weat() -> WeatResults:
    rows: dict[str, list[object]] = {
        "classic": [
            classic("W1", FOUND, f"x: {HOSTILE}"),
            classic("W2", BARE),
            classic("W3", LOST),
        ],
        "contrasts": [contrast("title", DRAWN, 0), contrast("title", FOUND, 2)],
        "associations": [text("firm", "i1", 0.2), text("firm", "i2", nan), text("soft", "i1", nan)],
        "vocabulary": [
            VocabularyRow("toy", "x", "present", "present", "found", 1),
            VocabularyRow("toy", "x", HOSTILE, "gone", "missing", 3),
        ],
        "embeddings": [EmbeddingRow("toy", "npy", HOSTILE, "0" * 64, "", "lower", 50)],
    }
    return WeatResults({name: table(kind, rows[name]) for name, kind in WEAT_TABLES.items()})


def line(text: str, start: str) -> str:
    return next(one for one in text.splitlines() if one.startswith(f"| {start} "))


def test_every_part_is_written_and_hostile_text_is_escaped(weat: WeatResults) -> None:
    for name, part in WEAT_TEXTS.items():
        made = part(weat)
        assert made.strip(), name
        assert HOSTILE not in made, name
        assert "nan" not in made.split(), name
        assert "{#tbl-weat-" in made


def test_empty_tables_say_so(weat: WeatResults) -> None:
    empty = WeatResults({name: frame.iloc[:0] for name, frame in weat.tables.items()})
    for name, part in WEAT_TEXTS.items():
        assert part(empty).startswith("*"), name
    assert missing_words_table(empty) == "*Every word has a vector.*\n"


def test_a_classic_test_has_its_figures(weat: WeatResults) -> None:
    text = classic_table(weat)
    for shown in (r"+1.23 \[0.50, 1.60\]", "0.012", "0.048", "all 6,435", "+1.50", "8, 7"):
        assert shown in line(text, "W1")
    assert r"+1.23 \* |" in line(text, "W2")
    assert "not estimable (lost" in line(text, "W3").replace("\\", "")
    assert "seed 7" in text
    assert "ddof 1" in text


def test_a_contrast_says_what_was_exchanged_and_left_out(weat: WeatResults) -> None:
    text = contrasts_table(weat)
    paired, free = line(text, "within pairs"), line(text, "freely")
    assert "100,000 drawn" in paired
    assert "all 6,435" in free
    assert "(2 without vector)" in free
    assert "98.8 %" in free
    assert "guise firm guise" in text


def test_only_missing_words_are_listed(weat: WeatResults) -> None:
    text = missing_words_table(weat)
    assert "gone" in text
    assert "present" not in text


def test_the_figure_has_a_line_for_each_guise(weat: WeatResults, tmp_path: Path) -> None:
    figure = associations_figure(weat)
    (axes,) = figure.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["title, firm", "title, soft"]
    assert [t.get_text() for t in axes.texts] == [" not estimable"]
    points, mean = axes.lines[1:]
    assert (list(points.get_xdata()), list(mean.get_xdata())) == ([0.2], [0.2, 0.2])
    for name in ("a.svg", "b.svg"):
        write_svg(associations_figure(weat), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_figure_without_texts_says_so(weat: WeatResults) -> None:
    none = {**weat.tables, "associations": weat.tables["associations"].iloc[:0]}
    figure = associations_figure(WeatResults(none))
    assert figure.texts[0].get_text() == "No results of this kind."


def test_what_was_written_reads_back(weat: WeatResults, tmp_path: Path) -> None:
    write_tables(dict(weat.tables), tmp_path)
    back = read_weat_results(tmp_path)
    for name, part in WEAT_TEXTS.items():
        assert bare(part(back)) == part(weat), name
    assert isinstance(back.tables["classic"], pd.DataFrame)
    (tmp_path / "classic.csv").unlink()
    with pytest.raises(ReportError, match=r"classic\.csv"):
        read_weat_results(tmp_path)
