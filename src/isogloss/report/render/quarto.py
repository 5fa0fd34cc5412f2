"""Rendering with Quarto: finding it, running it on a copy of the pages, reading its log.

Quarto exits 0 although a cross-reference is unresolved or a variable unknown; its log says so.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from isogloss.errors import ReportError

TIMEOUT_SECONDS = 600
ANSI = re.compile(r"\x1b\[[0-9;]*m")
ERROR_LINE = re.compile(r"^\W*(?:ERROR|CRITICAL|FATAL)\b")
WARNING_LINE = re.compile(r"^\W*WARN(?:ING)?\b")
FAULTS = re.compile(
    "|".join(
        [
            "Unable to resolve crossref",
            "Unable to resolve link target",
            r"Unknown (?:var|variable|meta key|shortcode)\b",
            r"Shortcode '[^']*' not found",
            "Include directive",
            r"citation \S+ not found",
            "Could not fetch resource",
            "Could not convert TeX math",
            "Duplicate (?:identifier|note reference|link reference)",
            "Unsupported type",
        ]
    ),
    re.IGNORECASE,
)
"""What Quarto and its pandoc only warn of, and a report must not have."""

UNRESOLVED = re.compile(r"<strong>\?((?:@|var|meta|env|invalid)[^<]*)</strong>")
"""What Quarto prints in the page where something could not be resolved, always in bold."""


@dataclass(frozen=True)
class QuartoPages:
    """The pages that Quarto made, and what it warned of that is no fault."""

    pages: Mapping[str, str]
    """HTML by file name."""
    warnings: tuple[str, ...]


def find_quarto(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the Quarto executable: `$QUARTO` when it is set, else the one on `$PATH`, else None.

    Raises ReportError when `$QUARTO` names something that cannot be run.
    """
    named = environment.get("QUARTO", "")
    if not named:
        found = shutil.which("quarto", path=environment.get("PATH", os.defpath))
        return Path(found) if found else None
    if not os.access(named, os.X_OK) or Path(named).is_dir():
        raise ReportError(
            f"QUARTO={named} cannot be run; name the executable itself, or unset QUARTO"
        )
    return Path(named)


def quarto_version(quarto: Path) -> str:
    """Return the version that Quarto says it has; ReportError when it says none."""
    done = _run([str(quarto), "--version"], Path.cwd(), os.devnull)
    version = done.stdout.strip()
    if done.returncode != 0 or not re.fullmatch(r"\d+(\.\d+)+\S*", version):
        raise ReportError(f"{quarto.name} --version printed {version!r}; is it Quarto?")
    return version


def render_with_quarto(
    quarto: Path, project: Path, footer: str, absent: Collection[str] = ()
) -> QuartoPages:
    """Render a copy of the project, without the pages of `absent`, whose pages end in `footer`.

    Nothing is executed, and the environment holds nothing but the search path. Raises ReportError
    when Quarto fails, logs a fault, or leaves something unresolved in a page.
    """
    with tempfile.TemporaryDirectory() as folder:
        stage, home, log = Path(folder) / "pages", Path(folder) / "home", Path(folder) / "log.json"
        home.mkdir()
        stage_project(project, stage, footer, absent)
        command = [
            *(str(quarto), "render", str(stage), "--to", "html", "--no-execute"),
            *("--log", str(log), "--log-level", "info", "--log-format", "json-stream"),
        ]
        done = _run(command, stage, str(home))
        written = log.read_text(encoding="utf-8") if log.is_file() else ""
        lines = log_lines(written, done.stdout, done.stderr)
        if fault := log_fault(lines) or _exit_fault(done.returncode, lines):
            raise ReportError(f"Quarto: {fault.replace(str(stage) + os.sep, '')}")
        pages = {
            path.name: path.read_text(encoding="utf-8")
            for path in sorted((stage / "_site").glob("*.html"))
        }
    check_resolved(pages)
    return QuartoPages(pages, tuple(line for line in lines if WARNING_LINE.match(line)))


def stage_project(project: Path, stage: Path, footer: str, absent: Collection[str] = ()) -> None:
    """Copy the project without earlier output, and set the footer of its pages.

    Pages whose name without suffix is in `absent` are left out, of the navigation as well.
    """
    pages = [f"{name}.qmd" for name in absent]
    shutil.copytree(project, stage, ignore=shutil.ignore_patterns("_site", ".quarto", *pages))
    path = stage / "_quarto.yml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    website = settings["website"]
    website["page-footer"] = {"left": footer}
    left = website["navbar"]["left"]
    website["navbar"]["left"] = [item for item in left if item["href"] not in pages]
    path.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


def log_lines(json_stream: str, *console: str) -> tuple[str, ...]:
    """Return the distinct lines of a log file and of what was printed, without colours."""
    records = [_record_text(line) for line in json_stream.splitlines()]
    lines = "\n".join([*records, *console]).splitlines()
    return tuple(dict.fromkeys(text for line in lines if (text := ANSI.sub("", line).strip())))


def _record_text(line: str) -> str:
    try:
        record = json.loads(line)
        return f"{record['levelName']}: {record['msg']}"
    except (ValueError, KeyError, TypeError):
        return line


def log_fault(lines: tuple[str, ...]) -> str:
    """Return the first line that reports an error or a fault, or nothing."""
    return next((line for line in lines if ERROR_LINE.match(line) or FAULTS.search(line)), "")


def _exit_fault(code: int, lines: tuple[str, ...]) -> str:
    if code == 0:
        return ""
    return f"exit status {code}: {lines[-1] if lines else 'nothing was printed'}"


def check_resolved(pages: Mapping[str, str]) -> None:
    """Raise ReportError for a page in which Quarto has left a mark of something unresolved."""
    for name, page in pages.items():
        if match := UNRESOLVED.search(page):
            raise ReportError(f"{name}: Quarto left {match[1]} unresolved")


def _run(command: list[str], folder: Path, home: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ReportError(f"{command[0]} could not be run: {error}") from None
