from dataclasses import replace
from itertools import pairwise

import pytest
from tests.report.personas import persona_results, scores
from tests.report.spans import bare
from tests.report.test_tables import row_of

from isogloss.report.designs import DESIGNS
from isogloss.report.persona_count_tables import (
    persona_means_table,
    persona_missing_table,
    persona_missing_tests_table,
    persona_modes_table,
)
from isogloss.report.persona_paper_tables import (
    interaction_means_table,
    interaction_table,
    paper_language_table,
    paper_personas_table,
)
from isogloss.report.persona_tables import (
    conditions_table,
    increments_table,
    language_table,
    persona_gaps_table,
)
from isogloss.report.results import Results

TEXTS = DESIGNS["personas"].texts
SELLER = "hat\u00a0seller"


def table_of(text: str, item_set: str) -> str:
    """The table of one item set, with its caption."""
    lines = text.splitlines()
    ends = [place for place, line in enumerate(lines) if line.startswith(": ")]
    found = [
        "\n".join(lines[start : end + 1])
        for start, end in pairwise([0, *ends])
        if f"item set {item_set}" in lines[end]
    ]
    assert len(found) == 1, text
    return found[0]


def test_wording_effects_name_their_persona_and_what_was_compared(one_model: Results) -> None:
    text = language_table(one_model)
    row = row_of(table_of(text, "pairs"), SELLER, "| tall |")
    # twice the differences -1.0, -0.9, -1.2, -0.8, and a fifth item refused
    assert any(cell.startswith("−1.950 \\[−2.4") for cell in row)
    assert "4.362 and 6.312" in row
    assert "1 refusal" in row
    assert "4" in row
    assert "4 and 4" in row_of(table_of(text, "loose"), SELLER, "| tall |")
    assert "items are paired" in table_of(text, "pairs")
    assert "items are unpaired" in table_of(text, "loose")
    assert "d\\_av" in table_of(text, "loose")


def test_wording_effects_are_those_of_the_baseline(one_model: Results) -> None:
    text = language_table(one_model)
    assert "condition whole" in text
    assert "| part |" not in text
    assert "written" not in text


def test_conditions_of_a_persona_stand_together(one_model: Results) -> None:
    lines = table_of(conditions_table(one_model), "pairs").splitlines()
    found = [line for line in lines if line.startswith(f"| {SELLER} | short |")]
    assert [line.split(" | ")[2] for line in found] == ["whole", "part"]
    assert lines.index(found[1]) == lines.index(found[0]) + 1
    assert not any("old" in line for line in lines)


def test_one_condition_is_no_ablation(one_model: Results) -> None:
    frame = one_model.tables["language_effects"]
    whole = {**one_model.tables, "language_effects": frame.loc[frame["condition"] == "whole"]}
    text = conditions_table(replace(one_model, tables=whole))
    assert text == "*No condition besides the baseline was run.*\n"


def test_gaps_are_between_personas_within_a_guise(one_model: Results) -> None:
    row = row_of(table_of(persona_gaps_table(one_model), "pairs"), SELLER, "whole", "red")
    # tall less short: (2 - 0.5) times the mean difference of -0.975
    assert any(cell.startswith("−1.462 ") for cell in row)
    assert "persona tall, reference short" in persona_gaps_table(one_model)


def test_increments_show_both_gaps(one_model: Results) -> None:
    text = table_of(increments_table(one_model), "pairs")
    row = row_of(text, SELLER, "whole", "anyone", "| tall |")
    assert "−1.950 and −0.975" in row
    assert any(cell.startswith("−0.975 \\[") for cell in row)
    row = row_of(text, SELLER, "whole", "| short | size | tall |")
    assert any(cell.startswith("−1.462 \\[") for cell in row)


def test_a_persona_that_is_refused_everywhere_has_no_number(one_refused: Results) -> None:
    row = row_of(table_of(language_table(one_refused), "pairs"), SELLER, "| tall |")
    assert any("not estimable" in cell for cell in row)
    assert "5 refusal" in row
    row = row_of(
        table_of(increments_table(one_refused), "loose"), SELLER, "whole | anyone", "| tall |"
    )
    assert any("not estimable" in cell for cell in row)
    assert "8 refusal" in row
    row = row_of(
        table_of(persona_missing_table(one_refused), "loose"), SELLER, "whole", "tall | red"
    )
    assert any(cell.startswith("100 % ") for cell in row)


def test_means_leave_crossed_personas_and_other_conditions_to_other_tables(
    one_model: Results,
) -> None:
    text = persona_means_table(one_model)
    row = row_of(table_of(text, "pairs"), SELLER, "short", "red")
    assert any(cell.startswith("5.825 ") for cell in row)
    assert "old" not in text
    assert "condition whole" in text


def test_a_mode_for_part_of_the_items_stands_beside_the_other(one_model: Results) -> None:
    text = persona_modes_table(one_model)
    row = row_of(text, SELLER, "short", "red")
    assert row[3:5] == ["5.000", "2"]
    assert row[6].startswith("5.825 ")
    assert row[7] == "4"
    assert "mode written, beside direct" in text


def test_the_papers_tests_are_named_as_such(one_model: Results, candidates: Results) -> None:
    text = paper_language_table(one_model)
    row = row_of(table_of(text, "loose"), SELLER, "| tall |")
    # every red score lies below every blue one
    assert "16.0" in row
    assert any(cell.startswith("−1.00 ") for cell in row)
    assert "0.057" in row  # 2 / 70 for each of two personas
    assert "The paper’s test" in text
    assert "analysis per model" in text
    several = table_of(paper_language_table(candidates), "loose")
    for analysis in ("raw", "model centred", "per model"):
        assert analysis in several
    assert row_of(table_of(paper_personas_table(one_model), "loose"), SELLER, "red")


def test_interaction_has_both_tests_and_the_groups_means(one_model: Results) -> None:
    rows = [row.lower() for row in interaction_table(one_model).splitlines()]
    assert sum("kruskal-wallis |" in row for row in rows) == 8
    assert sum("friedman |" in row for row in rows) == 8
    assert "not estimable" in interaction_table(one_model)
    row = row_of(table_of(interaction_means_table(one_model), "pairs"), SELLER, "red", "| tall |")
    assert "5.337 and 5.337" in row


def test_missing_shows_the_baseline_and_wherever_something_is_missing(one_model: Results) -> None:
    text = bare(persona_missing_table(one_model))
    row = row_of(table_of(text, "pairs"), SELLER, "tall", "red")
    assert "1 refusal" in row
    # 32 of crossed personas, 24 of the other condition, 28 of the second mode
    assert "In 84 other rows every response has a score." in text


def test_missing_tests_say_what_they_leave_out(one_model: Results, nobody: Results) -> None:
    text = persona_missing_tests_table(one_model)
    assert row_of(text, SELLER, "20 %")
    assert "comparisons every response has a score on both sides." in text
    assert persona_missing_tests_table(nobody).startswith("*No response is without")


def test_a_mode_is_partial_only_beside_one_for_more_items(checks, verdicts) -> None:
    rows = list(scores("m2", "buyer", "whole"))
    alone = persona_results(rows, checks, verdicts)
    assert persona_modes_table(alone) == "*Every mode was used for all items.*\n"
    assert row_of(language_table(alone), "| tall |")


@pytest.mark.parametrize("name", TEXTS)
def test_outside_text_is_escaped(name: str, candidates: Results) -> None:
    text = TEXTS[name](candidates)
    assert "<b>" not in text.replace(r"\<b\>", "")
    assert "{{<" not in text
    assert "nan" not in text.split()
    assert not any("m|1" in line for line in text.splitlines())


@pytest.mark.parametrize("name", TEXTS)
def test_every_part_exists_without_results(name: str, nobody: Results) -> None:
    text = TEXTS[name](nobody)
    assert text.startswith("*")
    assert text.endswith("*\n")


def test_labels_are_unique_on_a_page(candidates: Results) -> None:
    page = "\n".join(part(candidates) for part in TEXTS.values())
    labels = [line.rpartition("{#")[2] for line in page.splitlines() if "{#tbl-" in line]
    assert len(labels) == len(set(labels)) > 10
