"""Whether something that opens a door stands in the site: a key, a token, a password."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site, distinct

NAME = "keys"


@dataclass(frozen=True)
class Secret:
    """A form that secrets of one kind have."""

    kind: str
    pattern: "re.Pattern[str]"


def _secret(kind: str, pattern: str) -> Secret:
    return Secret(kind, re.compile(pattern))


SECRETS = (
    _secret("AWS key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    _secret("GitHub token", r"\b(?:gh[opsur]_[A-Za-z0-9]{36,}|github_pat_\w{22,})"),
    _secret("GitLab token", r"\bglpat-[\w-]{20,}"),
    _secret("OpenAI or Anthropic key", r"\bsk-(?:[a-z]+[0-9]*-)*[\w-]{20,}"),
    _secret("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    _secret("Google key", r"\bAIza[\w-]{35}"),
    _secret("Slack token", r"\bxox[abeprs]-[\w-]{10,}"),
    _secret("PyPI token", r"\bpypi-[\w-]{50,}"),
    _secret("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _secret("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    _secret("web token", r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    _secret("authorization", r"(?i)\bauthorization[\"']?\s*[:=]\s*[\"']?[a-z]+ +[\w.~+/=-]{6,}"),
    _secret("authorization", r"(?i)\bbearer +[\w.~+/=-]{20,}"),
    _secret("password in an address", r"\b[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]+:[^\s/@\"'<>]+@"),
)
"""Forms that are secrets wherever they stand."""

ASSIGNED = re.compile(
    r"(?i)(?:key|token|secret|passwd|password|credential)[\"']?\s*(?:[:=]|\bis\b)\s*[\"']?"
    r"(?P<value>[A-Za-z0-9+/_=.-]{20,})"
)
"""A long value that is said to be a key."""

DIGEST = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def check(site: Site) -> Checked:
    """Find forms of well-known keys, and long mixed values that are called key, token or secret.

    What is found is printed by its first characters only, because logs are public too. Digests in
    hexadecimal digits are no keys. A key of a form that is not known here is not found.
    """
    findings = distinct(
        Finding(name, line, f"looks like a secret ({kind}): {masked(value)}; take it back")
        for name, line, text in site.lines()
        for kind, value in secrets(text)
    )
    return made(NAME, f"{len({one.kind for one in SECRETS})} forms of keys", findings)


def secrets(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and value of what looks like a secret."""
    for secret in SECRETS:
        yield from ((secret.kind, match[0]) for match in secret.pattern.finditer(text))
    for match in ASSIGNED.finditer(text):
        if _is_random(match["value"]):
            yield "called so", match["value"]


def masked(value: str) -> str:
    """The beginning of a secret and its length."""
    return f"{value[:4]}... ({len(value)} characters)"


def _is_random(value: str) -> bool:
    """Whether a value has letters of both cases and digits, and is no digest."""
    kinds = (str.isupper, str.islower, str.isdigit)
    mixed = all(any(kind(character) for character in value) for kind in kinds)
    return mixed and not DIGEST.fullmatch(value)
