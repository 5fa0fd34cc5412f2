import json
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.config.schema import OpenAIModel
from isogloss.models.identity import manifest_of, write_manifest
from isogloss.models.served import served_identity
from isogloss.record.checks.models import ModelsCheck
from isogloss.record.model_files import adapter_sha256

MANIFEST = "data/models/toy.json"


def _rewrite(project: Project, **fields: object) -> None:
    manifest = json.loads(project.path(MANIFEST).read_text())
    write_manifest(manifest | fields, project.path(MANIFEST))


def _notes(project: Project) -> list[str]:
    outcome = ModelsCheck().run(project.folder)
    assert all((one.kind, one.path) == ("model", MANIFEST) for one in outcome.findings)
    return [one.note for one in outcome.findings]


def test_files_are_those_of_the_manifest(recorded_chain: Project) -> None:
    outcome = ModelsCheck().run(recorded_chain.folder)
    assert (outcome.status, outcome.covered) == ("verified", 1)


def test_a_template_is_found_wherever_it_stands(chain: Project) -> None:
    """Read from the files, without the library that loads them."""
    template = chain.path("models/toy/chat_template.jinja")
    settings = json.loads(chain.path("models/toy/tokenizer_config.json").read_text())
    settings["chat_template"] = template.read_text()
    template.unlink()
    chain.path("models/toy/tokenizer_config.json").write_text(json.dumps(settings))
    assert _notes(chain) == []


@pytest.mark.slow
def test_another_template_is_found(chain: Project) -> None:
    chain.edit("models/toy/chat_template.jinja", "messages[0]", "messages[-1]")
    assert _notes(chain) == ["chat template in models/toy"]


def test_a_digest_has_to_follow_from_its_fields(chain: Project) -> None:
    _rewrite(chain, dtype="bfloat16")
    assert _notes(chain) == ["digest of the manifest's own fields"]


def test_weights_that_are_not_here_could_not_be_checked(chain: Project) -> None:
    chain.path("models/toy/model.safetensors").unlink()
    outcome = ModelsCheck().run(chain.folder)
    assert (outcome.status, outcome.covered) == ("not_checked", 0)
    [reason] = outcome.not_checked
    assert reason.startswith(f"{MANIFEST}: of models/toy, every safetensors file is not here")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"digest": "a", "weights_sha256": "b"}'])
def test_what_is_no_manifest_could_not_be_checked(chain: Project, content: str) -> None:
    chain.path(MANIFEST).write_text(content)
    outcome = ModelsCheck().run(chain.folder)
    assert outcome.status == "not_checked"
    assert "no readable manifest" in outcome.not_checked[0]


def test_a_served_model_has_no_files_and_is_said(chain: Project) -> None:
    config = OpenAIModel(backend="openai", base_url="https://example.org/v1", model="m")
    write_manifest(manifest_of(served_identity("toy", config)), chain.path(MANIFEST))
    outcome = ModelsCheck().run(chain.folder)
    assert (outcome.status, outcome.covered) == ("verified", 0)
    assert "toy runs behind a server and has no files to compare" in outcome.summary


def test_an_adapter_is_found_through_the_configuration(chain: Project) -> None:
    adapter = chain.path("models/adapter")
    adapter.mkdir()
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        (adapter / name).write_text(name)
    _rewrite(chain, adapter_sha256=adapter_sha256(adapter))
    assert ModelsCheck().run(chain.folder).status == "differs", "the digest has to follow"
    config = Path("config.yaml")
    check = ModelsCheck(config)
    assert "config.yaml: no such file" in check.run(chain.folder).not_checked[0]
    chain.path("config.yaml").write_text("models: {toy: {path: models/toy}}\n")
    assert "has no adapter for model toy" in check.run(chain.folder).not_checked[0]
    chain.path("config.yaml").write_text("models: {toy: {adapter: models/adapter}}\n")
    assert [one.note for one in check.run(chain.folder).findings][1:] == []
    (adapter / "adapter_model.safetensors").write_text("other")
    notes = [one.note for one in check.run(chain.folder).findings]
    assert notes[1:] == ["adapter models/adapter"]
