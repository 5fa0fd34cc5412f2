import re
from dataclasses import replace

import pandas as pd
import pytest
from tests.mixed.postings import LINE, PLAN, refused, scores
from tests.report.conftest import _read_back
from tests.report.test_tables import row_of

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.increments import increments
from isogloss.analysis.personas.language import language_effects
from isogloss.mixed.tables import mixed_tables
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


@pytest.fixture(scope="module")
def of_personas() -> Results:
    """Two roles; as a seller the model never answers about tall people."""
    rows = scores(items=20, personas=("nobody", "tall", "short", "left", "right"))
    seller = refused(rows.assign(task="seller"), rows["persona"] == "tall")
    both = pd.concat([rows, seller], ignore_index=True).astype({"interview": "Int64"})
    split = blocks(both)
    tables = {
        "language_effects": language_effects(split, PLAN),
        "increments": increments(split, PLAN),
        **mixed_tables(both, PLAN, [LINE]),
    }
    return Results("shop", PLAN, _read_back(tables))


def test_each_role_has_its_differences_and_interactions(of_personas: Results) -> None:
    text = mixed_table(of_personas)
    labels = re.findall(r"\{#(tbl-[^}]*)\}", text)
    assert labels == [
        "tbl-shop-mixed-buyer-set",
        "tbl-shop-mixed-interactions-buyer-set",
        "tbl-shop-mixed-seller-set",
        "tbl-shop-mixed-interactions-seller-set",
    ]
    assert "role buyer" in text
    assert "role seller" in text


def test_complete_scores_agree_with_the_tests_beside_them(of_personas: Results) -> None:
    buyer, interactions, *_ = mixed_table(of_personas).split("{#tbl")
    for name in ("nobody", "tall", "short"):
        row = row_of(buyer, "height", name)
        assert row[3].split()[0] == row[7].split()[0]
    for persona, other in (("tall", "nobody"), ("tall", "short"), ("short", "nobody")):
        row = row_of(interactions, "height", persona, other)
        assert row[3].split()[0] == row[7].split()[0]
    assert "Unmodelled interaction" in interactions


def test_a_comparison_that_nobody_made_is_not_one_that_failed(of_personas: Results) -> None:
    tested = of_personas.tables["increments"]
    asked = (tested["persona"] != "tall") | (tested["baseline"] != "short")
    fewer = {**of_personas.tables, "increments": tested[asked]}
    interactions = mixed_table(replace(of_personas, tables=fewer)).split("{#tbl")[1]
    row = row_of(interactions, "height", "tall", "short")
    assert row[-2:] == ["not tested", ""]
    assert row_of(interactions, "height", "tall", "nobody")[-2] not in ("", "not tested")


def test_a_persona_without_scores_says_so(of_personas: Results) -> None:
    seller = mixed_table(of_personas).split("{#tbl")[2]
    row = row_of(seller, "height", "tall")
    assert any("no rating for the persona tall" in cell for cell in row)
    assert row_of(seller, "height", "short")[3].startswith("−")


def test_without_other_tests_the_mixed_models_stand_alone(of_personas: Results) -> None:
    alone = {n: t for n, t in of_personas.tables.items() if n.startswith("mixed")}
    text = mixed_table(replace(of_personas, tables=alone))
    assert "Unmodelled" not in text
    assert "without a mixed model" not in text
    assert row_of(text.split("{#tbl")[1], "height", "tall", "short")


def test_fits_name_role_and_personas(of_personas: Results) -> None:
    text = mixed_fits_table(of_personas)
    row = row_of(text, "seller", "height")
    assert "80, 40 left out" in row
    assert r"guise\: blue; persona\: nobody" in row
    empty = {n: t.iloc[:0] for n, t in of_personas.tables.items()}
    assert mixed_table(replace(of_personas, tables=empty)) == "*No mixed model was fitted.*\n"
