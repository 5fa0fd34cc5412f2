"""Paths, jobs and parameters of a run."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

import isogloss.project
from isogloss.errors import ConfigurationError
from isogloss.project import Job, Project, Section, open_project, used_sources

CONFIG = Path("config/config.yaml")
RECORDED = [
    "command-r-plus-4bit",
    "olmoe-1b-7b-instruct",
    "deepseek-r1-distill-qwen-1.5b",
    "llama-3.1-8b-instruct",
    "phi-4",
]
LOCAL = "smollm2-135m-instruct"

Open = Callable[[dict[str, Any]], Project]


@pytest.fixture(scope="module")
def opened(project: Path) -> Project:
    """The project with its shipped configuration."""
    return open_project(CONFIG, project)


@pytest.fixture
def shipped(project: Path) -> dict[str, Any]:
    """The shipped configuration as data, to be changed."""
    content: dict[str, Any] = yaml.safe_load((project / CONFIG).read_text(encoding="utf-8"))
    return content


@pytest.fixture
def open_with(tmp_path: Path, project: Path) -> Open:
    """Open a project elsewhere, with another configuration and the same sources."""

    def read(content: dict[str, Any]) -> Project:
        (tmp_path / "data").mkdir(exist_ok=True)
        shutil.copy(project / "data" / "sources.yaml", tmp_path / "data")
        for name in ("stimuli", "guises", "lexicons"):
            if not (tmp_path / "data" / name).exists():
                (tmp_path / "data" / name).symlink_to(project / "data" / name)
        (tmp_path / "config.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return open_project(Path("config.yaml"), tmp_path)

    return read


def test_jobs_are_the_runs_of_the_configuration_in_order(opened: Project) -> None:
    hedging = [Job("hedging", "own", LOCAL)]
    hedging += [Job("hedging", "published", model) for model in RECORDED]
    postings = [Job("recruitment", items, LOCAL) for items in ("gender", "exclusion")]
    assert opened.jobs() == hedging + postings
    assert opened.jobs("hedging") == hedging
    assert opened.jobs("colours") == []


def test_paths_of_artifacts(opened: Project) -> None:
    assert opened.item_sets("hedging") == ["own", "published"]
    assert opened.items_folder("hedging", "own") == "data/items/hedging/own"
    assert opened.item_inputs("hedging", "own") == [
        "data/stimuli/hedging/items.csv",
        "data/stimuli/hedging/categories.csv",
    ]
    assert opened.item_inputs("hedging", "published") == [
        "data/raw/hedging-questions/hedging_questions.csv"
    ]
    assert opened.responses_path(Job("s", "i", "m")) == "data/responses/s/i/m.parquet"
    assert opened.results_folder("hedging") == "data/results/hedging"


def test_a_model_depends_on_its_manifest_or_on_its_recorded_responses(opened: Project) -> None:
    assert opened.model_input(LOCAL) == f"data/models/{LOCAL}.json"
    assert opened.model_input("phi-4") == (
        "data/raw/hedging-interviews-phi-4/interview_scores_microsoft_phi-4.csv"
    )


def test_a_model_in_a_folder_depends_on_the_files_in_it(
    open_with: Open, shipped: dict[str, Any], tmp_path: Path
) -> None:
    shipped["models"][LOCAL] = {"backend": "transformers", "path": "weights"}
    opened = open_with(shipped)
    assert opened.model_files(LOCAL) == []
    (tmp_path / "weights").mkdir()
    for name in ("model.safetensors", "config.json"):
        (tmp_path / "weights" / name).touch()
    assert opened.model_files(LOCAL) == ["weights/config.json", "weights/model.safetensors"]
    assert opened.model_files("phi-4") == []


def test_a_file_inside_a_wheel_keeps_its_own_name(opened: Project) -> None:
    assert opened.raw_path("smollm2-135m-instruct-q4_1") == (
        "data/raw/smollm2-135m-instruct-q4_1/SmolLM2-135M-Instruct.Q4_1.gguf"
    )
    with pytest.raises(ConfigurationError, match="no source 'nobody'"):
        opened.raw_path("nobody")


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


def test_an_association_test_needs_a_declared_set(open_with: Open, shipped: dict[str, Any]) -> None:
    shipped["weat"]["contrasts"]["agentic-communal"]["set"] = "recruitment/none"
    with pytest.raises(
        ConfigurationError, match=r"weat\.contrasts\.agentic-communal\.set: no item"
    ):
        open_with(shipped)


def test_mixed_models_read_every_response_table_and_nothing_else(opened: Project) -> None:
    expected = [opened.responses_path(job) for job in opened.jobs("hedging")]
    assert opened.mixed_inputs("hedging") == expected
    assert "data/results/hedging/mixed_fits.csv" in opened.mixed_paths("hedging")
    assert not set(opened.mixed_paths("hedging")) & set(opened.result_paths("hedging"))


def test_the_report_reads_every_table_and_every_model(opened: Project) -> None:
    inputs = opened.report_inputs()
    assert len(inputs) == len(set(inputs))
    assert set(opened.result_paths("hedging")) <= set(inputs)
    assert set(opened.mixed_paths("hedging")) <= set(inputs)
    assert f"{opened.results_folder('hedging')}/effects.csv" in inputs
    assert {opened.model_input(job.model) for job in opened.jobs()} <= set(inputs)


def test_pages_are_those_in_the_folder(opened: Project, project: Path) -> None:
    pages = opened.pages()
    assert "reports/index.qmd" in pages
    assert pages == sorted(pages)
    assert all((project / page).is_file() for page in pages)


@pytest.mark.parametrize(
    ("configured", "cores", "threads"), [(None, 8, 8), (1, 8, 1), (4, 8, 4), (4, 2, 2)]
)
def test_a_model_that_runs_here_gets_the_cores_it_may_use(
    opened: Project, configured: int | None, cores: int, threads: int
) -> None:
    local = opened.config.models[LOCAL].model_copy(update={"threads": configured})
    models = {**opened.config.models, LOCAL: local}
    project = replace(opened, config=opened.config.model_copy(update={"models": models}))
    assert project.threads(LOCAL, cores) == threads


def test_a_recorded_model_gets_one_thread(opened: Project) -> None:
    assert opened.threads("phi-4", 8) == 1


def test_a_study_that_is_not_configured(opened: Project) -> None:
    for ask in (opened.study, opened.settings, opened.item_sets):
        with pytest.raises(ConfigurationError, match=r"'dialect' is not configured; .* hedging"):
            ask("dialect")


def test_each_section_is_a_parameter_of_its_own(open_with: Open, shipped: dict[str, Any]) -> None:
    before = open_with(shipped)
    shipped["studies"]["hedging"]["analysis"]["alpha"] = 0.01
    after = open_with(shipped)
    for section in get_args(Section):
        same = before.section("hedging", section) == after.section("hedging", section)
        assert same == (section != "analysis")
    assert json.loads(after.section("hedging", "analysis"))["alpha"] == 0.01


def test_parameters_are_canonical(open_with: Open, shipped: dict[str, Any]) -> None:
    before = open_with(shipped)
    scoring = shipped["studies"]["hedging"]["scoring"]
    shipped["studies"]["hedging"]["scoring"] = dict(reversed(scoring.items()))
    shipped["models"][LOCAL] = dict(reversed(shipped["models"][LOCAL].items()))
    after = open_with(shipped)
    assert before.section("hedging", "scoring") == after.section("hedging", "scoring")
    assert before.model_settings(LOCAL) == after.model_settings(LOCAL)


def test_parameters_name_what_they_stand_for(opened: Project) -> None:
    assert json.loads(opened.pin("hedging-questions"))["bytes"] == 29102
    assert json.loads(opened.model_settings("phi-4")) == {
        "backend": "recorded",
        "source": "hedging-interviews-phi-4",
    }
    assert "package" in json.loads(opened.encoder_settings())


def test_sources_in_use_are_those_of_items_and_models(opened: Project) -> None:
    assert set(used_sources(opened)) == set(opened.sources)


def test_a_source_in_use_that_does_not_exist(open_with: Open, shipped: dict[str, Any]) -> None:
    shipped["models"]["phi-4"]["source"] = "hedging-interviews-phi4"
    with pytest.raises(ConfigurationError, match="did you mean 'hedging-interviews-phi-4'"):
        open_with(shipped)


def test_an_item_set_that_does_not_exist(open_with: Open, shipped: dict[str, Any]) -> None:
    shipped["studies"]["hedging"]["runs"][0]["items"] = "owned"
    with pytest.raises(
        ConfigurationError, match="studies: no item set 'hedging/owned' in data/stimuli"
    ):
        open_with(shipped)


def test_hateful_content_needs_leave_before_any_job(
    open_with: Open, shipped: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = isogloss.project.load_sources

    def one_is_hateful(path: Path) -> dict[str, Any]:
        sources = load(path)
        pin = sources["hedging-questions"].model_copy(update={"hateful": True})
        return {**sources, "hedging-questions": pin}

    monkeypatch.setattr(isogloss.project, "load_sources", one_is_hateful)
    with pytest.raises(ConfigurationError, match="hedging-questions contains hateful content"):
        open_with(shipped)
    shipped["allow_hateful_content"] = True
    assert open_with(shipped).config.allow_hateful_content


def test_the_configuration_may_stand_anywhere(project: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    shutil.copy(project / CONFIG, path)
    assert open_project(path, project).jobs() == open_project(CONFIG, project).jobs()


def test_the_root_is_the_working_directory_unless_given(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert open_project(CONFIG).root == project


def test_sets_are_those_of_the_runs_and_those_configured_beside(opened: Project) -> None:
    sets = opened.sets()
    assert sets[:2] == ["hedging/own", "hedging/published"]
    assert len(sets) == len(set(sets)) > 2
    assert {f"data/items/{name}/verdicts.csv" for name in sets} <= set(opened.set_tables())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sets": ["hedging/lent"]}, "stimuli.sets: no item set 'hedging/lent'"),
        (
            {"generate": {"x": {"set": "a/b", "reference": "c", "guise": "hedged"}}},
            "stimuli.generate.x.set: no item set 'a/b'",
        ),
        (
            {"generate": {"x": {"set": "hedging/own", "reference": "c", "guise": "loud"}}},
            "stimuli.generate.x.guise: no guise 'loud'",
        ),
        (
            {
                "generate": {
                    "x": {"set": "hedging/own", "reference": "c", "guise": "hedged", "by": "m"}
                }
            },
            "stimuli.generate.x.by: 'm' is neither rules nor a configured model",
        ),
        ({"judge": "m"}, "model 'm' is not configured"),
    ],
)
def test_what_stimuli_name_must_exist(
    open_with: Open, shipped: dict[str, Any], change: dict[str, Any], said: str
) -> None:
    shipped["stimuli"] = change
    with pytest.raises(ConfigurationError) as refusal:
        open_with(shipped)
    assert said in str(refusal.value)


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


def test_generated_texts_are_asked_for_as_configured(
    open_with: Open, shipped: dict[str, Any]
) -> None:
    made = {"set": "hedging/own", "reference": "confident", "guise": "hedged"}
    served = {"backend": "openai", "base_url": "https://x.example/v1", "model": "m"}
    shipped["models"] |= {"served": served, "thinks": {**served, "reasoning": True}}
    shipped["stimuli"] = {
        "generate": {
            "a": made,
            "b": {**made, "by": "served", "items": 4, "temperature": 0.5},
            "c": {**made, "by": "thinks"},
        }
    }
    opened = open_with(shipped)
    common = (
        "hedging --set own --guise hedged --reference confident "
        "--from data/items/hedging/own/items.csv"
    )
    assert opened.generate_options("a") == f"{common} --by rules"
    assert opened.generate_options("b") == (
        f"{common} --model served --candidates 3 --max-new-tokens 400 --temperature 0.5 --items 4"
    )
    assert "--temperature" not in opened.generate_options("c")
    assert "data/stimuli/hedging/own.yaml" in opened.generated_inputs("a")
    assert "data/models/served.json" in opened.generated_inputs("b")
    assert "data/models/served.json" not in opened.generated_inputs("a")
