from pathlib import Path

from isogloss.publish.checks.browser import Tools
from isogloss.publish.tools import find_tools


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_tools_are_found_on_the_path_and_where_npm_puts_them(tmp_path: Path) -> None:
    chromium = executable(tmp_path / "bin" / "chromium")
    axe = executable(tmp_path / "node_modules" / "axe-core" / "axe.min.js")
    found = find_tools(tmp_path, {"PATH": str(tmp_path / "bin")})
    assert found == Tools(str(chromium), axe)


def test_named_tools_come_first(tmp_path: Path) -> None:
    chromium, axe = executable(tmp_path / "c"), executable(tmp_path / "a.js")
    named = {"PATH": "", "CHROMIUM": str(chromium), "AXE": str(axe)}
    assert find_tools(tmp_path, named) == Tools(str(chromium), axe)


def test_what_is_missing_is_said_with_the_remedy(tmp_path: Path) -> None:
    assert "set CHROMIUM" in str(find_tools(tmp_path, {"PATH": str(tmp_path)}))
    assert "set CHROMIUM" in str(find_tools(tmp_path, {"CHROMIUM": str(tmp_path / "no")}))
    chromium = str(executable(tmp_path / "c"))
    assert "run npm ci" in str(find_tools(tmp_path, {"CHROMIUM": chromium}))
