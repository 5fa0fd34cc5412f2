"""Tables, figure and command line."""

import csv
import io
from pathlib import Path

import pytest
from benchmarks.goals import GOALS, verdict
from benchmarks.machine import Machine
from benchmarks.measure import Measurement, Timing
from benchmarks.plot import speed_figure
from benchmarks.publish import OURS, REFERENCE, csv_text, markdown
from benchmarks.scoring import NAMES, Options, parse
from benchmarks.work import work_of

from isogloss.report.figure_style import write_svg

MACHINE = Machine("Some CPU", "AVX2", "Linux x86_64", "3.11", "2.13", "5.24", "0.4.13", 1)


def measurement(workload: str) -> Measurement:
    timings = (
        Timing(workload, "one prompt at a time", 16, (0.7, 0.8, 0.9), 0, 0),
        Timing(workload, REFERENCE, 16, (1.0, 1.1, 0.9), 8e-3, 2e-7),
        Timing(workload, OURS, 200, (0.19, 0.2, 0.25), 3e-7, 1e-7),
    )
    return Measurement(workload, work_of([(1, 2), (1, 3)]), timings, 4e9, 100e9, checked=48)


MEASUREMENTS = [measurement(name) for name in NAMES]


def test_the_page_gives_times_ratios_and_verdicts() -> None:
    page = markdown(MEASUREMENTS, MACHINE, "smol", "2026-01-31")
    assert "| W1 | isogloss | 200 | 200.0 (190.0 to 250.0) | 5.00 | 3.0e-07 |" in page
    assert "| W1 | 5.00 | 5 | 6.5 | limit reached, aim not | 294 ms (f32) |" in page
    assert "| W2 | 5.00 | 11 | 14 | limit not reached | 63 ms (q8_0) |" in page
    assert "| 4.00 | 100.0 | 20 % |" in page
    assert f"| {REFERENCE} | 16 | 1000.0 (900.0 to 1100.0) | 1.00 | 2.0e-07 (shares) |" in page
    assert "over 144 prompts isogloss differs" in page
    for detail in ("Some CPU", "AVX2", "torch 2.13", "threads: 1", "2026-01-31", "not run here"):
        assert detail in page


def test_the_csv_has_a_line_for_each_workload_and_peer() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(MEASUREMENTS))))
    assert len(rows) == 9
    ours = rows[2]
    assert (ours["peer"], ours["rounds"], ours["prompts"]) == (OURS, "3", "200")
    assert float(ours["cpu_ms"]) == pytest.approx(200)
    assert float(ours["times_faster_than_reference"]) == pytest.approx(5)
    assert float(rows[1]["largest_difference"]) == pytest.approx(8e-3)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (4.999, "limit not reached"),
        (5.0, "limit reached, aim not"),
        (6.5, "limit and aim reached"),
    ],
)
def test_verdicts_turn_at_the_marks(ratio: float, words: str) -> None:
    assert verdict(ratio, GOALS["W1"]) == words


def test_the_figure_names_every_way_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("first.svg", "second.svg"):
        write_svg(speed_figure(MEASUREMENTS), tmp_path / name)
    text = (tmp_path / "first.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "second.svg").read_text(encoding="utf-8")
    assert text.count(REFERENCE) >= 3
    assert "200 ms, 5.0×" in text


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], Options(write=True)),
        (["--no-write"], Options()),
        (["--quick"], Options(quick=True)),
        (["--workload", "W2", "--rounds", "5"], Options(("W2",), 5)),
        (["--full"], Options(full=8_011)),
        (["--full", "50", "--write"], Options(full=50, write=True)),
        (["--full", "--layers", "1"], Options(full=8_011, layers=1)),
        (["--full", "--questions", "12"], Options(full=8_011, questions=12)),
    ],
)
def test_only_a_whole_run_is_written_by_itself(arguments: list[str], options: Options) -> None:
    assert parse(arguments) == options


@pytest.mark.parametrize(
    "arguments",
    [
        ["--quick", "--write"],
        ["--workload", "W1", "--write"],
        ["--quick", "--full"],
        ["--layers", "1"],
        ["--questions", "12"],
        ["--rounds", "0"],
        ["--workload", "W4"],
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse(arguments)
    assert stopped.value.code == 2
