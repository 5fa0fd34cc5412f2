"""Whether an e-mail address stands in the site that nobody meant to publish."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from isogloss.config.load import read_yaml
from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site, distinct

NAME = "e-mail"

EMAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9_][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}\b(?!\.[A-Za-z])"
)
RESERVED = re.compile(r"(?:^|\.)(?:example\.(?:com|net|org)|example|invalid|localhost|test)$")
"""Domains that belong to nobody (RFC 2606)."""


def check(site: Site, allowed: Collection[str]) -> Checked:
    """Find e-mail addresses that are not `allowed`; those of reserved domains are nobody's."""
    findings = distinct(
        Finding(name, line, f"the e-mail address {address} is not in CITATION.cff")
        for name, line, text in site.lines()
        for address in addresses(text)
        if address not in allowed
    )
    return made(NAME, f"{len(allowed)} addresses allowed", findings)


def addresses(text: str) -> list[str]:
    """Return the e-mail addresses in a text, in lower case, without those of reserved domains."""
    found = (match[0].lower() for match in EMAIL.finditer(text))
    return [address for address in found if not RESERVED.search(address.partition("@")[2])]


def cited_addresses(citation: Path) -> frozenset[str]:
    """Return the addresses in a CITATION.cff; none when there is no such file.

    Raises `ConfigurationError` when the file is not YAML.
    """
    if not citation.is_file():
        return frozenset()
    return frozenset(a for text in _strings(read_yaml(citation)) for a in addresses(text))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for inner in value.values() for text in _strings(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in _strings(inner))
