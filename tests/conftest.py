"""Fixtures shared by all tests."""

import os
from pathlib import Path

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
