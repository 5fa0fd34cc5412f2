from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest
from tests.report.spans import bare

from isogloss.report.count_tables import (
    decisions_table,
    exclusions_table,
    means_table,
    missing_table,
    missing_tests_table,
    validation_table,
)
from isogloss.report.designs import DESIGNS
from isogloss.report.results import Results
from isogloss.report.tables import (
    effects_table,
    mitigation_table,
    paper_table,
    subgroups_table,
)

TEXTS = DESIGNS["paired"].texts


def row_of(text: str, *words: str) -> list[str]:
    """Cells of the one row that holds all words."""
    lines = [line for line in text.splitlines() if all(word in line for word in words)]
    assert len(lines) == 1, lines
    return [cell.strip() for cell in lines[0].strip("|").split(" | ")]


def test_effects_show_sign_interval_loss_and_verdict(results: Results) -> None:
    row = row_of(effects_table(results), "all", "m2", "plain")
    # differences -1.0, -0.9, -1.2, -0.8: mean -0.975
    assert "1 refusal" in row
    assert any(cell.startswith("−0.975 \\[−1.") for cell in row)
    assert "[different]{.verdict-different}" in row


def test_effects_of_validated_pairs_stand_beside(results: Results) -> None:
    row = row_of(effects_table(results), "validated", "m2", "plain")
    assert any(cell.startswith("−1.033 ") for cell in row)  # without the fourth pair


def test_outside_text_is_escaped(results: Results) -> None:
    for name, part in TEXTS.items():
        text = part(results)
        assert "<b>" not in text.replace(r"\<b\>", ""), name
        assert "{{<" not in text, name
        for line in text.splitlines():
            assert "m|1" not in line, name


def test_what_is_constant_moves_into_the_caption(results: Results) -> None:
    text = effects_table(results)
    header = text.splitlines()[0]
    assert "Contrast" not in header
    assert "contrast red - blue, mode direct" in text


def test_subgroups_have_a_row_each(results: Results) -> None:
    text = subgroups_table(results)
    assert row_of(text, "m2", "A")
    assert r"B \& co" in text
    assert "helped" not in text


def test_mitigation_names_the_reduction(results: Results) -> None:
    row = row_of(mitigation_table(results), "all", "m2")
    # gaps -0.975 and -0.525: change 0.45, reduction 46.2 %
    assert any(cell.startswith("+0.450 ") for cell in row)
    assert any(cell.startswith("+46.2 ") for cell in row)


def test_means_have_three_decimals_and_their_losses(results: Results) -> None:
    row = row_of(means_table(results), "m2", "plain", "red")
    assert any(cell.startswith("2.025 ") for cell in row)
    assert "1 refusal" in row


def test_decisions_are_columns_best_first(results: Results) -> None:
    text = decisions_table(results)
    header = text.splitlines()[0]
    assert header.index("Yes") < header.index("Maybe") < header.index("No")
    row = row_of(text, "m2", "blue")
    assert [cell.split(",")[0] for cell in row[2:5]] == ["2", "0", "1"]


def test_missing_shows_outcomes_and_mass(results: Results) -> None:
    row = row_of(missing_table(results), "rating", "m2", "plain", "red")
    assert "1 refusal" in row
    assert "0.900" in row
    assert "100 %" in row


def test_missing_counts_values_without_distribution_where_there_are_any(results: Results) -> None:
    text = missing_table(results)
    place = text.splitlines()[0].split(" | ").index("Without distribution")
    # four ratings of the fixture, and one whose counterpart was refused, have an answer only
    assert row_of(text, "rating", "m2", "plain", "red")[place] == "4"
    assert row_of(text, "rating", "m2", "plain", "blue")[place] == "5"
    assert "were not measured alike" in text


def test_missing_is_silent_on_distributions_where_every_value_has_one(results: Results) -> None:
    whole = results.tables["missing"].assign(n_without_distribution=0)
    text = missing_table(replace(results, tables={**results.tables, "missing": whole}))
    assert "istribution" not in text
    assert row_of(text, "rating", "m2", "plain", "red")


def test_missing_tests_say_what_they_leave_out(results: Results) -> None:
    text = bare(missing_tests_table(results))
    assert "In the other 2 comparisons every response has a value in both guises." in text


def test_exclusions_give_the_reason(results: Results) -> None:
    row = row_of(exclusions_table(results), "i4")
    assert row[1] == "numbers"
    assert "5" in row[2]


def test_validation_counts_failures(results: Results) -> None:
    assert row_of(validation_table(results), "numbers")[3:5] == ["2", "1"]


def test_paper_table_without_interviews_says_so(results: Results) -> None:
    assert paper_table(results) == "*No interviews were recorded.*\n"


@pytest.mark.parametrize("name", TEXTS)
def test_every_part_exists_without_results(name: str, nothing: Results) -> None:
    text = TEXTS[name](nothing)
    assert text.startswith("*")
    assert text.endswith("*\n")


def test_labels_are_unique_on_a_page(results: Results) -> None:
    page = "\n".join(part(results) for part in TEXTS.values())
    labels = [line.rpartition("{#")[2] for line in page.splitlines() if "{#tbl-" in line]
    assert len(labels) == len(set(labels)) > 5


@pytest.mark.parametrize("part", [effects_table, means_table])
def test_undefined_estimates_carry_their_reason(
    part: Callable[[Results], str], results: Results
) -> None:
    frames = {
        name: frame.assign(
            **{c: float("nan") for c in ("estimate", "mean") if c in frame},
            status="not_estimable",
            reason="too few | pairs",
            **({"verdict": "not_estimable"} if "verdict" in frame else {}),
        )
        if isinstance(frame, pd.DataFrame) and name in ("effects", "means")
        else frame
        for name, frame in results.tables.items()
    }
    text = part(Results(results.study, results.plan, frames))
    assert r"not estimable \(too few \| pairs\)" in text
    assert "nan" not in text
