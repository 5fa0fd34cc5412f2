"""Every number of a generated part carries the place where it stands in a file."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isnan

import pandas as pd
import pytest
from tests.report.conftest import HOSTILE

from isogloss.report.designs import DESIGNS, design_of
from isogloss.report.drawing import drawn_from, drawn_from_markdown
from isogloss.report.markdown import escape
from isogloss.report.overview import overview_table
from isogloss.report.parts import PartInputs, part_figures
from isogloss.report.provenance import ORIGIN, Cited, Source, parse_sources, with_origins
from isogloss.report.provenance.numerals import digit_words, is_number
from isogloss.report.results import Results
from isogloss.report.stimuli_tables import CALIBRATION, INVENTORY, STIMULI_TEXTS, StimuliResults
from isogloss.report.values import stimuli_values
from isogloss.report.weat_tables import WeatResults

SPAN = re.compile(r'\[((?:\\.|[^\[\]\\])*)\]\{\.num title="([^"]*)"\}')
ESTIMATES = ("estimate", "low", "high", "mean", "gap", "change", "reduction", "difference")


def sourced(results: Results) -> Results:
    """Results as if they had been read from files."""
    tables = {
        name: with_origins(table, results.file(f"{name}.csv"))
        for name, table in results.tables.items()
    }
    return replace(results, tables=tables)


def texts(results: Results) -> Iterator[tuple[str, str]]:
    for name, part in design_of(results).texts.items():
        yield name, part(results)


def uncited(text: str) -> list[str]:
    """Numbers of a part that carry no source, but for those of formulas and names of rows."""
    left = SPAN.sub(" ", text.replace(escape(HOSTILE), "")).replace("\\", "")
    left = re.sub(r"\{[^}]*\}|\]\([^)]*\)|\*r\* = 1 − 2\*U\*/\(\*n\*~1~\*n\*~2~\)", " ", left)
    return [word[0] for word in digit_words(left) if is_number(word[0])]


@pytest.mark.parametrize("study", ["results", "candidates", "one_refused"])
def test_every_number_carries_its_source(study: str, request: pytest.FixtureRequest) -> None:
    for name, text in texts(sourced(request.getfixturevalue(study))):
        allowed = {"0"} if name == "mitigation" else set()  # a gap that differs from 0
        assert set(uncited(text)) <= allowed, name
        assert SPAN.search(text) or text.startswith("*"), name


def test_the_overview_carries_its_sources(results: Results, candidates: Results) -> None:
    text = overview_table([sourced(results), sourced(candidates)])
    assert uncited(text) == []
    assert "data/results/colours/effects.csv, row " in text
    assert "data/results/hats/language_effects.csv, row " in text


@pytest.mark.parametrize("study", ["results", "candidates", "one_refused"])
def test_the_source_holds_what_is_shown(study: str, request: pytest.FixtureRequest) -> None:
    results = sourced(request.getfixturevalue(study))
    frames = {results.file(f"{name}.csv"): table for name, table in results.tables.items()}
    compared = 0
    for _, text in texts(results):
        for shown, title in SPAN.findall(text):
            for source in parse_sources(title):
                for value in _values(source, frames):
                    compared += 1
                    assert _shows(shown, value), (shown, title, value)
    assert compared > 100


def _values(source: Source, frames: Mapping[str, pd.DataFrame]) -> list[float]:
    """Estimates at a source that is one row."""
    if source.file not in frames or len(source.rows) != 1 or source.rule:
        return []
    row = frames[source.file].iloc[source.rows[0] - 1]
    assert set(source.columns) <= set(frames[source.file].columns)
    return [float(row[name]) for name in source.columns if name in ESTIMATES]


def _shows(shown: str, value: float) -> bool:
    """Whether a text has a value, rounded in one of the ways that the report rounds."""
    plain = shown.replace("−", "-").replace("\\", "")
    if isnan(value):
        return "not estimable" in plain or "[" not in plain
    forms = {f"{x:.{n}f}" for x in (value, 100 * value) for n in range(4)} | {f"{value:,.0f}"}
    numbers = {match[0].lstrip("+") for match in digit_words(plain)}
    return bool(numbers & {form if form.strip("-0.") else form.lstrip("-") for form in forms})


def test_files_stand_below_each_table(results: Results) -> None:
    for name, text in texts(sourced(results)):
        assert text.count("{.source}") == text.count("{#tbl-"), name
    mixed = dict(texts(sourced(results)))["mixed"]
    line = next(line for line in mixed.splitlines() if line.endswith("{.source}"))
    assert "data/results/colours/mixed_margins.csv" in line
    assert "data/results/colours/effects.csv" in line


def test_tables_on_item_sets_carry_their_sources(stimuli: StimuliResults) -> None:
    read = replace(
        stimuli,
        tables={n: with_origins(t, f"{INVENTORY}/{n}.csv") for n, t in stimuli.tables.items()},
        **{
            n: with_origins(getattr(stimuli, n), f"{CALIBRATION}/{n}.csv")
            for n in ("performance", "verdicts", "misses")
        },
    )
    for name, part in STIMULI_TEXTS.items():
        left = set(uncited(part(read)))
        assert left <= ({"95"} if name.startswith("calibration") else set()), name
    values = stimuli_values(read)
    assert values["pairs"] == Cited(
        "2", (Source(f"{INVENTORY}/sets.csv", (1,), ("pairs",), "sum of pairs"),)
    )


@pytest.mark.parametrize("study", ["results", "candidates"])
def test_values_name_the_rows_that_they_count(study: str, request: pytest.FixtureRequest) -> None:
    results = sourced(request.getfixturevalue(study))
    table = {"paired": "effects", "personas": "language_effects"}[results.plan.design]
    verdicts = design_of(results).values(results)["verdicts"]
    assert isinstance(verdicts, dict)
    for name in ("tests", "different", "inconclusive"):
        value = verdicts[name]
        assert isinstance(value, Cited)
        (source,) = value.sources
        assert source.file == results.file(f"{table}.csv")
        assert len(source.rows) == int(value.text)
        rows = results.tables[table].iloc[[row - 1 for row in source.rows]]
        assert name == "tests" or set(rows["verdict"]) <= {name, f"{name}_but_negligible"}


class Opened(dict[str, pd.DataFrame]):
    """Tables that note which of them are read."""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(tables)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> pd.DataFrame:
        self.read.add(name)
        return super().__getitem__(name)


@pytest.mark.parametrize(
    ("study", "name"),
    [
        *(("results", name) for name in DESIGNS["paired"].figures),
        *(("candidates", name) for name in DESIGNS["personas"].figures),
    ],
)
def test_a_figure_names_the_tables_that_it_is_drawn_from(
    study: str, name: str, request: pytest.FixtureRequest
) -> None:
    results: Results = request.getfixturevalue(study)
    opened = Opened(results.tables)
    drawing = design_of(results).figures[name]
    drawing(replace(results, tables=opened))
    assert opened.read == set(drawing.tables)


@pytest.mark.parametrize("study", ["results", "candidates"])
def test_the_overview_names_the_tables_of_its_headlines(
    study: str, request: pytest.FixtureRequest
) -> None:
    results: Results = request.getfixturevalue(study)
    opened = Opened(results.tables)
    design_of(results).headlines(replace(results, tables=opened))
    assert opened.read == set(design_of(results).headline_tables)


def test_all_figures_name_existing_files(
    results: Results, candidates: Results, stimuli: StimuliResults, untested: WeatResults
) -> None:
    figures = part_figures(PartInputs((results, candidates), stimuli, untested, [], []))
    assert "_generated/overview.svg" in figures
    for figure in figures.values():
        assert all(file.startswith("data/results/") for file in figure.files)


def test_a_sentence_names_files_folder_by_folder() -> None:
    files = ["a/x.csv", "a/y.csv", "a/plan.json", "b/z.csv"]
    assert drawn_from(files) == "Drawn from x.csv, y.csv and plan.json in a and z.csv in b."
    assert 'title="a/x.csv; b/z.csv"' in drawn_from_markdown(["a/x.csv", "b/z.csv"])


def test_origins_are_no_column_of_a_file(results: Results) -> None:
    assert not any(ORIGIN in table for table in results.tables.values())
