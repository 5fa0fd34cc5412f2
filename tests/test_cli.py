"""The command line: help that can be followed, a sentence for a mistake, and the exit status."""

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
import typer.main
import yaml
from tests.command_line import Call, Said, command_line

from isogloss import __version__, cli, stimuli_cli
from isogloss.score.responses import read_responses
from isogloss.studies.hedging.study import Hedging

GROUP = typer.main.get_command(cli.app)
COMMANDS = sorted(GROUP.commands)  # type: ignore[attr-defined]
SOURCES = [
    "config/config.yaml",
    "data/sources.yaml",
]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Call]:
    """Call the command line."""
    with command_line(monkeypatch, capsys) as called:
        yield called


@pytest.fixture
def elsewhere(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with configuration, pins and authored items, and nothing made yet."""
    root = tmp_path / "work" / "project"
    for name in SOURCES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, root / name)
    for folder in ("data/stimuli", "data/guises", "data/lexicons"):
        shutil.copytree(project / folder, root / folder, dirs_exist_ok=True)
    monkeypatch.chdir(root)
    monkeypatch.setenv("ISOGLOSS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ISOGLOSS_MIRROR", raising=False)
    return root


def files(root: Path) -> set[str]:
    return {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}


def mistake(said: Said, status: int) -> str:
    """Check that a call ended in one sentence and return the sentence."""
    assert said.status == status
    assert said.out == ""
    assert "Traceback" not in said.err
    [line] = said.err.splitlines()
    assert line.startswith("error: ")
    return line


def test_version(call: Call) -> None:
    assert call("--version") == Said(0, f"isogloss {__version__}\n", "")


def test_help_names_every_command(call: Call) -> None:
    said = call("--help")
    assert said.status == 0
    for command in COMMANDS:
        assert re.search(rf"^  {command}\s+[A-Z]", said.out, re.MULTILINE), command


def test_without_arguments_the_help_is_shown(call: Call) -> None:
    said = call()
    assert said.status == 2
    assert "Usage: " in said.everything
    assert all(f"\n  {command} " in said.everything for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself_and_its_options(call: Call, command: str) -> None:
    said = call(command, "--help")
    assert said.status == 0
    assert re.match(rf"Usage: .*isogloss {command} ", said.out)
    for parameter in GROUP.commands[command].params:  # type: ignore[attr-defined]
        if parameter.name != "help":
            assert parameter.help, parameter.name
            assert parameter.help in " ".join(said.out.split())
            assert parameter.help.endswith(".")


def test_every_command_that_the_workflow_calls_exists(project: Path) -> None:
    rules = "".join(
        path.read_text(encoding="utf-8")
        for path in [project / "Snakefile", *(project / "workflow" / "rules").glob("*.smk")]
    )
    called = set(re.findall(r"isogloss --log \S+ ([\w-]+)", rules))
    assert called <= set(COMMANDS)
    assert {
        "fetch",
        "stimuli",
        "generate",
        "validate",
        "calibrate",
        "inventory",
        "score",
        "analysis",
        "glmm",
        "report",
        "record",
    } <= called


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["fetch", "hedging-question", "--out", "x"],
            "no source 'hedging-question'; did you mean 'hedging-questions'?",
        ),
        (["stimuli", "hedgin", "own", "--out", "x"], "no item set hedgin/own in data/stimuli"),
        (
            ["stimuli", "hedging", "owned", "--out", "x"],
            "no item set hedging/owned in data/stimuli",
        ),
        (["validate", "hedgin", "own", "--folder", "x"], "no item set hedgin/own in data/stimuli"),
        (["score", "hedgin", "own", "phi-4", "--out", "x"], "study 'hedgin' is not configured"),
        (["score", "hedging", "own", "phi-5", "--out", "x"], "model 'phi-5' is not configured"),
        (["score", "hedging", "owned", "phi-4", "--out", "x"], "no item set hedging/owned"),
        (["identify", "phi-5", "--out", "x"], "configured: smollm2-135m-instruct, command-r-plus"),
        (["analysis", "hedgin", "--out", "x"], "study 'hedgin' is not configured"),
        (["glmm", "hedgin", "--out", "x"], "study 'hedgin' is not configured"),
    ],
)
def test_a_name_that_does_not_exist_is_wrong_usage(
    call: Call, elsewhere: Path, arguments: list[str], said: str
) -> None:
    before = files(elsewhere)
    assert said in mistake(call(*arguments), status=2)
    assert files(elsewhere) == before


def test_an_option_that_does_not_exist_is_wrong_usage(call: Call, elsewhere: Path) -> None:
    said = call("fetch", "hedging-questions", "--output", "x")
    assert said.status == 2
    assert "--output" in said.err
    assert "Traceback" not in said.err


def test_a_recorded_model_has_nothing_to_identify(call: Call, elsewhere: Path) -> None:
    said = mistake(call("identify", "phi-4", "--out", "x.json"), status=1)
    assert "phi-4 is recorded" in said


def test_a_faulty_configuration_lists_its_faults(call: Call, elsewhere: Path) -> None:
    path = elsewhere / "config" / "config.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    content["studies"]["hedging"]["analysis"]["alpha"] = "small"
    content["models"]["phi-4"]["backend"] = "radio"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    said = call("stimuli", "hedging", "own", "--out", "x")
    assert said.status == 2
    first, *rest = said.err.splitlines()
    assert first.startswith("error: ")
    assert "config.yaml cannot be used" in first
    assert len(rest) == 2


def test_another_configuration_can_be_named(call: Call, elsewhere: Path) -> None:
    shutil.copy("config/config.yaml", "other.yaml")
    (elsewhere / "config" / "config.yaml").unlink()
    items = ["stimuli", "hedging", "own", "--out", "made"]
    assert "config.yaml: no such file" in mistake(call(*items), status=2)
    assert call(*items, "--config", "other.yaml").status == 0


@pytest.mark.mirror
def test_fetch_says_where_the_bytes_came_from(
    call: Call, elsewhere: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(mirror))
    said = call("fetch", "hedging-questions", "--out", "raw/questions.csv")
    assert said == Said(0, "", "hedging-questions: sha256 verified, taken from the mirror\n")
    published = mirror / "hedging" / "hedging_questions.csv"
    assert (elsewhere / "raw" / "questions.csv").read_bytes() == published.read_bytes()


@pytest.mark.mirror
def test_quiet_hides_what_went_well_and_the_log_has_it(
    call: Call, elsewhere: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(mirror))
    monkeypatch.delenv("ISOGLOSS_QUIET", raising=False)
    fetch = ["--log", "x.log", "fetch", "hedging-questions", "--out", "raw/questions.csv"]
    assert call(*fetch, "--quiet") == Said(0, "", "")
    said = "hedging-questions: sha256 verified, taken from the mirror\n"
    assert Path("x.log").read_text(encoding="utf-8") == said
    assert call(*fetch).err == said  # the next command is not quiet for that
    monkeypatch.setenv("ISOGLOSS_QUIET", "1")
    assert call(*fetch) == Said(0, "", "")


def test_quiet_hides_no_error(call: Call, elsewhere: Path) -> None:
    said = call("identify", "phi-5", "--out", "x", "--quiet")
    assert "model 'phi-5' is not configured" in mistake(said, status=2)


def test_commands_that_say_how_far_they_are_can_be_quiet() -> None:
    options = {
        name: [option for one in command.params for option in one.opts]
        for name, command in GROUP.commands.items()  # type: ignore[attr-defined]
    }
    silent = {"parts", "publish-check", "responses", "review", "sign", "stimuli", "trace", "verify"}
    assert {name for name in options if "--quiet" not in options[name]} == silent


def test_a_mirror_that_is_not_there(
    call: Call, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOGLOSS_MIRROR", "nowhere")
    before = files(elsewhere)
    said = call("fetch", "hedging-questions", "--out", "raw/questions.csv")
    assert "ISOGLOSS_MIRROR: nowhere is not a folder" in mistake(said, status=1)
    assert files(elsewhere) == before


def test_stimuli_writes_items_and_repairs(call: Call, elsewhere: Path) -> None:
    assert call("stimuli", "hedging", "own", "--out", "made") == Said(0, "", "")
    assert {"made/items.csv", "made/repairs.csv"} <= files(elsewhere)


def test_a_missing_item_file_is_named(call: Call, elsewhere: Path) -> None:
    (elsewhere / "data" / "stimuli" / "hedging" / "items.csv").unlink()
    said = mistake(call("stimuli", "hedging", "own", "--out", "made"), status=1)
    assert "data/stimuli/hedging/items.csv" in said


@pytest.mark.mirror
def test_recorded_responses_go_from_fetch_to_a_response_table(
    call: Call, elsewhere: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(mirror))
    questions = "data/raw/hedging-questions/hedging_questions.csv"
    answers = "data/raw/hedging-interviews-phi-4/interview_scores_microsoft_phi-4.csv"
    folder = Path("data/items/hedging/published")
    assert call("fetch", "hedging-questions", "--out", questions).status == 0
    assert call("fetch", "hedging-interviews-phi-4", "--out", answers).status == 0
    assert call("stimuli", "hedging", "published", "--out", folder).status == 0
    verdicts = pd.read_csv(folder / "items.csv")[["item_id"]].assign(
        contrast=Hedging.contrasts[0].name, valid=True, reason=""
    )
    verdicts.to_csv(folder / "verdicts.csv", index=False)
    said = call("score", "hedging", "published", "phi-4", "--out", "phi-4.parquet")
    assert said == Said(0, "", "phi-4 on published: 440 responses, 0 missing\n")
    means = read_responses(elsewhere / "phi-4.parquet").groupby("guise")["expected"].mean()
    # means of 200 whole numbers: exact to three decimals
    assert means.to_dict() == pytest.approx({"confident": 3.390, "hedged": 2.860}, abs=1e-9)


def test_a_log_holds_what_the_terminal_shows(call: Call, elsewhere: Path) -> None:
    said = call("--log", "logs/deep/x.log", "identify", "phi-5", "--out", "x")
    assert mistake(said, status=2)
    assert (elsewhere / "logs" / "deep" / "x.log").read_text(encoding="utf-8") == said.err


def test_a_log_is_begun_anew(call: Call, elsewhere: Path) -> None:
    Path("x.log").write_text("earlier\n", encoding="utf-8")
    assert call("--log", "x.log", "stimuli", "hedging", "own", "--out", "made").status == 0
    assert Path("x.log").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--log", "config", "stimuli", "hedging", "own", "--out", "made"],
        ["--log", "taken/x.log", "stimuli", "hedging", "own", "--out", "made"],
        ["fetch", "hedging-questions", "--out", "config"],
        ["stimuli", "hedging", "own", "--out", "taken"],
        ["stimuli", "hedging", "own", "--out", "taken/made"],
        ["identify", "smollm2-135m-instruct", "--out", "config"],
        ["score", "hedging", "own", "smollm2-135m-instruct", "--out", "config"],
        ["analysis", "hedging", "--out", "taken"],
        ["glmm", "hedging", "--out", "taken"],
        ["weat", "--out", "taken"],
        ["report", "--out", "taken"],
        [
            "generate",
            "hedging",
            "--guise",
            "hedged",
            "--from",
            "x",
            "--by",
            "rules",
            "--out",
            "taken",
        ],
        ["reproduce", "--out", "config"],
        ["review", "export", "data/items/hedging/own", "--out", "taken"],
    ],
)
def test_a_place_that_cannot_be_written_is_wrong_usage_before_any_work(
    call: Call, elsewhere: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "taken").touch()
    before = files(elsewhere)
    said = call(*arguments)
    assert (said.status, said.out) == (2, "")
    assert "Traceback" not in said.err
    option = "--log" if arguments[0] == "--log" else "--out"
    assert re.search(rf"Invalid value for '{option}': \S*(config|taken): .*; name a", said.err)
    assert files(elsewhere) == before


def test_an_error_of_the_system_names_the_file_and_a_remedy(
    call: Call, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(config: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "made/items.csv")

    monkeypatch.setattr(stimuli_cli, "open_project", full)
    said = mistake(call("stimuli", "hedging", "own", "--out", "made"), status=1)
    assert said == "error: made/items.csv: the disk is full; make room and run the command again"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (
            ["analysis", "hedging", "--out", "x"],
            1,
            "there are no responses yet; run `isogloss score`",
        ),
        (["glmm", "hedging", "--out", "x"], 1, "there are no responses yet; run `isogloss score`"),
        (["inventory"], 1, "run validate again"),
        (["parts"], 1, "run the analysis again"),
        (["report", "--out", "x"], 1, "the folder of pages must contain one"),
        (["trace", "hedging#1"], 2, "render the report first"),
        (["sign", "--key", "gpg:me"], 2, "make a run, or name a file"),
        (["responses", "show"], 2, "name a response store"),
        (["review", "show"], 2, "import them first"),
        (["publish-check"], 2, "render the report first"),
        (["restore"], 2, "restore it from git, or run `dvc init`"),
        (["package", "--verify", "nowhere"], 2, "nowhere does not exist; check the path"),
        (["verify", "--config", "nowhere.yaml"], 2, "name the configuration of the run"),
        (["restore", "--config", "nowhere.yaml"], 2, "name the configuration of the run"),
        (["record", "--config", "nowhere.yaml"], 2, "name the configuration of the run"),
    ],
)
def test_before_any_run_a_command_says_what_is_lacking(
    call: Call, elsewhere: Path, arguments: list[str], status: int, said: str
) -> None:
    assert said in mistake(call(*arguments), status=status)


@pytest.mark.parametrize("command", ["run", "reproduce"])
@pytest.mark.parametrize("cores", ["many", "0", "-1", "1.5", ""])
def test_cores_are_a_number_or_all(
    call: Call, elsewhere: Path, command: str, cores: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "run_workflow", lambda *_, **__: pytest.fail("was run"))
    said = call(command, f"--cores={cores}")
    assert said.status == 2
    assert f"{cores!r} is no number of cores: give 1 or more, or all" in said.err


@pytest.mark.parametrize("content", [None, "seed: [1\n", "- 1\n", "sead: 1\n", b"\xff\xfe"])
def test_run_says_what_is_wrong_with_the_configuration_and_runs_nothing(
    call: Call, elsewhere: Path, content: str | bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "run_workflow", lambda *_, **__: pytest.fail("was run"))
    if content is not None:
        raw = content if isinstance(content, bytes) else content.encode()
        Path("other.yaml").write_bytes(raw)
    said = call("run", "--config", "other.yaml")
    assert (said.status, said.out) == (2, "")
    assert re.match(r"error: \S*other\.yaml", said.err)
    assert "Traceback" not in said.err


def test_an_interruption_ends_with_130(
    call: Call, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(config: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stimuli_cli, "open_project", interrupted)
    assert call("stimuli", "hedging", "own", "--out", "made").status == 130


def test_a_fault_of_the_program_itself_is_not_hidden(
    call: Call, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(config: Path) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(stimuli_cli, "open_project", broken)
    with pytest.raises(ZeroDivisionError):
        call("stimuli", "hedging", "own", "--out", "made")


@pytest.fixture
def workflow(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, bool], list[list[str]]]:
    """Let the workflow end with a status, and write its record or not; return what is called."""

    def stand_in(status: int, records: bool) -> list[list[str]]:
        called: list[list[str]] = []

        def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
            called.append(command)
            if records:
                Path("dvc.lock").write_text(f"{len(called)}\n", encoding="utf-8")
                os.utime("dvc.lock", ns=(len(called), len(called)))
            return subprocess.CompletedProcess(command, status)

        monkeypatch.setattr("isogloss.workflow.subprocess.run", run)
        return called

    return stand_in


def test_run_says_where_the_report_is(
    call: Call, elsewhere: Path, workflow: Callable[[int, bool], list[list[str]]]
) -> None:
    called = workflow(0, True)
    said = call("run", "--cores", "2")
    assert said.status == 0
    assert "reports/_site/index.html" in said.out
    assert "Nothing to do" not in said.out
    [command] = called
    assert command[1:5] == ["-m", "snakemake", "--cores", "2"]


def test_run_says_when_there_was_nothing_to_do(
    call: Call, elsewhere: Path, workflow: Callable[[int, bool], list[list[str]]]
) -> None:
    workflow(0, False)
    Path("dvc.lock").touch()
    said = call("run")
    assert said.status == 0
    assert "Nothing to do" in said.out
    assert "reports/_site/index.html" in said.out


def test_run_can_be_quiet(call: Call, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def run_workflow(options: list[str], *, quiet: bool) -> int:
        asked.append(quiet)
        Path("dvc.lock").touch()
        return 0

    monkeypatch.setattr(cli, "run_workflow", run_workflow)
    assert call("run", "--quiet") == Said(0, "Report: reports/_site/index.html\n", "")
    call("run")
    assert asked == [True, False]


def test_run_hands_another_configuration_to_the_workflow(
    call: Call, elsewhere: Path, workflow: Callable[[int, bool], list[list[str]]]
) -> None:
    called = workflow(0, True)
    shutil.copy("config/config.yaml", "other.yaml")
    call("run", "--config", "other.yaml")
    assert called[0][-2:] == ["--config", "file=other.yaml"]


def test_run_fails_when_the_workflow_fails(
    call: Call, elsewhere: Path, workflow: Callable[[int, bool], list[list[str]]]
) -> None:
    workflow(7, False)
    said = call("run")
    assert said.status == 7
    assert "did not finish" in said.err
    assert said.out == ""


def script(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    source = Path(cli.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "isogloss", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_in_a_process_of_its_own_a_mistake_is_one_sentence(elsewhere: Path) -> None:
    done = script(elsewhere, "--log", "x.log", "score", "hedging", "own", "phi-5", "--out", "x")
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("error: model 'phi-5' is not configured")
    assert (elsewhere / "x.log").read_text(encoding="utf-8") == done.stderr


def test_in_a_process_of_its_own_stimuli_leaves_nothing_but_its_output(elsewhere: Path) -> None:
    before = files(elsewhere)
    done = script(elsewhere, "stimuli", "hedging", "own", "--out", "made")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert files(elsewhere) - before == {"made/items.csv", "made/repairs.csv"}
