"""What is made from responses: inputs and tables of each stage."""

from typing import Any

from tests.project.conftest import Open

from isogloss.project import Job, Project


def test_paths_of_responses_and_results(opened: Project) -> None:
    assert opened.responses_path(Job("s", "i", "m")) == "data/responses/s/i/m.parquet"
    assert opened.results_folder("hedging") == "data/results/hedging"


def test_the_analysis_reads_every_response_table_and_every_verdict(opened: Project) -> None:
    inputs = opened.analysis_inputs("hedging")
    assert len(inputs) == len(set(inputs))
    assert {opened.responses_path(job) for job in opened.jobs("hedging")} < set(inputs)
    for items in ("own", "published"):
        assert f"data/items/hedging/{items}/verdicts.csv" in inputs
        assert f"data/items/hedging/{items}/checks.csv" in inputs


def test_each_design_has_its_tables(opened: Project) -> None:
    of_pairs, of_personas = (set(opened.result_paths(s)) for s in ("hedging", "recruitment"))
    assert "data/results/hedging/mitigation.csv" in of_pairs
    assert "data/results/recruitment/increments.csv" in of_personas
    assert {path.rpartition("/")[2] for path in of_pairs & of_personas} == set()
    assert "data/results/recruitment/plan.json" in of_personas


def test_association_tests_read_lists_items_and_files_of_vectors(
    open_with: Open, shipped: dict[str, Any]
) -> None:
    shipped["weat"]["embeddings"] = {
        "own": {"kind": "npy", "path": "v.npy", "words": "v.txt", "case": "lower"},
        "glove": {"kind": "package"},
    }
    inputs = open_with(shipped).weat_inputs()
    assert {"data/weat/classic.yaml", "v.npy", "v.txt"} < set(inputs)
    assert "data/items/recruitment/gender/items.csv" in inputs
    assert "data/glove_6B_50d_emb.npy" not in inputs, "the package's version stands for it"


def test_mixed_models_read_every_response_table_and_nothing_else(opened: Project) -> None:
    expected = [opened.responses_path(job) for job in opened.jobs("hedging")]
    assert opened.mixed_inputs("hedging") == expected
    assert "data/results/hedging/mixed_fits.csv" in opened.mixed_paths("hedging")
    assert not set(opened.mixed_paths("hedging")) & set(opened.result_paths("hedging"))
