"""What makes a stage run again: a change of the code that its artifacts come from."""

import ast
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from isogloss import stage_code
from isogloss.stage_code import code_digest, code_files

PACKAGE = Path(stage_code.__file__).parent

STUDY_STAGES = ("stimuli", "score", "analysis", "glmm")
"""Stages that ask a study what to do."""

COMMANDS = ("cli", "analysis_cli", "generate_cli", "stimuli_cli", "weat_cli")
"""Modules with the commands of the stages."""
ALWAYS_LEFT_OUT = {"config", "errors", "options", "project", *COMMANDS}
LEFT_OUT: dict[str, set[str]] = {
    "fetch": set(),
    "identify": {"fetch"},  # bytes that fetch locates are compared with their pin
    # A study declares every stage in one class; these stages call one method of it.
    "stimuli": {"analysis", "fetch", "guises", "mixed", "models", "postings", "score"},
    # What a judge answered is stored under all that decides it.
    "validate": {"analysis", "fetch", "mixed", "score", "studies"},
    "generate": {
        "analysis",
        "fetch",
        "inventory",
        "mixed",
        "postings",
        "review",
        "stats",
        "studies",
    },
    "calibrate": {"analysis", "fetch", "score", "studies"},
    # Tables are summed up; what made them stands in them.
    "inventory": {"fetch", "guises", "models", "score", "studies"},
    "score": {"analysis", "fetch", "guises", "mixed"},
    "analysis": {"fetch", "mixed", "models"},
    # Corrections for many tests are those of every analysis; nothing of a study is read.
    "weat": {"fetch", "guises", "mixed", "score", "studies"},
    # Whether a wording passed validation stands in the responses.
    "glmm": {"fetch", "models", "validate"},
    # Pages are made from tables; the rest gives the names of columns and of outcomes.
    "report": {
        "fetch",
        "guises",
        "models",
        "postings",
        "record",
        "review",
        "score",
        "stats",
        "stimuli",
        "studies",
        "validate",
    },
}
"""Parts of the package that a stage's modules import and that decide nothing in its output."""


def modules() -> dict[str, Path]:
    """Return the package's modules by dotted name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = ["isogloss", *path.relative_to(PACKAGE).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(tree: ast.AST) -> set[str]:
    """Return the package's modules that a piece of code imports when it runs."""
    found = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        found |= imports(node)
    return found & set(MODULES)


UNFOLLOWED = (["project"], ["cli"], ["stage_outputs"])
"""Parts whose imports are not followed; the last one notes what a command has written already."""


def parts_reached(roots: set[str]) -> set[str]:
    """Return the parts of the package that modules reach through imports."""
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        module = waiting.pop()
        if module not in reached and module.split(".")[1:2] not in UNFOLLOWED:
            reached.add(module)
            waiting += imports(ast.parse(MODULES[module].read_text(encoding="utf-8")))
    return {module.split(".")[1] for module in reached if "." in module}


def entries() -> dict[str, set[str]]:
    """Return the modules that each stage's commands import."""
    commands: dict[str, set[str]] = {}
    for name in COMMANDS:
        module = f"isogloss.{name}"
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        functions = {n.name: imports(n) for n in tree.body if isinstance(n, ast.FunctionDef)}
        # A command and the private functions beside it that do its work.
        private = set().union(*(found for name, found in functions.items() if name[0] == "_"))
        commands |= {name: found | private for name, found in functions.items() if name[0] != "_"}
    found = {stage: commands[stage] for stage in LEFT_OUT}
    found["report"] = found["report"] | commands["parts"]
    for stage in STUDY_STAGES:
        found[stage] = found[stage] | {"isogloss.studies.registry"}
    return found


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose files may be changed."""
    folder = tmp_path_factory.mktemp("package") / "isogloss"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def code_after(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, bytes], str]:
    """Return a stage's digest with bytes appended to one file of the package."""
    monkeypatch.setattr(stage_code, "__file__", str(copied / "stage_code.py"))

    def digest(stage: str, file: str, more: bytes) -> str:
        path = copied / file
        before = path.read_bytes()
        path.write_bytes(before + more)
        try:
            return code_digest(stage)
        finally:
            path.write_bytes(before)

    return digest


@pytest.mark.parametrize("stage", LEFT_OUT)
def test_a_stage_runs_again_when_a_part_it_uses_changes(
    code_after: Callable[[str, str, bytes], str], stage: str
) -> None:
    unchanged = code_digest(stage)
    used = parts_reached(entries()[stage]) - LEFT_OUT[stage] - ALWAYS_LEFT_OUT
    assert used
    for part in sorted(used):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            file = path.relative_to(PACKAGE).as_posix()
            assert code_after(stage, file, b"# more\n") != unchanged, file


@pytest.mark.parametrize("stage", LEFT_OUT)
def test_a_stage_does_not_run_again_for_another_part(
    code_after: Callable[[str, str, bytes], str], stage: str
) -> None:
    others = {"record/verify.py", "cli.py", "report/markdown.py", "fetch/obtain.py"}
    own = {"report": "report/markdown.py", "fetch": "fetch/obtain.py"}.get(stage)
    for file in sorted(others - {own}):
        assert code_after(stage, file, b"# more\n") == code_digest(stage), file


def test_line_ends_and_compiled_files_change_no_digest(
    copied: Path, code_after: Callable[[str, str, bytes], str]
) -> None:
    unchanged = code_digest("fetch")
    path = copied / "fetch" / "sources.py"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"\n", b"\r\n"))
    (copied / "fetch" / "sources.pyc").write_bytes(b"compiled")
    try:
        assert code_digest("fetch") == unchanged
    finally:
        path.write_bytes(before)


def test_a_renamed_module_changes_the_digest(
    copied: Path, code_after: Callable[[str, str, bytes], str]
) -> None:
    unchanged = code_digest("fetch")
    path = copied / "fetch" / "sources.py"
    path.rename(path.with_name("pins.py"))
    try:
        assert code_digest("fetch") != unchanged
    finally:
        path.with_name("pins.py").rename(path)


def test_the_digest_does_not_depend_on_where_the_package_is(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = code_digest("score")
    monkeypatch.setattr(stage_code, "__file__", str(copied / "stage_code.py"))
    assert code_digest("score") == here


def test_files_of_code_are_those_of_the_stages(project: Path) -> None:
    files = code_files()
    assert {"src/isogloss/score/answers.py", "src/isogloss/review/page.css"} <= files.keys()
    assert "src/isogloss/config/thresholds.py" in files  # it has defaults
    assert "src/isogloss/cli.py" not in files
    assert all((project / name).samefile(path) for name, path in files.items())
    assert not any("__pycache__" in name for name in files)
