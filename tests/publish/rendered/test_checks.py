"""The report's own pages pass every check of a site."""

from pathlib import Path

import pytest
from tests.publish.browsing import tools

from isogloss.publish.checks.browser import VIEWS, check
from isogloss.publish.run import Surroundings, check_site
from isogloss.publish.site import read_site


def test_nothing_in_the_source_of_the_pages_speaks_against_publishing(
    rendered: Path, project: Path
) -> None:
    given = Surroundings("", own_folders=(project, rendered), browse=False)
    publication = check_site(read_site(rendered), given)
    findings = [(one.name, finding) for one in publication.checked for finding in one.findings]
    assert findings == []
    assert publication.exit_code == 0


@pytest.mark.browser
@pytest.mark.slow
def test_axe_has_no_serious_violation_in_any_view(rendered: Path) -> None:
    outcome = check(read_site(rendered), tools(), VIEWS)
    assert outcome.findings == ()
