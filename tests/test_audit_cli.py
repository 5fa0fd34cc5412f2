"""`isogloss audit` from the command line: a record, an earlier one to compare with, mistakes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command_line import Call, command_line
from tests.studies.fake_model import FakeModel

from isogloss.audit.record.read import read_record
from isogloss.config import TransformersModel
from isogloss.models.identity import ModelIdentity
from isogloss.score.stage import Opened

MODEL = "smollm2-135m-instruct"
POSTING = """\
# Baker

We want a driven, competitive and dominant baker who leads two helpers, decides fast and takes on
every challenge alone. You bake 300 loaves of bread each night, from 2:00 to 10:00, for $19 an hour.
"""
REVISED = POSTING.replace("driven, competitive and dominant", "careful")
PERSONAS = """\
attributes:
  gender:
    label: Gender
    values: {female: Female, male: Male}
    reference: male
"""
BACKGROUNDS = "backgrounds: {new: Is new., old: Has ten years of experience.}\n"
IDENTITY = ModelIdentity(
    name=MODEL,
    backend="transformers",
    origin="source fake",
    weights_sha256="a" * 64,
    tokenizer_sha256="b" * 64,
    chat_template_sha256="c" * 64,
    default_system_message=None,
    architecture="Fake",
    n_parameters=1,
    dtype="float32",
    transformers="0",
    torch="0",
)


@pytest.fixture
def folder(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the shipped configuration and data, and a posting, as working folder."""
    root = tmp_path / "project"
    for name in ("config", "data"):
        (root / name).mkdir(parents=True)
        for path in (project / name).iterdir():
            (root / name / path.name).symlink_to(path)
    for name, text in {
        "posting.md": POSTING,
        "revised.md": REVISED,
        "personas.yaml": PERSONAS,
        "backgrounds.yaml": BACKGROUNDS,
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """A stand-in for the model, where the command would load it."""
    model = FakeModel()
    model.announced.append("personas")

    def opened(name: str, config: TransformersModel, *_: object) -> Opened:
        assert (name, config.source) == (MODEL, "smollm2-135m-instruct-q4_1")
        return Opened(model, IDENTITY)

    monkeypatch.setattr("isogloss.score.stage.open_backend", opened)
    return model


@pytest.fixture
def audit(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Call]:
    """Call the command with a small grid."""
    with command_line(monkeypatch, capsys, "audit") as call:

        def run(posting: str, *more: object) -> object:
            grid = ("--personas", "personas.yaml", "--backgrounds", "backgrounds.yaml")
            given = {str(one) for one in more}
            own = [] if given & {"--personas", "--backgrounds"} else grid
            return call(posting, "--model", MODEL, *own, *more)

        yield run


def test_an_audit_ends_in_a_record(audit: Call, fake: FakeModel, folder: Path) -> None:
    said = audit("posting.md", "--out", "a1")
    assert said.status == 0, said.err
    assert said.out.strip() == "Record: a1/index.html"
    assert "recruiter, gender" in said.err
    record = read_record(folder / "a1")
    assert len(record.probes) == len(fake.scored["personas"]) == 2 * 3 * 2
    content = json.loads((folder / "a1" / "audit.json").read_text(encoding="utf-8"))
    assert content["model"]["weights_sha256"] == "a" * 64
    assert "Baker" in (folder / "a1" / "index.html").read_text(encoding="utf-8")


def test_a_second_audit_says_what_changed(audit: Call, fake: FakeModel, folder: Path) -> None:
    assert audit("posting.md", "--out", "a1").status == 0
    said = audit("revised.md", "--out", "a2", "--previous", "a1")
    assert said.status == 0, said.err
    content = json.loads((folder / "a2" / "audit.json").read_text(encoding="utf-8"))
    assert content["comparison"] is not None
    assert "competitive" in json.dumps(content["comparison"])


def test_the_same_audit_again_asks_nothing(audit: Call, fake: FakeModel) -> None:
    assert audit("posting.md", "--out", "a1").status == 0
    asked = len(fake.scored["personas"])
    assert audit("posting.md", "--out", "a2").status == 0
    assert len(fake.scored["personas"]) == asked


def test_a_refused_persona_is_counted_and_not_compared(
    audit: Call, fake: FakeModel, folder: Path
) -> None:
    fake.serves, fake.offended = True, "Gender: Female"
    said = audit("posting.md", "--out", "a1", "--threshold", 1)
    assert said.status == 0, said.err
    assert "4 of 12 questions have no score" in said.err
    record = read_record(folder / "a1")
    assert {p.outcome for p in record.probes if p.persona == "female"} == {"refusal"}
    assert "recruiter, gender: not compared" in said.err


def test_quiet_leaves_what_is_to_be_heeded_and_the_result(audit: Call, fake: FakeModel) -> None:
    quiet = ("--threshold", 1, "--quiet")
    said = audit("posting.md", "--out", "a1", *quiet)
    assert (said.status, said.out) == (0, "Record: a1/index.html\n")
    assert "no group below four fifths" not in said.err
    assert "personas" not in said.err
    fake.serves, fake.offended = True, "Gender: Female"
    said = audit("posting.md", "--out", "a2", *quiet)
    assert "questions have no score" in said.err
    assert "recruiter, gender: not compared" in said.err


def test_one_group_has_nothing_to_compare(audit: Call, fake: FakeModel, folder: Path) -> None:
    text = PERSONAS.replace("female: Female, ", "")
    (folder / "one.yaml").write_text(text, encoding="utf-8")
    grid = ("--personas", "one.yaml", "--backgrounds", "backgrounds.yaml")
    said = audit("posting.md", "--out", "a1", *grid)
    assert said.status == 0, said.err
    assert "not compared: one group" in said.err


def test_a_record_in_the_way_is_found_before_the_model_is_asked(
    audit: Call, fake: FakeModel, folder: Path
) -> None:
    (folder / "a1").mkdir()
    (folder / "a1" / "notes.txt").touch()
    said = audit("posting.md", "--out", "a1")
    assert said.status == 2
    assert "a1: there is something already" in said.err
    assert not fake.scored


@pytest.mark.parametrize(
    ("arguments", "status", "fault"),
    [
        (["none.md", "--out", "a1"], 1, "none.md"),
        (["posting.md", "--out", "a1", "--previous", "nowhere"], 2, "nowhere"),
        (["posting.md", "--out", "a1", "--personas", "none.yaml"], 2, "none.yaml: no such file"),
        (["posting.md"], 2, "give either --out with the folder to write, or --dry-run"),
        (["posting.md", "--out", "a1", "--threshold", "11"], 2, "threshold"),
    ],
)
def test_mistakes_are_named(
    audit: Call, fake: FakeModel, arguments: list[str], status: int, fault: str
) -> None:
    said = audit(*arguments)
    assert said.status == status
    assert fault in said.everything
    assert "Traceback" not in said.everything
    assert not fake.scored


@pytest.mark.parametrize("model", ["nobody", "phi-4"])
def test_a_model_that_cannot_be_asked_is_named(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    model: str,
) -> None:
    with command_line(monkeypatch, capsys, "audit") as call:
        said = call("posting.md", "--model", model, "--out", "a1")
    assert said.status in (1, 2)
    assert model in said.err


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        ("Baker wanted.", "words"),
        (
            "Wir suchen einen erfahrenen Bäcker für unsere Backstube in Leipzig, der nachts gerne "
            "arbeitet, Brot und Brötchen backt und zwei Helfer anleitet. Wir zahlen gut.",
            "English",
        ),
        ("word " * 60_000, "words"),
    ],
)
def test_postings_that_cannot_be_audited(
    audit: Call, fake: FakeModel, folder: Path, text: str, fault: str
) -> None:
    (folder / "odd.txt").write_text(text, encoding="utf-8")
    said = audit("odd.txt", "--out", "a1")
    assert said.status == 1
    assert "odd.txt" in said.err
    assert fault in said.err
    assert not (folder / "a1").exists()


def test_a_dry_run_asks_nothing(audit: Call, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    from isogloss.score.backend import Estimate

    model = FakeModel()
    monkeypatch.setattr("isogloss.score.stage.open_backend", lambda *_: Opened(model, IDENTITY))
    counted: list[int] = []

    def estimate(self: FakeModel, tasks: list[object]) -> Estimate:
        counted.append(len(tasks))
        return Estimate(len(tasks), 100, 0)

    monkeypatch.setattr(FakeModel, "estimate", estimate)
    said = audit("posting.md", "--dry-run")
    assert said.status == 0, said.err
    assert sum(counted) == 12
    assert not model.scored
