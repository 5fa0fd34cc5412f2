"""Finds what the check in a browser needs, or says what is missing."""

import importlib.util
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from isogloss.publish.checks.browser import Tools

AXE = Path("node_modules/axe-core/axe.min.js")
"""Where `npm ci` puts axe-core, relative to the project."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_tools(project: Path, environment: Mapping[str, str] = os.environ) -> Tools | str:
    """Return the tools, or a sentence that says what is missing and how it is had.

    The browser is `$CHROMIUM`, else the first of `BROWSERS` on `$PATH`; axe-core is the file
    `$AXE`, else the one that `npm ci` installed.
    """
    if importlib.util.find_spec("playwright") is None:
        return "the Python package playwright is missing; install the extra dev"
    path = environment.get("PATH", os.defpath)
    found = (shutil.which(name, path=path) for name in BROWSERS)
    chromium = environment.get("CHROMIUM") or next((one for one in found if one), None)
    if chromium is None or not Path(chromium).is_file():
        return "no Chromium; install one, or set CHROMIUM to its executable"
    axe = Path(environment["AXE"]) if environment.get("AXE") else project / AXE
    if not axe.is_file():
        return f"no axe-core at {axe}; run npm ci, or set AXE to its axe.min.js"
    return Tools(chromium, axe)
