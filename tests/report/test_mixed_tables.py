from dataclasses import replace

from tests.report.test_tables import row_of

from isogloss.report.mixed_tables import mixed_fits_table, mixed_table
from isogloss.report.results import Results


def test_mixed_differences_stand_beside_the_paired_ones(results: Results) -> None:
    row = row_of(mixed_table(results), "all", "m2", "straight")
    # differences -1.0, -0.9, -1.2, -0.8 and an item lost to red: both means are -0.975
    differences = [cell for cell in row if cell.startswith("−0.975 ")]
    assert len(differences) == 2
    assert "2.025, 3.000" in row
    assert "converged, with a note" in row or "boundary, with a note" in row


def test_a_fit_that_failed_says_why(results: Results) -> None:
    text = mixed_table(results)
    row = row_of(text, "all", "m2", "steps")
    assert any("not estimable" in cell and "no\\_variation" in cell for cell in row)
    fits = row_of(mixed_fits_table(results), "all", "steps")
    assert "no variation: rating is 3 in every row" in fits
    assert "modal, ordinal" in fits


def test_fits_name_what_was_left_out(results: Results) -> None:
    row = row_of(mixed_fits_table(results), "all", "straight")
    # four items in two guises and the partner of the lost one, by each of two models
    assert "18, 2 left out" in row
    assert r"item\: 5" in row
    assert any(cell.startswith(r"item\: ") and "residual" in cell for cell in row)


def test_a_study_without_mixed_models_says_so(results: Results) -> None:
    empty = {
        name: table.iloc[:0] if name.startswith("mixed") else table
        for name, table in results.tables.items()
    }
    bare = replace(results, tables=empty)
    assert mixed_table(bare) == mixed_fits_table(bare) == "*No mixed model was fitted.*\n"
