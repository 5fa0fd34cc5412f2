"""All checks of a site, in their order."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from isogloss.publish.checks import (
    browser,
    content,
    emails,
    files,
    keys,
    links,
    paths,
    requests,
    scripts,
    structure,
    weight,
    wellformed,
)
from isogloss.publish.checks.browser import Tools
from isogloss.publish.checks.weight import Limits
from isogloss.publish.findings import Checked, Publication
from isogloss.publish.sensitive import Sensitive
from isogloss.publish.site import Site


@dataclass(frozen=True)
class Surroundings:
    """What the checks go by beside the site itself."""

    tools: Tools | str
    """Browser and axe-core; else what is missing."""
    limits: Limits = field(default_factory=Limits)
    own_folders: tuple[Path, ...] = ()
    """Folders of this machine whose paths must not be published."""
    emails: Collection[str] = ()
    """Addresses that may be."""
    sensitive: Sensitive = field(default_factory=Sensitive)
    browse: bool = True
    """Whether pages are to be opened in a browser."""


def check_site(site: Site, given: Surroundings) -> Publication:
    """Run every check; none depends on what another found."""
    return Publication(
        str(site.folder),
        (
            files.check(site),
            weight.check(site, given.limits),
            wellformed.check(site),
            structure.check(site),
            links.check(site),
            requests.check(site),
            scripts.check(site),
            paths.check(site, given.own_folders),
            keys.check(site),
            emails.check(site, given.emails),
            content.check(site, given.sensitive),
            _browse(site, given),
        ),
    )


def _browse(site: Site, given: Surroundings) -> Checked:
    if not given.browse:
        return Checked(browser.NAME, "left_out", "as asked")
    if isinstance(given.tools, str):
        return Checked(browser.NAME, "not_checked", given.tools)
    return browser.check(site, given.tools)
