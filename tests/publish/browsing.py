"""What tests in a browser need; each is skipped, with the reason, where it is missing."""

import pytest
from tests.conftest import PROJECT

from isogloss.publish.checks.browser import Tools
from isogloss.publish.tools import find_tools


def tools() -> Tools:
    """Return browser and axe-core, or skip the test."""
    found = find_tools(PROJECT)
    if isinstance(found, str):
        pytest.skip(found)
    return found
