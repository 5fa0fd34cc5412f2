"""Which item sets there are, and what each depends on."""

from pathlib import Path
from typing import Any

import pytest
from tests.project.conftest import LOCAL, Open

from isogloss.errors import ConfigurationError
from isogloss.project import Project


def test_paths_of_item_sets(opened: Project) -> None:
    assert opened.item_sets("hedging") == ["own", "published"]
    assert opened.items_folder("hedging", "own") == "data/items/hedging/own"
    assert opened.item_inputs("hedging", "own") == [
        "data/stimuli/hedging/items.csv",
        "data/stimuli/hedging/categories.csv",
    ]
    assert opened.item_inputs("hedging", "published") == [
        "data/raw/hedging-questions/hedging_questions.csv"
    ]


def test_sets_are_those_of_the_runs_and_those_configured_beside(opened: Project) -> None:
    sets = opened.sets()
    assert sets[:2] == ["hedging/own", "hedging/published"]
    assert len(sets) == len(set(sets)) > 2
    assert {f"data/items/{name}/verdicts.csv" for name in sets} <= set(opened.set_tables())


def test_a_set_without_address_is_left_out_where_no_mirror_has_it(
    open_with: Open, shipped: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(mirror))
    name = "recruitment/published-gender"
    shipped["stimuli"] = {"sets": [name, "dialect/own"]}
    without = open_with(shipped)
    assert name not in without.sets()
    assert "dialect/own" in without.sets()
    assert "no public address" in without.sets_out_of_reach()[name]
    file = mirror / "recruitment_2609_18106" / "gender_postings.csv"
    file.parent.mkdir()
    file.touch()
    assert name in open_with(shipped).sets()
    assert open_with(shipped).sets_out_of_reach() == {}


def test_validation_reads_guises_lexicons_and_the_items_of_unrelated_sets(
    opened: Project,
) -> None:
    inputs = opened.validation_inputs("hedging", "styles")
    assert {
        "data/stimuli/hedging/styles.yaml",
        "data/guises/hedged.yaml",
        "data/lexicons/hedges.yaml",
        "data/items/hedging/published/items.csv",
    } <= set(inputs)
    related = {"data/items/hedging/own/items.csv", "data/items/hedging/styles/items.csv"}
    assert not related & set(inputs)


def test_of_two_sets_only_the_later_depends_on_the_other(opened: Project) -> None:
    needs = {name: opened.other_items(name) for name in opened.sets()}
    for name, paths in needs.items():
        for path in paths:
            other = "/".join(Path(path).parts[2:4])
            assert f"data/items/{name}/items.csv" not in needs[other]
    # What others published does not hang on what is written here.
    assert "data/items/hedging/own/items.csv" not in needs["hedging/published"]
    assert "data/items/hedging/own/items.csv" in needs["dialect/own"]


def test_a_set_that_is_not_configured_is_compared_with_those_that_are(
    open_with: Open, shipped: dict[str, Any]
) -> None:
    shipped["stimuli"] = {"sets": ["dialect/own", "hedging/styles"]}
    del shipped["studies"]["recruitment"], shipped["weat"]
    opened = open_with(shipped)
    assert opened.other_items("identity/questions") == [
        f"data/items/{name}/items.csv"
        for name in ("hedging/published", "hedging/own", "dialect/own", "hedging/styles")
    ]
    related = opened.other_items("hedging/styles")
    assert related == [
        f"data/items/{name}/items.csv" for name in ("hedging/published", "dialect/own")
    ]


def test_validation_runs_again_for_another_judge(open_with: Open, shipped: dict[str, Any]) -> None:
    before = open_with(shipped).validation_inputs("hedging", "own")
    shipped["stimuli"]["judge"] = LOCAL
    after = open_with(shipped).validation_inputs("hedging", "own")
    assert set(after) - set(before) == {f"data/models/{LOCAL}.json"}
    assert set(before) < set(after)


def test_sets_of_studies_that_are_not_configured_have_their_folders(
    open_with: Open, shipped: dict[str, Any]
) -> None:
    shipped["stimuli"] = {"sets": ["dialect/own"]}
    del shipped["studies"]["recruitment"], shipped["weat"]
    opened = open_with(shipped)
    assert opened.folders() == ["hedging", "dialect"]
    assert opened.declared_set("dialect", "own").folder == "dialect"
    assert opened.item_inputs("dialect", "own") == ["data/stimuli/dialect/items.csv"]
    assert opened.item_inputs("dialect", "habitual") == [opened.raw_path("habitual-be-pairs")]
    with pytest.raises(ConfigurationError, match=r"no item set dialect/lent .* hedging/own"):
        opened.declared_set("dialect", "lent")


def test_only_decisions_in_the_project_are_inputs(
    open_with: Open, shipped: dict[str, Any], tmp_path: Path
) -> None:
    opened = open_with(shipped)
    assert opened.review_files() == []
    folder = tmp_path / "data/reviews/hedging"
    folder.mkdir(parents=True)
    for name in ("own.csv", ".own.csv.lock", "note.txt"):
        (folder / name).touch()
    assert opened.review_files() == ["data/reviews/hedging/own.csv"]
