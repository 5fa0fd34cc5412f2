"""The page on the rules tells the truth: its examples are what the rules do."""

import re
from pathlib import Path

import pytest

from isogloss.stimuli.rules import RULES
from isogloss.stimuli.rules.aae import FEATURES


@pytest.fixture(scope="module")
def page(project: Path) -> str:
    return (project / "docs" / "rules.md").read_text(encoding="utf-8")


def test_every_example_is_what_the_rule_does(page: str) -> None:
    tables = re.findall(r"\| before \| after \(`(\w+)`\) \|\n\|[- |]+\n((?:\|.*\n)+)", page)
    examples = [
        (name, row.strip("| ").split(" | ")) for name, t in tables for row in t.splitlines()
    ]
    assert len(examples) >= 12
    assert {name for name, _ in examples} == {"articles", "unhedge", "contract", "expand", "aae"}
    for name, (before, after) in examples:
        assert RULES[name](before).text == after


def test_every_rule_feature_and_source_is_on_the_page(page: str) -> None:
    assert [name for name in RULES if f"`{name}`" not in page] == []
    assert [name for name in FEATURES if f"| `{name}` |" not in page] == []
    cited = {source for rule in RULES.values() for source in rule.sources}
    assert cited == set(re.findall(r"^\| (\w+\d{4}) \|", page, flags=re.MULTILINE))
