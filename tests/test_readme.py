"""Every command that README.md, CONTRIBUTING.md and the how-tos show is one that a test runs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from tests.documents import ROOT, block_with, commands, fences, shown

from isogloss.cli import app
from isogloss.config import OpenAIModel, load_config
from isogloss.studies.registry import STUDIES

HOW_TO_AUDIT = ("docs/audit.md", "docs/audit-record.md", "docs/how-to/hr-team.md")
PAGES = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", *(page for page in PAGES if shown(page)))
HERE = "tests/test_readme.py"
EVERYTHING = {
    *DOCUMENTS,
    "CHANGELOG.md",
    *PAGES,
}


@dataclass(frozen=True)
class Witness:
    """What runs a command: a file, and a text in it that shows it."""

    file: str
    text: str


AUDIT = Witness(HERE, "def test_an_audit_as_the_documents_tell_it(")
SHARING = Witness(HERE, "def test_sharing_as_the_readme_tells_it(")
HOW_TO = Witness(
    "tests/workflow/test_documented_commands.py", "def test_one_works_and_another_checks("
)
PACKAGE = Witness(
    "tests/crate/test_package_cli.py", "def test_the_default_verification_of_a_signed"
)
REVIEW = Witness("tests/test_review_cli.py", "def test_two_reviewers_are_imported_and_compared(")
RUN = "tests/workflow/test_default_run.py"
DRAFT = "isogloss generate hedging --guise hedged --from data/stimuli/hedging/items.csv"

WITNESSES = {
    "make run": Witness(".ci/run", "make run"),
    "make test": Witness(".ci/run", "make test"),
    "python3 -m venv .venv": Witness(HERE, "def test_the_environment_can_be_made_and_activated("),
    ". .venv/bin/activate": Witness(HERE, "def test_the_environment_can_be_made_and_activated("),
    "pip install -c constraints.txt -e .": Witness(HERE, "def test_the_pins_fit_the_dependencies("),
    "snakemake --cores all": Witness(
        "tests/workflow/test_default_run.py", "def test_a_plain_run_makes_the_report("
    ),
    "isogloss verify": SHARING,
    "dvc remote add --default storage ../isogloss-storage": SHARING,
    "dvc remote add --default store /mnt/team/isogloss": SHARING,
    "dvc push": SHARING,
    "isogloss restore": SHARING,
    "isogloss --help": Witness("tests/test_cli.py", "def test_help_names_every_command("),
    "snakemake --dry-run": HOW_TO,
    "snakemake --cores all --dry-run": HOW_TO,
    "isogloss verify --commit": HOW_TO,
    "isogloss trace hedging#-0.390": HOW_TO,
    "isogloss reproduce --sample 5%": HOW_TO,
    "isogloss reproduce": Witness(
        "tests/reproduce/test_run.py", "def test_a_full_run_gives_the_recorded_numbers_and"
    ),
    "git add dvc.yaml dvc.lock config": HOW_TO,
    'git commit --message "Record the run"': HOW_TO,
    "isogloss package --out run.zip": HOW_TO,
    "isogloss package --verify run.zip": HOW_TO,
    "isogloss package --out run.zip --sign gpg:you@example.org": PACKAGE,
    "isogloss package --verify run.zip --signature run.zip.asc --key you.asc": PACKAGE,
    "isogloss sign --key gpg:you@example.org": Witness(
        "tests/crate/test_package_cli.py", "def test_the_record_is_signed("
    ),
    "make publish-check": Witness(".github/workflows/pages.yml", "run: make publish-check"),
    "make workflow-report": Witness(".github/workflows/pages.yml", "run: make workflow-report"),
    "isogloss publish-check reports/_site": Witness(
        "tests/test_publish_cli.py", "def test_a_site_without_a_fault_ends_with_0("
    ),
    "isogloss publish-check --no-browser reports/_site": HOW_TO,
    "ISOGLOSS_SITE=reports/_site SCREENSHOTS=screenshots "
    ".venv/bin/python -m pytest tests/publish/rendered": Witness(
        ".ci/run",
        "ISOGLOSS_SITE=reports/_site .venv/bin/python -m pytest -q tests/publish/rendered",
    ),
    "tar --create --gzip --file site.tar.gz --directory reports/_site .": HOW_TO,
    f"{DRAFT} --by rules --out drafts/rules": HOW_TO,
    f"{DRAFT} --model gpt --candidates 3 --dry-run": Witness(
        "tests/test_generate_cli.py", "def test_a_dry_run_estimates_and_needs_no_key("
    ),
    "isogloss score hedging own smollm2-135m-instruct --dry-run": Witness(
        RUN, "def test_a_finished_run_has_nothing_left_to_ask("
    ),
    "isogloss responses show": Witness(
        RUN, "def test_answers_can_be_shown_and_taken_to_another_store("
    ),
    "isogloss responses merge .isogloss/responses.sqlite ../other-machine/responses.sqlite": (
        Witness(RUN, "def test_answers_can_be_shown_and_taken_to_another_store(")
    ),
    "isogloss review export data/items/hedging/own --out review/ana --reviewer Ana --sample 50 "
    "--seed 1": REVIEW,
    "isogloss review import review/ana/review.xlsx --reviewer Ana --date 2026-02-01": REVIEW,
    "isogloss review show": REVIEW,
    "isogloss audit posting.md --model smollm2-135m-instruct --dry-run": AUDIT,
    "isogloss audit posting.md --model smollm2-135m-instruct --out audits/first": AUDIT,
    "isogloss audit revised.md --model smollm2-135m-instruct --previous audits/first "
    "--out audits/second": AUDIT,
    "isogloss audit posting.md --model smollm2-135m-instruct --personas people.yaml "
    "--backgrounds backgrounds.yaml --out audits/ages": AUDIT,
    "cd DIR && sha256sum -c SHA256SUMS": AUDIT,
    "ISOGLOSS_MIRROR=/path/to/upstream snakemake --cores all --config file=config/paper.yaml": (
        Witness(HERE, "def test_the_published_designs_can_be_planned(")
    ),
    ".venv/bin/pre-commit install": Witness(HERE, "def test_the_commit_hooks_can_be_read("),
}
"""Each command as the documents show it. A command that is not here fails the tests."""

CHEAP = {
    "make run": ("make -n run", "isogloss run"),
    "make test": ("make -n test", "pytest"),
    "isogloss verify": ("isogloss verify --help", "Exit status"),
    "isogloss --help": ("isogloss --help", "verify"),
    "make help": ("make help", "run"),
    "make publish-check": ("make -n publish-check", "isogloss publish-check reports/_site"),
    "make workflow-report": ("make -n workflow-report", "snakemake --report"),
}
"""Commands that are run here in a form without effect, and a word of what they print."""

AUTHOR = {
    f"GIT_{who}_{what}": "someone@example.org"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}

TOY_SNAKEFILE = """\
rule all:
    input:
        "data/results/toy/copy.txt",
        "dvc.yaml",
        "dvc.lock",


rule copy:
    input:
        "text.txt",
    output:
        "data/results/toy/copy.txt",
    shell:
        "cp {input} {output}"


rule record:
    input:
        "data/results/toy/copy.txt",
    output:
        "dvc.yaml",
        "dvc.lock",
    shell:
        "isogloss record"
"""


def unknown_commands(text: str) -> list[str]:
    """Return the commands of a document that no test runs."""
    return [command for command in commands(text) if command not in WITNESSES]


def run(
    command: str, folder: Path, *, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command line in bash, with the programs of the environment that runs the tests."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def succeed(command: str, folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command that must end well, and return what it printed."""
    done = run(command, folder, environment=environment)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def apart(tmp_path: Path) -> dict[str, str]:
    """Settings that keep git and DVC away from those of the person who runs the tests."""
    home = tmp_path / "home"
    home.mkdir()
    return {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "DVC_SITE_CACHE_DIR": str(home / "dvc"),
        "DVC_GLOBAL_CONFIG_DIR": str(home / "dvc-global"),
        "DVC_SYSTEM_CONFIG_DIR": str(home / "dvc-system"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def test_commands_are_read_from_bash_blocks_only() -> None:
    text = "```bash\nmake run  # all\n\n# why\npip install \\\n  x\n```\n```yaml\na: 1\n```\n`b`\n"
    assert commands(text) == ["make run", "pip install x"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_is_known(name: str) -> None:
    assert shown(name), f"{name} shows no command"
    unknown = unknown_commands((ROOT / name).read_text(encoding="utf-8"))
    assert unknown == [], f"{name}: say in WITNESSES which test runs {unknown}"


def test_a_new_command_is_not_known() -> None:
    text = "```bash\nmake run\nmake coffee\n```\n"
    assert unknown_commands(text) == ["make coffee"]


def test_no_witness_is_left_over() -> None:
    everything = {command for name in DOCUMENTS for command in shown(name)}
    assert set(WITNESSES) - everything == set()


@pytest.mark.parametrize("command", WITNESSES)
def test_every_command_has_its_witness(command: str) -> None:
    witness = WITNESSES[command]
    path = ROOT / witness.file
    assert path.is_file(), f"{witness.file} is missing; it must run `{command}`"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert any(line.strip().startswith(witness.text) for line in lines)


@pytest.mark.parametrize("command", CHEAP)
def test_cheap_commands_work(command: str) -> None:
    harmless, word = CHEAP[command]
    assert word in succeed(harmless, ROOT)


@pytest.mark.slow
def test_the_environment_can_be_made_and_activated(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = block_with(text, "python3 -m venv .venv")
    assert lines[1] == ". .venv/bin/activate"
    printed = succeed("\n".join([*lines[:2], "command -v pip"]), tmp_path)
    assert printed.strip() == str(tmp_path / ".venv" / "bin" / "pip")


@pytest.mark.slow
def test_the_pins_fit_the_dependencies() -> None:
    """Installing changes nothing here: every dependency is there, at its pinned version."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = " ".join(f"'{name}'" for name in settings["project"]["dependencies"])
    offline = "python -m pip install --dry-run --no-index --disable-pip-version-check"
    printed = succeed(f"{offline} -c constraints.txt {wanted}", ROOT)
    assert "Requirement already satisfied" in printed
    assert "Would install" not in printed


@pytest.mark.slow
def test_the_workflow_of_the_readme_can_be_planned() -> None:
    printed = succeed("snakemake --cores all --dry-run --forceall", ROOT)
    assert "rule score" in printed


def test_the_commit_hooks_can_be_read() -> None:
    succeed("pre-commit validate-config .pre-commit-config.yaml", ROOT)
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    programs = {hook["entry"].split()[0] for repo in hooks["repos"] for hook in repo["hooks"]}
    missing = [p for p in programs if not (Path(sys.executable).parent / Path(p).name).exists()]
    assert missing == []


def toy_project(folder: Path) -> None:
    """Write a project with a rule, this project's profile, and its settings for DVC."""
    of_dvc = (".dvc/config", ".dvc/.gitignore", ".dvcignore")
    for name in (*of_dvc, "profiles/default/config.yaml", "constraints.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "Snakefile").write_text(TOY_SNAKEFILE)
    (folder / "text.txt").write_text("as it was\n")
    (folder / ".gitignore").write_text("/data/results/\n/.snakemake/\n")


@pytest.mark.slow
def test_sharing_as_the_readme_tells_it(tmp_path: Path, apart: dict[str, str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    toy_project(mine)
    succeed("git init --quiet", mine, apart)
    succeed("snakemake --cores all", mine, apart)
    succeed("\n".join(["set -e", *block_with(text, "dvc push")]), mine, apart)

    succeed("git add --all && git commit --quiet --message run", mine, {**apart, **AUTHOR})
    succeed(f"git clone --quiet mine {theirs}", tmp_path, apart)
    succeed("\n".join(["set -e", *block_with(text, "isogloss restore")]), theirs, apart)
    copy = theirs / "data/results/toy/copy.txt"
    assert copy.read_text() == "as it was\n"

    # What the README says of the exit status.
    copy.chmod(0o644)
    copy.write_text("As it was\n")
    done = run("isogloss verify", theirs, environment=apart)
    assert done.returncode == 1
    assert "data/results/toy/copy.txt" in done.stdout
    (theirs / "dvc.lock").unlink()
    assert run("isogloss verify", theirs, environment=apart).returncode == 2


@pytest.mark.slow
def test_the_published_designs_can_be_planned(tmp_path: Path) -> None:
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    (command,) = commands(text)
    assert "/path/to/upstream" in command
    here = command.replace("/path/to/upstream", str(tmp_path))
    printed = succeed(f"{here} --dry-run --forceall", ROOT)
    assert "published-exclusion" in printed


POSTING = """\
# Sales lead

We look for an ambitious and assertive person who takes charge and beats the competition. You lead a
team of six and have five years of experience in sales.
"""
REVISED = POSTING.replace("ambitious and assertive", "friendly and capable").replace(
    "takes charge and beats the competition", "likes to work with people"
)
FEW_BACKGROUNDS = "backgrounds:\n  one-year: Has one year of experience in a similar job.\n"


def project_with_posting(folder: Path, personas: str) -> None:
    """Write a project in which a posting can be audited, with the files that how-tos name."""
    (folder / "data").mkdir(parents=True)
    parts = ("audit", "guises", "lexicons", "sources.yaml", "stimuli")
    for name in ("config", *(f"data/{part}" for part in parts)):
        (folder / name).symlink_to(ROOT / name)
    files = {
        "posting.md": POSTING,
        "revised.md": REVISED,
        "people.yaml": personas,
        "backgrounds.yaml": FEW_BACKGROUNDS,
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")


@pytest.mark.slow
def test_an_audit_as_the_documents_tell_it(tmp_path: Path) -> None:
    """With one background, so that it takes seconds; whatever else they show runs as it stands."""
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    personas, _ = (block for block in fences(text, "yaml") if block.startswith(("attr", "backg")))
    project_with_posting(tmp_path / "clone", personas)
    said = {}
    for command in dict.fromkeys(c for name in HOW_TO_AUDIT for c in shown(name) if "audit" in c):
        few = "" if "--backgrounds" in command else " --backgrounds backgrounds.yaml"
        done = run(command + few, tmp_path / "clone")
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        said[command] = done
    dry, first, ages, second = said.values()
    assert "18 requests" in dry.stdout
    assert "audits/first/index.html" in first.stdout
    assert "agentic" in first.stderr
    assert "agentic" not in second.stderr
    assert "recruiter, age" in ages.stderr
    audits = tmp_path / "clone" / "audits"
    for name in ("first", "ages", "second"):
        (check,) = (c for c in shown("docs/audit-record.md") if "sha256sum" in c)
        assert "FAILED" not in succeed(check.replace("DIR", name), audits)
    assert [command for command in shown("README.md") if "isogloss audit" in command] == [
        command for command in said if "--dry-run" not in command and "--personas" not in command
    ]


def test_the_example_of_a_configuration_is_valid(tmp_path: Path) -> None:
    (example,) = fences((ROOT / "README.md").read_text(encoding="utf-8"), "yaml")
    path = tmp_path / "config.yaml"
    path.write_text(f"seed: 1\n{example}", encoding="utf-8")
    config = load_config(path, {name: study.settings_model for name, study in STUDIES.items()})
    used = {model for study in config.studies.values() for r in study.runs for model in r.models}
    assert used == set(config.models)


def test_the_example_of_a_served_model_is_valid() -> None:
    (example,) = fences((ROOT / "docs/audit.md").read_text(encoding="utf-8"), "yaml")
    (model,) = yaml.safe_load(example)["models"].values()
    assert OpenAIModel.model_validate(model).prices is not None


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_links_lead_to_files(name: str) -> None:
    path = ROOT / name
    text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)", text)
    own = [target for target in targets if not target.startswith("https://")]
    missing = [target for target in own if not (path.parent / target).exists()]
    assert missing == []


def anchors(text: str) -> set[str]:
    """Return the addresses of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)
    shown = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in shown}


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_links_lead_to_headings(name: str) -> None:
    path = ROOT / name
    text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", text)
    missing = [
        f"{file}#{anchor}"
        for file, anchor in targets
        if (path.parent / file if file else path).suffix == ".md"
        and anchor not in anchors((path.parent / file if file else path).read_text("utf-8"))
    ]
    assert missing == []


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_targets_and_commands_that_are_named_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", text)) - targets == set()
    known = {
        command.name or command.callback.__name__.replace("_", "-")
        for command in app.registered_commands
        if command.callback
    } | {group.typer_instance.info.name for group in app.registered_groups if group.typer_instance}
    assert set(re.findall(r"`isogloss ([a-z][a-z-]*)", text)) - known == set()
