from pathlib import Path

import yaml
from tests.report.spans import bare, texts_of

from isogloss.report.headline import NOTHING, headline
from isogloss.report.results import Results
from isogloss.report.values import paired_values, write_variables


def keys(tree: object, prefix: str = "") -> set[str]:
    if not isinstance(tree, dict):
        return {prefix}
    return {key for name, part in tree.items() for key in keys(part, f"{prefix}.{name}")}


def test_counts(results: Results) -> None:
    values = texts_of(paired_values(results))
    assert values["models"] == "2"
    # per model 20 ratings in two conditions and 6 decisions, one refusal in each condition
    assert values["responses"] == {"total": "52", "missing": "4"}
    assert values["validation"] == {"pairs": "2", "valid": "1", "excluded": "1"}
    assert values["item_sets"] == {"set": {"pairs": "2", "valid": "1", "excluded": "1"}}


def test_verdicts_are_those_of_validated_pairs_at_baseline(results: Results) -> None:
    verdicts = texts_of(paired_values(results))["verdicts"]
    assert verdicts == {
        "tests": "2",
        "different": "2",
        "equivalent": "0",
        "inconclusive": "0",
        "not_estimable": "0",
        "negligible": "0",
    }


def test_keys_do_not_depend_on_what_was_run(results: Results, nothing: Results) -> None:
    full = {key for key in keys(paired_values(results)) if "item_sets" not in key}
    empty = {key for key in keys(paired_values(nothing)) if "item_sets" not in key}
    assert full == empty


def test_every_value_reads_back_as_text(results: Results, tmp_path: Path) -> None:
    values = {"colours": paired_values(results)}
    write_variables(values, tmp_path / "_variables.yml")
    back = yaml.safe_load((tmp_path / "_variables.yml").read_text(encoding="utf-8"))
    assert texts_of(back) == texts_of(values)
    assert "2" in back["colours"]["models"]


def test_headline_names_the_range_over_models(results: Results) -> None:
    text = bare(headline(results))
    assert text.startswith("- **red - blue**, set items, direct, all pairs: 2 models with 4 pairs")
    assert "validated pairs: 2 models with 3 pairs each; verdicts: 2 different" in text
    assert "differences from −1.033" in text


def test_headline_of_one_model_has_interval_and_verdict(results: Results) -> None:
    frame = results.tables["effects"]
    one = {**results.tables, "effects": frame.loc[frame["model"] == "m2"]}
    text = headline(Results(results.study, results.plan, one))
    assert r"m2 −1.033 \[−1.413, −0.654\] over 3 pairs, *p* = 0.0" in text
    assert "[different]{.verdict-different}" in text


def test_headline_without_results(nothing: Results) -> None:
    assert headline(nothing) == NOTHING
