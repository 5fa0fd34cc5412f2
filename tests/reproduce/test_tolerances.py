"""The rules of tolerance: those that are shipped, and mistakes in a file."""

from pathlib import Path

import pytest

from isogloss.errors import ConfigurationError
from isogloss.reproduce.tolerances import check_patterns, load_tolerances
from isogloss.reproduce.vocabulary import known_columns

GOOD = """\
default: {absolute: 0.0, reason: strict}
tables:
  data/results/*.csv:
    p_*: {absolute: 0.001, relative: 0.5, reason: p}
    "*": {absolute: 0.1, reason: rest}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "t.yaml").write_text(GOOD)
    return tmp_path / "t.yaml"


def edit(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


def test_the_shipped_rules_are_about_columns_that_exist(project: Path) -> None:
    path = project / "config/tolerances.yaml"
    rules = load_tolerances(path)
    check_patterns(rules, known_columns(), path)
    responses = "data/responses/hedging/own/m.parquet"
    # Measured between two processors: the rule must let it pass, and not much more.
    assert 6e-6 < rules.of(responses, "probabilities").bound(0.5) < 1e-4
    assert rules.of(responses, "modal") is rules.default
    assert rules.of("data/results/hedging/means.csv", "n") is rules.default
    assert rules.of("data/results/calibration/checks.csv", "value").bound(0.0) == 1e-4


def test_the_first_rule_that_matches_counts(path: Path) -> None:
    rules = load_tolerances(path)
    assert rules.of("data/results/hedging/effects.csv", "p_value").reason == "p"
    assert rules.of("data/results/hedging/effects.csv", "se").reason == "rest"
    assert rules.of("data/items/x/checks.csv", "p_value").reason == "strict"
    assert rules.of("data/results/a.csv", "p_value").bound(-2.0) == pytest.approx(1.001)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("absolute: 0.001", "absolut: 0.001", "tables > data/results/*.csv > p_* > absolut: unk"),
        ("absolute: 0.001", "absolute: -1.0", "p_* > absolute: "),
        ("absolute: 0.001", "absolute: .nan", "p_* > absolute: "),
        ("absolute: 0.001", "absolute: small", "p_* > absolute: "),
        (", reason: p}", "}", "p_* > reason: "),
        ("reason: p}", "reason: ''}", "p_* > reason: "),
        ("default:", "defaults:", "default"),
    ],
)
def test_a_mistake_is_named_by_its_key(path: Path, old: str, new: str, named: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load_tolerances(edit(path, old, new))
    assert named in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("data/results/*.csv", "data/result/*.csv", "tables > data/result/*.csv: matches no table"),
        ("p_*", "pvalue*", "tables > data/results/*.csv > pvalue*: matches no column"),
    ],
)
def test_a_pattern_of_nothing_is_named(path: Path, old: str, new: str, named: str) -> None:
    rules = load_tolerances(edit(path, old, new))
    with pytest.raises(ConfigurationError) as raised:
        check_patterns(rules, known_columns(), path)
    assert named in str(raised.value)


def test_a_file_that_is_no_mapping_or_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("- 1\n")
    for name in ("t.yaml", "none.yaml"):
        with pytest.raises(ConfigurationError, match=name):
            load_tolerances(tmp_path / name)
