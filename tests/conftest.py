"""Fixtures shared by all tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import distribution

PROJECT = Path(__file__).resolve().parents[1]


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes of `pytest -n` share the cores."""
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        distribution.share_cores(worker["workercount"])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests into the order in which `pytest -n` starts them."""
    if hasattr(config, "workerinput"):
        items[:] = distribution.in_order(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """As many processes for `-n auto` as cores and memory allow."""
    return distribution.processes()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep together what shares a fixture, and start what takes long first."""
    config.option.loadscopereorder = False
    return distribution.Distribution(config, log)


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
