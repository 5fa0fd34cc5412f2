"""The command on a small project: what is found, the exit status, and what is left behind."""

import json
import logging
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
import typer
import yaml
from jsonschema import Draft202012Validator
from tests.reproduce.conftest import (
    EFFECTS,
    IDENTITY,
    RESPONSES,
    WORKFLOW_STAGES,
    Toy,
    asked_model,
)

from isogloss.errors import ModelError
from isogloss.options import schema_text
from isogloss.reproduce import models, run
from isogloss.reproduce.workflow import Place
from isogloss.reproduce_cli import reproduce
from isogloss.score.stage import Opened

Call = Callable[..., "Said"]
SCHEMA = Draft202012Validator(
    json.loads(schema_text("isogloss.reproduce", "reproduce.schema.json"))
)


@dataclass(frozen=True)
class Said:
    """How a call ended, and what it said."""

    status: int
    out: str
    log: str

    @property
    def found(self) -> dict:
        """The findings of a call with `json`, in the published form."""
        document = json.loads(self.out)
        SCHEMA.validate(document)
        assert document["exit_code"] == self.status
        return document

    @property
    def reason(self) -> str:
        """Why a call with `json` could not be done."""
        assert (self.status, self.found["status"], self.found["tables"]) == (2, "not done", [])
        [failed] = self.found["failed"]
        return failed["reason"]

    def table(self, name: str, scope: str = "") -> dict:
        """One table of the findings."""
        [one] = [
            t
            for t in self.found["tables"]
            if t["table"] == name
            and t["scope"].startswith(scope)
            and bool(t["scope"]) == bool(scope)
        ]
        return one


@pytest.fixture
def call(
    toy: Toy, scratch: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Iterator[Call]:
    """Call the command within the project; what it left in the scratch folder is for the test."""
    logger = logging.getLogger("isogloss")
    before = logger.level, logger.propagate
    logger.setLevel(logging.INFO)
    logger.propagate = True

    def run(**options: object) -> Said:
        caplog.clear()
        try:
            reproduce(**{"cores": "1", "json": True, "scratch": scratch, **options})
        except typer.Exit as end:
            return Said(end.exit_code, capsys.readouterr().out, caplog.text)
        raise AssertionError("no exit status")

    yield run
    logger.setLevel(before[0])
    logger.propagate = before[1]


def left(scratch: Path) -> list[Path]:
    return list(scratch.iterdir())


def test_a_full_run_gives_the_recorded_numbers_and_leaves_nothing(
    toy: Toy, call: Call, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Place, "stages", WORKFLOW_STAGES)
    before = toy.hashes()
    said = call()
    assert said.status == 0, said.log
    assert said.found["status"] == "reproduced"
    tables = {table["table"]: table["result"] for table in said.found["tables"]}
    assert tables[EFFECTS] == tables[RESPONSES] == "same bytes"
    assert tables["data/raw/words/words.txt"] == "same bytes"
    assert len(tables) == 7
    assert len(said.found["recomputed"]) == 5
    assert said.found["taken_over"] == []
    assert toy.hashes() == before
    assert left(scratch) == []


def test_what_is_computed_otherwise_now_is_found(toy: Toy, call: Call) -> None:
    script = toy.path("kept/analyse.py")
    text = script.read_text().replace("m > 3", "m <= 3").replace(", m, m /", ", m + 1, m /")
    script.write_text(text)
    said = call()
    assert said.status == 1
    table = said.table(EFFECTS)
    assert table["result"] == "differs"
    now = {"high": "low", "low": "high"}
    assert {verdict["row"]: verdict["found"] for verdict in table["verdicts"]} == {
        f"guise {row.guise}": now[str(row.verdict)]
        for row in pd.read_csv(toy.path(EFFECTS)).itertuples()
    }
    [estimate] = [n for n in table["numbers"] if n["column"] == "estimate"]
    assert (estimate["cells"], estimate["beyond"]) == (3, 3)
    assert estimate["largest_absolute"] == pytest.approx(1.0)
    assert said.table(RESPONSES)["result"] == "same bytes"


def test_a_changed_recorded_answer_is_found_in_the_answer_and_downstream(
    toy: Toy, call: Call
) -> None:
    toy.change_answer()
    toy.record()
    said = call()
    assert said.status == 1
    assert said.table(RESPONSES)["result"] == "differs"
    sampled = call(sample="1")
    assert sampled.status == 1
    # Whichever prompt is drawn: the recorded table of results was not made from this answer.
    assert sampled.table(EFFECTS)["result"] == "differs"


def test_a_changed_recorded_answer_is_found_when_its_prompt_is_asked(toy: Toy, call: Call) -> None:
    toy.change_answer()
    toy.record()
    said = call(sample="100%")
    table = said.table(RESPONSES, "new answers")
    [number] = [n for n in table["numbers"] if n["beyond"]]
    assert number["column"] == "expected"
    assert number["largest_absolute"] == pytest.approx(0.25)


def test_a_tolerance_lets_a_difference_pass_and_says_so(toy: Toy, call: Call) -> None:
    path = toy.path(EFFECTS)
    table = pd.read_csv(path)
    table["estimate"] += 5e-5
    table.to_csv(path, index=False)
    toy.record()
    assert call().status == 0
    rules = toy.path("config/tolerances.yaml")
    rules.write_text(
        rules.read_text().replace("estimate: {absolute: 1.0e-4", "estimate: {absolute: 1.0e-5")
    )
    assert call().status == 1


def test_a_file_with_other_bytes_than_recorded_is_named(toy: Toy, call: Call) -> None:
    path = toy.path(EFFECTS)
    path.write_text(path.read_text().replace("hedged,", "hedged ,"))
    said = call(json=False)
    assert said.status == 1
    assert f"NOT THE RECORDED BYTES: {EFFECTS}" in said.out
    assert "NOT REPRODUCED" in said.out


def test_a_sample_asks_a_share_and_computes_from_recorded_answers(
    toy: Toy, call: Call, scratch: Path
) -> None:
    before = toy.hashes()
    said = call(sample="10%")
    assert said.status == 0, said.out
    [one] = said.found["rescored"]
    # 8 items in 3 guises but one, 2 conditions; 3 interviews in 3 guises; reasons for 2 items.
    assert one["prompts"] == 23 * 2 + 9 + 6
    assert (one["drawn"], one["table"], one["model"]) == (7, RESPONSES, "tiny")
    assert one["rebuilt"] + one["not_rebuilt"] == len(pd.read_parquet(toy.path(RESPONSES)))
    assert said.table(RESPONSES, "questions")["result"] == "same values"
    assert said.table(RESPONSES, "new answers")["rows"] == one["rows"] >= 7
    assert said.table(EFFECTS)["result"] == "same bytes"
    assert said.table("data/models/tiny.json")["result"] == "same bytes"
    assert said.found["recomputed"] == ["analysis"]
    reasons = {entry["what"]: entry["reason"] for entry in said.found["taken_over"]}
    assert reasons["score"] == "asks tiny, of which a sample is asked again"
    assert reasons["fetch"] == "brings a pinned source in"
    assert "--upstream" in reasons["stimuli"]
    assert toy.hashes() == before
    assert left(scratch) == []


def test_a_sample_is_decided_by_its_seed(call: Call) -> None:
    once, twice, other = (call(sample="20%", seed=seed) for seed in (1, 1, 2))
    assert once.found == twice.found
    assert once.found["seed"] == 1
    rows = [said.table(RESPONSES, "new answers")["scope"] for said in (once, other)]
    assert once.found != other.found, rows


def test_upstream_runs_the_stages_before_the_answers_too(call: Call) -> None:
    said = call(sample="1", upstream=True)
    assert said.status == 0, said.log
    assert said.found["recomputed"] == ["stimuli", "analysis"]
    assert said.table("data/items/hedging/own/items.csv")["result"] == "same bytes"


def test_changed_items_are_found_by_their_questions(toy: Toy, call: Call) -> None:
    path = toy.path("kept/items.csv")
    path.write_text(path.read_text().replace("Plain answer 02", "Plainer answer 02"))
    said = call(sample="1", upstream=True)
    assert said.status == 1
    table = said.table(RESPONSES, "questions")
    assert {text["column"] for text in table["texts"]} == {"prompt_sha256"}


def test_a_model_that_cannot_be_asked_is_not_reported_as_success(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Opened:
        raise ModelError("model tiny: the folder model is not there")

    monkeypatch.setattr(models, "open_backend", fail)
    said = call(sample="5%", json=False)
    assert said.status == 2
    assert "COULD NOT BE DONE: asking tiny again: model tiny: the folder" in said.out
    assert "NOT DONE" in said.out


def test_another_model_is_named_with_what_is_other_and_not_asked(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = IDENTITY.__class__(**{**vars(IDENTITY), "weights_sha256": "x" * 64})
    fake = asked_model()
    monkeypatch.setattr(models, "open_backend", lambda *_: Opened(fake, other))
    said = call(sample="5%")
    assert said.status == 1
    texts = said.table("data/models/tiny.json")["texts"]
    assert {text["column"] for text in texts} == {"weights_sha256", "digest"}
    assert (said.found["rescored"], fake.scored) == ([], {})


def test_a_model_behind_a_server_is_never_asked(
    toy: Toy, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = toy.path("config/config.yaml")
    config = yaml.safe_load(path.read_text())
    config["models"]["tiny"] = {
        "backend": "openai", "base_url": "https://api.example.org/v1", "model": "big",
    }  # fmt: skip
    path.write_text(yaml.safe_dump(config))
    monkeypatch.setattr(models, "open_backend", lambda *_: pytest.fail("asked"))
    for options in ({}, {"sample": "5%"}):
        said = call(**options)
        assert said.status == 0, said.log
        taken = {entry["what"]: entry["reason"] for entry in said.found["taken_over"]}
        assert "asks tiny, a model behind a server" in taken["score"]
        assert said.table(EFFECTS)["result"] == "same bytes"
        assert RESPONSES not in {table["table"] for table in said.found["tables"]}


def test_findings_are_written_to_a_file_in_either_form(call: Call, tmp_path: Path) -> None:
    said = call(out=tmp_path / "new" / "found.json")
    assert json.loads((tmp_path / "new" / "found.json").read_text()) == said.found
    said = call(out=tmp_path / "found.txt", json=False)
    assert (tmp_path / "found.txt").read_text() == said.out
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["found.json"]


def test_the_scratch_folder_is_kept_on_request(call: Call, scratch: Path) -> None:
    said = call(keep=True)
    [folder] = left(scratch)
    assert f"kept: {folder}" in said.log
    assert (folder / "project" / EFFECTS).is_file()
    assert not (folder / "project" / ".isogloss").exists()


def test_a_workflow_that_fails_is_no_result_and_leaves_its_folder(
    toy: Toy, call: Call, scratch: Path
) -> None:
    toy.path("kept/analyse.py").write_text("raise SystemExit('the script is broken')\n")
    before = toy.hashes()
    said = call()
    assert "the script is broken" in said.reason
    [folder] = left(scratch)
    assert "the script is broken" in said.log
    assert str(folder) in said.log
    assert toy.hashes() == before


def test_an_interruption_leaves_the_scratch_folder_and_names_it(
    toy: Toy, call: Call, scratch: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "run_steps", interrupt)
    before = toy.hashes()
    with pytest.raises(KeyboardInterrupt):
        call()
    [folder] = left(scratch)
    assert f"ended early; what was made so far is left in {folder}" in caplog.text
    assert toy.hashes() == before


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda toy: toy.path("dvc.lock").unlink(), "dvc.lock does not exist"),
        (lambda toy: toy.path(EFFECTS).unlink(), f"{EFFECTS} of the recorded run"),
        (lambda toy: toy.path("config/config.yaml").write_text("seed: x\n"), "cannot be used"),
        (lambda toy: toy.path("config/tolerances.yaml").unlink(), "no such file"),
        (lambda toy: (toy.path(".git") / "HEAD").unlink(), "git"),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_sentence(
    toy: Toy, call: Call, scratch: Path, spoil: Callable[[Toy], object], named: str
) -> None:
    spoil(toy)
    said = call()
    assert named in said.reason
    assert named in said.log
    assert "Traceback" not in said.log
    said = call(json=False, sample="5%")
    assert (said.status, said.out) == (2, "")


def test_a_wrong_place_for_the_scratch_folder_is_told(toy: Toy, call: Call) -> None:
    assert "lies in the project" in call(scratch=toy.path("data")).log
    said = call(scratch=toy.path("nowhere"))
    assert (said.status, "is no folder" in said.log) == (2, True)


def test_options_that_say_nothing_are_refused(call: Call) -> None:
    for options in ({"upstream": True}, {"seed": 3}):
        with pytest.raises(typer.BadParameter):
            call(**options)
    assert call(sample="much").status == 2


@pytest.mark.slow
def test_a_request_to_end_ends_every_job(toy: Toy, scratch: Path) -> None:
    script = toy.path("kept/analyse.py")
    script.write_text(f"import time\n\ntime.sleep(300)\n{script.read_text()}")
    started = subprocess.Popen(
        [
            sys.executable, "-c",
            "import logging, sys; from pathlib import Path; from isogloss.reproduce_cli import "
            "reproduce; logging.basicConfig(level=20); "
            f"reproduce(scratch=Path({str(scratch)!r}), cores='1')",
        ],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not _running(script.name, scratch) and time.monotonic() < deadline:
        time.sleep(0.2)
    started.send_signal(signal.SIGTERM)
    _, errors = started.communicate(timeout=120)
    assert started.returncode != 0
    [folder] = left(scratch)
    assert re.search(rf"left in {re.escape(str(folder))}", errors)
    assert not _running(script.name, scratch)


def _running(name: str, folder: Path) -> list[str]:
    """Processes of a script whose current folder is in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            inside = (process / "cwd").readlink().is_relative_to(folder)
        except OSError:
            continue
        if inside and f"kept/{name}" in words:
            found.append(process.name)
    return found
