"""Tests of isogloss.crate.package: what stands in a package, and what it says."""

import hashlib
import json
import shutil
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.crate.conftest import SENTENCE
from tests.record.conftest import Project

from isogloss.crate.identifier import recorded_identifier
from isogloss.crate.package import Packaged, package
from isogloss.crate.terms import Terms
from isogloss.errors import RecordError
from isogloss.record.lock import read_lock

REPORT = "reports/_site/index.html"
MIT = "https://spdx.org/licenses/MIT"
CLOSED = "data/raw/closed/items.csv"
WITHHELD = {
    CLOSED,
    "data/items/toy/items.csv",
    "data/items/toy/numbers.csv",
    "data/results/toy/quote.csv",
}


@pytest.fixture(scope="module")
def written(
    recorded: Project, terms: dict[str, Terms], tmp_path_factory: pytest.TempPathFactory
) -> Packaged:
    """The recorded project as a folder."""
    return package(recorded.folder, tmp_path_factory.mktemp("out") / "crate", terms)


@pytest.fixture(scope="module")
def graph(written: Packaged) -> dict[str, dict[str, Any]]:
    """The metadata's entities by their identifier."""
    document = json.loads((written.out / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    assert document["@context"] == [
        "https://w3id.org/ro/crate/1.1/context",
        "https://w3id.org/ro/terms/workflow-run/context",
    ]
    entities = document["@graph"]
    assert len({entity["@id"] for entity in entities}) == len(entities)
    return {entity["@id"]: entity for entity in entities}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def ids(value: Any) -> list[str]:
    return [one["@id"] for one in listed(value)]


def files_below(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_the_package_has_the_run_and_its_workflow(written: Packaged) -> None:
    assert files_below(written.out) == {
        "CITATION.cff",
        "LICENSE",
        "README.md",
        "Snakefile",
        "config/toy.yaml",
        "constraints.txt",
        "data/items/own/items.csv",
        "data/raw/open/words.txt",
        "data/results/toy/counts.csv",
        "data/results/toy/empty dir/a file.txt",
        "data/sources.yaml",
        "dvc.lock",
        "dvc.yaml",
        "profiles/default/config.yaml",
        "reports/_site/counts.txt",
        "reports/_site/index.html",
        "reports/index.qmd",
        "ro-crate-metadata.json",
        "src/toy/module.py",
        "upstream/items.csv",
        "upstream/words.txt",
    }


def test_what_may_not_be_handed_on_is_described_only(
    written: Packaged, graph: dict[str, dict[str, Any]], recorded: Project
) -> None:
    assert {file.path for file in written.withheld} == WITHHELD
    for path in WITHHELD:
        entity = graph[f"#withheld/{path}"]
        content = recorded.path(path).read_bytes()
        assert entity["sha256"] == hashlib.sha256(content).hexdigest()
        assert entity["contentSize"] == str(len(content))
        assert entity["conditionsOfAccess"].startswith("Not in this package: ")
    assert graph[f"#withheld/{CLOSED}"]["url"] == "https://example.org/items.csv"
    metadata = (written.out / "ro-crate-metadata.json").read_text(encoding="utf-8")
    assert SENTENCE not in metadata
    assert "4 artifacts are described by their hashes" in graph["./"]["description"]


def test_every_file_has_its_hashes_size_and_type(
    written: Packaged, graph: dict[str, dict[str, Any]]
) -> None:
    described = {e["name"]: e for e in graph.values() if "File" in listed(e["@type"])}
    described |= {"Snakefile": graph["Snakefile"], "reports/_site/index.html": graph[REPORT]}
    for path in files_below(written.out) - {"ro-crate-metadata.json"}:
        content = (written.out / path).read_bytes()
        entity = described[path]
        assert entity["md5"] == hashlib.md5(content, usedforsecurity=False).hexdigest()
        assert entity["sha256"] == hashlib.sha256(content).hexdigest()
        assert entity["contentSize"] == str(len(content))
        assert "/" in entity["encodingFormat"]
    assert graph["data/raw/open/words.txt"]["license"] == {"@id": MIT}
    assert graph["data/items/own/items.csv"]["license"] == {"@id": MIT}
    assert "license" not in graph["data/results/toy/counts.csv"]


def test_the_root_says_what_it_is(
    written: Packaged, graph: dict[str, dict[str, Any]], recorded: Project
) -> None:
    root = graph["./"]
    commit, seconds = recorded.git("log", "-1", "--format=%H %ct").split()
    assert root["identifier"] == written.identifier
    assert written.identifier == recorded_identifier(read_lock(recorded.path("dvc.lock")))
    assert commit in root["description"]
    assert datetime.fromisoformat(root["datePublished"]).timestamp() == int(seconds)
    assert root["name"] == "A recorded run of A toy"
    assert root["license"] == {"@id": "https://spdx.org/licenses/Apache-2.0"}
    assert ids(root["author"]) == ["https://orcid.org/0000-0002-1825-0097", "#author-2"]
    assert graph["https://orcid.org/0000-0002-1825-0097"]["name"] == "Ada Müller"
    assert graph["#author-2"]["@type"] == "Organization"
    assert REPORT in ids(root["hasPart"])
    assert graph[REPORT]["about"] == {"@id": "#run"}


def test_every_reference_leads_somewhere(graph: dict[str, dict[str, Any]]) -> None:
    reached = {"ro-crate-metadata.json"}
    waiting = ["ro-crate-metadata.json"]
    while waiting:
        for key, value in graph[waiting.pop()].items():
            for one in listed(value):
                if not isinstance(one, dict):
                    continue
                assert set(one) == {"@id"}, key
                target = one["@id"]
                if target not in graph:
                    assert target.startswith("https://"), f"{key}: {target}"
                elif target not in reached:
                    reached.add(target)
                    waiting.append(target)
    assert reached == set(graph)


def test_the_profiles_requirements_are_met(graph: dict[str, dict[str, Any]]) -> None:
    """Requirements (MUST) of RO-Crate 1.1, Workflow RO-Crate 1.0 and the run profiles 0.5."""
    descriptor, root, workflow = graph["ro-crate-metadata.json"], graph["./"], graph["Snakefile"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["about"] == {"@id": "./"}
    assert "https://w3id.org/ro/crate/1.1" in ids(descriptor["conformsTo"])
    assert {"name", "description", "datePublished", "license"} <= set(root)
    for profile in ("process/0.5", "workflow/0.5", "provenance/0.5"):
        address = f"https://w3id.org/ro/wfrun/{profile}"
        assert address in ids(root["conformsTo"])
        assert graph[address]["@type"] == "CreativeWork"
    assert root["mainEntity"] == {"@id": "Snakefile"}
    types = {"File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"}
    assert set(workflow["@type"]) == types
    (language,) = ids(workflow["programmingLanguage"])
    assert graph[language]["@type"] == "ComputerLanguage"
    assert graph[language]["version"] == "9.27.0"
    tools, steps = ids(workflow["hasPart"]), ids(workflow["step"])
    executions = {e["@id"]: e for e in graph.values() if e["@type"] == "CreateAction"}
    assert executions["#run"]["instrument"] == {"@id": "Snakefile"}
    assert {e["instrument"]["@id"] for e in executions.values()} == {"Snakefile", *tools}
    assert set(executions) <= set(ids(root["mentions"]))
    controls = {e["@id"]: e for e in graph.values() if e["@type"] == "ControlAction"}
    assert {c["instrument"]["@id"] for c in controls.values()} == set(steps)
    assert {c["object"]["@id"] for c in controls.values()} == set(executions) - {"#run"}
    assert all(ids(graph[step]["workExample"])[0] in tools for step in steps)
    (engine,) = (e for e in graph.values() if e["@type"] == "OrganizeAction")
    assert set(ids(engine["object"])) == set(controls)
    assert engine["result"] == {"@id": "#run"}
    assert graph[engine["instrument"]["@id"]]["softwareVersion"] == "9.27.0"


def test_stages_are_actions_as_recorded_and_nothing_is_made_up(
    graph: dict[str, dict[str, Any]], recorded: Project
) -> None:
    lock = read_lock(recorded.path("dvc.lock"))
    for name, stage in lock.stages.items():
        action = graph[f"#stage/{name}"]
        assert action["description"] == stage.cmd
        named = [graph[one]["name"].rstrip("/") for one in ids(action.get("object", []))]
        assert sorted(named) == sorted(dep.path for dep in stage.deps)
    fetched = graph["#stage/fetch-closed-items-csv"]
    assert fetched["instrument"] == {"@id": "#rule/fetch"}
    assert fetched["result"] == {"@id": f"#withheld/{CLOSED}"}
    assert "config/toy.yaml" in ids(graph["#run"]["object"])
    assert "data/results/toy/empty%20dir/" in ids(graph["#run"]["result"])
    assert not {key for e in graph.values() for key in e} & {"startTime", "endTime", "agent"}


def test_a_step_stands_after_those_it_needs(graph: dict[str, dict[str, Any]]) -> None:
    places = {e["name"]: int(e["position"]) for e in graph.values() if e["@type"] == "HowToStep"}
    assert sorted(places.values()) == list(range(1, len(places) + 1))
    assert places["fetch-closed-items-csv"] < places["stimuli"] < places["analysis"]
    assert places["analysis"] < places["report"]


def test_software_is_that_of_the_constraints(graph: dict[str, dict[str, Any]]) -> None:
    needed = ids(graph["#isogloss"]["softwareRequirements"])
    assert needed == [
        "https://pypi.org/project/snakemake/9.27.0/",
        "https://pypi.org/project/numpy/2.4.6/",
    ]
    assert graph[needed[1]]["softwareVersion"] == "2.4.6"


def test_the_same_run_gives_the_same_bytes(
    recorded: Project, terms: dict[str, Terms], project: Project, tmp_path: Path
) -> None:
    """Elsewhere, later, with other file times, and after the code was changed and committed."""
    first = package(recorded.folder, tmp_path / "a.zip", terms).out.read_bytes()
    for path in project.folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts and ".dvc" not in path.parts:
            shutil.copyfile(path, tmp_path / "bytes")
            path.unlink()
            shutil.copyfile(tmp_path / "bytes", path)
    project.edit("src/toy/module.py", "1", "2")
    project.git("commit", "--quiet", "--all", "--message", "Later")
    assert package(project.folder, tmp_path / "b.zip", terms).out.read_bytes() == first


def test_the_zip_has_what_the_folder_has(
    recorded: Project, terms: dict[str, Terms], written: Packaged, tmp_path: Path
) -> None:
    done = package(recorded.folder, tmp_path / "a.zip", terms)
    with zipfile.ZipFile(done.out) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        assert {entry.filename for entry in entries} == files_below(written.out)
        for entry in entries:
            assert archive.read(entry) == (written.out / entry.filename).read_bytes()
        assert len({entry.date_time for entry in entries}) == 1
        assert "reports/_site/" in archive.namelist()


def test_it_is_said_whether_the_report_names_the_run(
    project: Project, terms: dict[str, Terms], written: Packaged, tmp_path: Path
) -> None:
    assert not written.named_in_report
    project.edit("Snakefile", "<p>14 words</p>", f"<p>{written.identifier}</p>")
    assert project.snakemake().returncode == 0
    project.git("commit", "--quiet", "--all", "--message", "Name the run")
    done = package(project.folder, tmp_path / "crate", terms)
    assert done.identifier == written.identifier
    assert done.named_in_report


@pytest.mark.parametrize("name", ["out.zip", "out"])
def test_nothing_is_overwritten(
    recorded: Project, terms: dict[str, Terms], tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(RecordError, match="exists already"):
        package(recorded.folder, tmp_path / name, terms)
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("name", ["out.zip", "out"])
def test_a_file_that_changes_meanwhile_leaves_no_package(
    project: Project,
    terms: dict[str, Terms],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    from isogloss.crate import package as module

    described = module.describe

    def change_after(*arguments: Any) -> Any:
        result = described(*arguments)
        project.path("data/results/toy/counts.csv").write_text("other")
        return result

    monkeypatch.setattr(module, "describe", change_after)
    target = tmp_path / "target"
    with pytest.raises(RecordError, match=r"counts\.csv changed while"):
        package(project.folder, target / name, terms)
    assert not list(target.iterdir())


def _uncommitted(project: Project) -> None:
    project.edit("dvc.lock", "schema: '2.0'", "schema: '2.0' ")


def _no_repository(project: Project) -> None:
    shutil.rmtree(project.path(".git"))


def _no_citation(project: Project) -> None:
    project.path("CITATION.cff").unlink()


def _no_licence(project: Project) -> None:
    project.edit("CITATION.cff", "license: Apache-2.0", "")


def _no_record(project: Project) -> None:
    project.path("dvc.lock").unlink()
    project.git("commit", "--quiet", "--all", "--message", "Drop the record")


def _never_committed(project: Project) -> None:
    shutil.rmtree(project.path(".git"))
    project.git("init", "--quiet")
    project.git("add", "Snakefile")
    project.git("commit", "--quiet", "--message", "x")


def _shallow(project: Project) -> None:
    project.edit("README.md", "toy", "game")
    project.git("commit", "--quiet", "--all", "--message", "x")
    project.git("clone", "--quiet", "--depth=1", f"file://{project.folder}", ".shallow")
    shutil.rmtree(project.path(".git"))
    project.path(".shallow/.git").rename(project.path(".git"))
    shutil.rmtree(project.path(".shallow"))


def _outside(project: Project) -> None:
    project.edit("dvc.lock", "path: data/sources.yaml", "path: ../../etc/hosts")
    project.git("commit", "--quiet", "--all", "--message", "x")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_uncommitted, "differs from the last commit"),
        (_no_repository, "git does not know the commit"),
        (_no_citation, r"CITATION\.cff does not exist"),
        (_no_licence, r"CITATION\.cff: license"),
        (_no_record, r"dvc\.lock does not exist"),
        (_never_committed, "differs from the last commit"),
        (_shallow, "shallow clone"),
        (_outside, r"\.\./\.\./etc/hosts, which lies outside"),
    ],
)
def test_what_stands_in_the_way_is_named(
    project: Project, terms: dict[str, Terms], tmp_path: Path, spoil: Any, words: str
) -> None:
    spoil(project)
    with pytest.raises(RecordError, match=words):
        package(project.folder, tmp_path / "out.zip", terms)
    assert not (tmp_path / "out.zip").exists()
