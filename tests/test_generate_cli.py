"""`isogloss generate`: what it writes and says, and the same again from a recorded store."""

import csv
import logging
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
import yaml
from tests.score.api.servers import completion, status
from tests.stimuli.draft.conftest import (
    GOOD,
    HEDGED,
    PLAIN,
    VARIABLE,
    Script,
    long_texts,
    reply_of,
)
from typer.testing import CliRunner

from isogloss import generate_cli
from isogloss.errors import IsoglossError

KEY = "sk-secret-0123456789"
SECOND = "The line stood still, and nobody knew why.\nI found out."
ITEMS = f"item_id,question,confident\na-1,What did you repair?,{PLAIN}\nb-2,And then?,\n"
APP = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
APP.command()(generate_cli.generate)


@dataclass(frozen=True)
class Said:
    """What a call said and how it ended; `error` is the sentence of a user's mistake."""

    status: int
    out: str
    error: str


Call = Callable[..., Said]


@pytest.fixture
def root(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's declarations, and two items, one of them empty."""
    places = ("data/guises/*", "data/lexicons/*", "data/stimuli/*/*")
    declared = [path for place in places for path in project.glob(f"{place}.yaml")]
    for path in (project / "config/config.yaml", project / "data/sources.yaml", *declared):
        copy = tmp_path / path.relative_to(project)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    config = yaml.safe_load((tmp_path / "config/config.yaml").read_text(encoding="utf-8"))
    config.pop("stimuli", None)
    (tmp_path / "config/config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    (tmp_path / "items.csv").write_text(ITEMS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def quick_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge without an encoder."""
    monkeypatch.setattr(generate_cli, "_judge", lambda *_: long_texts)


@pytest.fixture
def call(root: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call `isogloss generate` in the project."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Said:
        result = CliRunner().invoke(APP, list(map(str, arguments)))
        mistake = result.exception if isinstance(result.exception, IsoglossError) else None
        if result.exception and mistake is None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, f"{mistake or ''}{result.stderr}")

    return run


def _configure(root: Path, url: str, **more: object) -> None:
    path = root / "config/config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    settings = {"backend": "openai", "base_url": url, "model": "tiny", "api_key_env": VARIABLE}
    config["models"]["gpt"] = {**settings, "concurrency": 1, **more}
    path.write_text(yaml.safe_dump(config), encoding="utf-8")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


BASE = ("hedging", "--guise", "hedged", "--from", "items.csv")


@pytest.mark.usefixtures("quick_judge")
def test_a_recorded_run_is_the_same_byte_for_byte_without_server_and_key(
    root: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    longer = reply_of(f"{HEDGED} 🎉")
    with Script({PLAIN: [status(429, retry_after="0"), "hedged", GOOD, longer]}) as server:
        prices = {"input_per_million": 2.0, "output_per_million": 8.0}
        _configure(root, server.url, prices=prices)
        first = call(*BASE, "--model", "gpt", "--out", "first")
    assert (first.status, first.error) == (0, "")
    monkeypatch.delenv(VARIABLE)
    assert call(*BASE, "--model", "gpt", "--out", "again").status == 0
    for name in ("candidates.csv", "chosen.csv"):
        one = (root / "first" / name).read_bytes()
        assert one == (root / "again" / name).read_bytes()
        assert KEY.encode() not in one
        assert str(root).encode() not in one
    rows = _rows(root / "first/candidates.csv")
    assert [row["outcome"] for row in rows] == ["malformed", "ok", "ok"]
    assert [row["cost"] for row in rows] == ["0.00004400"] * 3
    chosen, empty = _rows(root / "first/chosen.csv")
    assert (chosen["guise_text"], chosen["candidate"]) == (HEDGED, "2")
    assert chosen["context"] == "What did you repair?"
    assert (empty["status"], empty["reason"]) == ("not_asked", "the text is empty")


def test_a_dry_run_estimates_and_needs_no_key(root: Path, call: Call) -> None:
    prices = {"input_per_million": 1.0, "output_per_million": 1_000_000.0}
    _configure(root, "http://127.0.0.1:9/v1", prices=prices)
    said = call(*BASE, "--model", "gpt", "--candidates", 2, "--dry-run")
    assert (said.status, said.error) == (0, "")
    assert said.out.startswith("2 requests, about ")
    assert "at most 602 to write, at most 602.0" in said.out
    assert not (root / "out").exists()


@pytest.mark.usefixtures("quick_judge")
def test_rules_give_the_same_tables(root: Path, call: Call) -> None:
    for out in ("one", "two"):
        assert call(*BASE, "--by", "rules", "--out", out).status == 0
    for name in ("candidates.csv", "chosen.csv"):
        assert (root / "one" / name).read_bytes() == (root / "two" / name).read_bytes()
    (row,) = _rows(root / "one/candidates.csv")
    assert row["by"].startswith("rule:hedges@")
    assert row["model"] == row["request_id"] == row["temperature"] == ""
    assert len(_rows(root / "one/chosen.csv")) == 2


def test_a_dry_run_of_rules_asks_nothing(call: Call) -> None:
    said = call(*BASE, "--by", "rules", "--dry-run")
    assert said.out == "0 requests: rule hedges rewrites 2 items and asks no model\n"


@pytest.mark.slow
def test_the_real_judge_lets_a_hedged_answer_pass(
    root: Path, call: Call, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    monkeypatch.setattr(logging.getLogger("isogloss"), "propagate", True)
    caplog.set_level(logging.INFO, "isogloss")
    light = "I think I fixed the pump in 40 minutes. The line ran again at noon."
    wrong = "I think I fixed the pump in 50 minutes. The line ran again at noon."
    with Script({PLAIN: [reply_of(wrong), reply_of(light)]}) as server:
        _configure(root, server.url)
        assert call(*BASE, "--model", "gpt", "--candidates", 2, "--out", "out").status == 0
    lost, kept = _rows(root / "out/candidates.csv")
    assert "number lost: 40" in lost["verdict_reason"]
    assert (kept["valid"], kept["verdict_reason"]) == ("True", "")
    assert _rows(root / "out/chosen.csv")[0]["guise_text"] == light
    assert "hedged by gpt: 2 candidates (2 ok; 1 valid)" in caplog.text


@pytest.mark.usefixtures("quick_judge")
def test_the_named_set_says_what_texts_are_held_to(root: Path, call: Call) -> None:
    path = root / "data/stimuli/hedging/own.yaml"
    strict = yaml.safe_load(path.read_text(encoding="utf-8"))
    strict["compare"][0]["thresholds"] = {"max_characters": 5}
    path.with_name("strict.yaml").write_text(yaml.safe_dump(strict), encoding="utf-8")
    for name, became in (("own", "chosen"), ("strict", "not_asked")):
        assert call(*BASE, "--by", "rules", "--set", name, "--out", name).status == 0
        assert _rows(root / name / "chosen.csv")[0]["status"] == became


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*BASE, "--set", "lent"), "no item set hedging/lent in data/stimuli"),
        (
            ("gardening", *BASE[1:]),
            "no study 'gardening' in data/stimuli; there are dialect, hedging",
        ),
        (("hedging", "--guise", "irony", *BASE[3:]), "no guise 'irony' in data/guises; there are"),
        (("dialect", *BASE[1:]), "name the column of the baseline texts with --reference"),
        ((*BASE, "--reference", "plain"), "no column 'plain'; the file has item_id, question, con"),
        ((*BASE, "--context", "topic"), "no column 'topic'"),
        ((*BASE[:-1], "none.csv"), "none.csv: the items cannot be read"),
    ],
)
def test_what_does_not_exist_is_told_what_does(
    call: Call, arguments: tuple[str, ...], said: str
) -> None:
    found = call(*arguments, "--by", "rules", "--out", "out")
    assert found.status != 0
    assert said in found.error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--model", "none"), "model 'none' is not configured; configured: "),
        (("--model", "phi-4"), "model phi-4 is recorded; it cannot be asked"),
        (("--model", "gpt", "--temperature", 0), "add --candidates 1"),
        (("--model", "thinker", "--temperature", 1), "no effect on a model with reasoning"),
        (("--by", "rules", "--temperature", 1), "have no effect on rules"),
        (("--by", "magic"), "is not"),
        ((), "give either --model"),
        (("--model", "gpt", "--by", "rules"), "give either --model"),
        (("--model", "gpt", "--candidates", 0), "greater than or equal to 1"),
        (("--model", "gpt", "--dry-run"), "give either --out"),
    ],
)
def test_wrong_usage_is_explained(
    root: Path, call: Call, arguments: tuple[object, ...], said: str
) -> None:
    _configure(root, "http://127.0.0.1:9/v1")
    path = root / "config/config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    thinker = {key: v for key, v in config["models"]["gpt"].items() if key != "concurrency"}
    config["models"]["thinker"] = {**thinker, "reasoning": True}
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    found = call(*BASE, *arguments, "--out", "out")
    assert found.status != 0
    assert said in " ".join(found.error.split())
    assert not (root / "out").exists()


@pytest.mark.usefixtures("quick_judge")
def test_without_a_key_the_variable_is_named(
    root: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    _configure(root, "http://127.0.0.1:9/v1")
    found = call(*BASE, "--model", "gpt", "--out", "out")
    assert f"environment variable {VARIABLE}" in found.error
    assert not (root / "out").exists()


@pytest.mark.usefixtures("quick_judge")
def test_lines_and_quotes_in_the_file_reach_the_model_and_come_back(
    root: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    text = f'He said: "{SECOND}"'
    quoted = text.replace('"', '""')
    (root / "items.csv").write_text(f'item_id,confident\nx,"{quoted}"\n', encoding="utf-8")
    with Script({text: [completion_of(f"I think {text}")]}) as server:
        _configure(root, server.url)
        call(*BASE, "--model", "gpt", "--candidates", 1, "--out", "out")
    (row,) = _rows(root / "out/chosen.csv")
    assert (row["reference_text"], row["guise_text"]) == (text, f"I think {text}")
    assert row["context"] == ""


def completion_of(text: str) -> Callable[..., None]:
    """A reply that holds a candidate."""
    return lambda handler: handler.reply(200, completion(reply_of(text)))
