"""Fixtures shared by all tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def project() -> Path:
    """Root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def mirror() -> Path:
    """Folder with the published sources; the test is skipped where there is none."""
    folder = Path(os.environ.get("ISOGLOSS_MIRROR") or PROJECT.parent / "shared" / "upstream")
    if not folder.is_dir():
        pytest.skip("no sources mirror: set ISOGLOSS_MIRROR to a folder with the published sources")
    return folder


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser that Playwright drives; the test is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("no Chromium: set CHROMIUM to its executable")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
