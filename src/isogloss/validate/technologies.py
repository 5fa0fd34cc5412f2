"""Technologies, products and standards that one text names and the other does not."""

import re
from collections.abc import Iterator

from isogloss.validate.entities import marked_names
from isogloss.validate.facts import Difference
from isogloss.validate.product_names import KNOWN, NO_PRODUCTS, WITH_CAPITAL
from isogloss.validate.tokens import Token, tokenise

_STANDARD = re.compile(
    r"\b(?:(?:ISO|IEC|IEEE|DIN|EN|BS|ANSI|ASTM|NIST|RFC|PCI|SOC|FIPS|IATF|OHSAS|CE|UL|ECMA|TOEFL)"
    r"(?:[/ ](?:IEC|EN|ISO|DSS|SP))*[ -]?\d[\d.:/-]*\w?)"
)
_NAME = re.compile("|".join(re.escape(name) for name in sorted(KNOWN, key=len, reverse=True)))
_JOINS = "[\u00a0\\s]+"


def compare_technologies(text: str, reference: str) -> Difference:
    """Compare the technologies that two texts name, each counted once.

    How a name is written does not matter where the ways are known (`Postgres`, `PostgreSQL`), nor
    do possessives and plurals. See `find_technologies` for what is a name.
    """
    mine, theirs = _names(text, reference), _names(reference, text)
    return Difference(lost=tuple(sorted(theirs - mine)), added=tuple(sorted(mine - theirs)))


def find_technologies(text: str) -> tuple[str, ...]:
    """Return the technologies, products and standards of a text, sorted, each once.

    They are the listed names (`Python`, `power bi`), standards with their number (`ISO 9001`), and
    words whose spelling shows them to be such: acronyms other than common ones for jobs, places and
    organisations, and words with a capital or a figure inside (`GitHub`, `EC2`). Listed names that
    are everyday words count with a capital inside a sentence only (`Go`).
    """
    return tuple(sorted(_names(text, "")))


def _names(text: str, other: str) -> set[str]:
    standards = {_normal(match.group()) for match in _STANDARD.finditer(text)}
    rest = _STANDARD.sub(" ", text)
    listed = {KNOWN[name] for name in _listed(rest)}
    capital = _capitalised(rest) | (_capitalised(other) & _alone(rest))
    marked = {name for name in marked_names(rest) if name.upper() not in NO_PRODUCTS}
    shown = {KNOWN.get(name.lower(), name.lower()) for name in marked}
    return standards | listed | {name.lower() for name in capital} | _without_parts(shown, listed)


def _listed(text: str) -> Iterator[str]:
    plain = re.sub(_JOINS, " ", text.lower())
    for match in _NAME.finditer(plain):
        before, behind = plain[: match.start()][-1:], plain[match.end() : match.end() + 2]
        if not before.isalnum() and not re.match(r"s?\w", behind.removeprefix("s")[:1] or " "):
            yield match.group()


def _capitalised(text: str) -> set[str]:
    return {t.raw for t in tokenise(text) if t.raw in WITH_CAPITAL and _is_name(text, t)}


def _is_name(text: str, token: Token) -> bool:
    """Tell whether a listed word is a name here: not first in its sentence, nor part of one."""
    return not token.opens_sentence and not _is_joined(text, token)


def _is_joined(text: str, token: Token) -> bool:
    """Tell whether a letter is a part of something else: `R` of `R&D`, `C` of `C++`."""
    joined = text[token.end : token.end + 1] in tuple("+#&/'\u2019")
    return len(token.raw) == 1 and joined


def _alone(text: str) -> set[str]:
    """The words of a text, without letters that are parts of something else."""
    return {token.raw for token in tokenise(text) if not _is_joined(text, token)}


def _without_parts(shown: set[str], listed: set[str]) -> set[str]:
    """Drop what is a part of a listed name (`BI` of `Power BI`)."""
    parts = {part for name in listed for part in re.split(r"[\s-]", name)}
    return {name for name in shown if name not in parts or name in listed}


def _normal(standard: str) -> str:
    return re.sub(r"[\s-]+", " ", standard.rstrip(".:-/")).upper()
