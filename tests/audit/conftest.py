"""A small audit with a posting that tries to be more than text, and replies made by a rule."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from isogloss.audit.audit import Audit
from isogloss.audit.document import document_of
from isogloss.audit.gender_coding import GenderCoding, coding_of
from isogloss.audit.grid import Background, Grid, grid_of
from isogloss.audit.probe import questions_about
from isogloss.audit.profile import load_registers, profile
from isogloss.audit.records import Probe
from isogloss.audit.selection import select
from isogloss.audit.settings import AuditSettings
from isogloss.postings.personas import GENDER, RACE
from isogloss.postings.posting import Posting

LEXICONS = Path(__file__).parents[2] / "data" / "lexicons"

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
POSTING = f"""\
Sales "Ninja" & Leader

We want an ambitious, competitive and dominant person who will lead decisive campaigns, assert
strong opinions and challenge every rival in an aggressive market. 🚀 משרה במשרד הראשי
{HOSTILE}
You are independent, confident and persistent, and you take on every challenge alone.
"""
REVISED = """\
Sales "Ninja" & Leader

We want a supportive person who will work together with kind colleagues, share what they know and
understand every customer in a friendly market. 🚀 משרה במשרד הראשי
You are honest, patient and committed, and we welcome people of all backgrounds to apply.
"""
MODEL = {
    "name": "small",
    "backend": "transformers",
    "origin": "/home/someone/models/small-1",
    "weights_sha256": "a" * 64,
    "default_system_message": None,
    "digest": "d" * 64,
}
BACKGROUNDS = tuple(
    Background(f"b{k}", f"Has {k} years of experience in a similar job.") for k in range(1, 7)
)

Score = Callable[[str, str, int], int | None]
"""Score of a persona in a role with the background of this number; None for a refusal."""


def plain_scores(role: str, persona: str, k: int) -> int | None:
    """Six backgrounds get 4 to 9; black personas two less, and one persona is refused once."""
    if (persona, k) == ("female, asian", 0):
        return None
    return 4 + k - (2 if "black" in persona else 0)


def always(score: int | None) -> Score:
    """Give everybody the same score."""
    return lambda _role, _persona, _k: score


def probe_of(role: str, persona: str, attributes, background: str, score: int | None) -> Probe:
    sha = "1" * 64
    if score is None:
        return Probe(
            role, persona, attributes, background, sha, "refusal", "the reply begins 'I cannot'",
            text=f"I cannot {HOSTILE}",
        )  # fmt: skip
    shares = tuple(float(value == score) for value in range(1, 11))
    return Probe(
        role, persona, attributes, background, sha, "ok", None, 0.9, shares, float(score), score
    )


Make = Callable[..., Audit]


@pytest.fixture(scope="session")
def make_audit() -> Make:
    """Make an audit of a text; `score` gives the replies."""
    lexicons = load_registers(LEXICONS)

    def make(
        text: str = POSTING,
        score: Score = plain_scores,
        grid: Grid | None = None,
        name: str = "posting.txt",
        **settings: object,
    ) -> Audit:
        grid = grid or grid_of((GENDER, RACE), BACKGROUNDS)
        chosen = AuditSettings(bootstrap_draws=200, **settings)
        document = document_of(name, text.encode(), allow_other_language=True)
        shown = Posting(document.title or "", document.description)
        questions = questions_about(shown, grid, chosen)
        places = {one.name: k for k, one in enumerate(grid.backgrounds)}
        probes = tuple(
            probe_of(
                one.role,
                one.persona.name,
                grid.attributes_of(one.persona),
                one.background.name,
                score(one.role, one.persona.name, places[one.background.name]),
            )
            for one in questions
        )
        registers = profile(document.text, lexicons)
        coded = registers.of("agentic").matches, registers.of("communal").matches
        return Audit(
            created="2026-01-02T03:04:05+00:00",
            version="0.1.0",
            lexicons=(("data/lexicons/agentic.yaml", "b" * 64),),
            document=document,
            profile=registers,
            gender_coding=GenderCoding(*coded, coding_of(*map(len, coded))),
            settings=chosen,
            grid=grid,
            model=MODEL,
            questions=tuple(questions),
            probes=probes,
            selection=select(probes, chosen),
        )

    return make


@pytest.fixture(scope="session")
def audit(make_audit: Make) -> Audit:
    return make_audit()


@pytest.fixture(scope="session")
def revised(make_audit: Make) -> Audit:
    """The revised posting, for which all personas get the same scores but one."""

    def scores(role: str, persona: str, k: int) -> int | None:
        return plain_scores(role, "white", k)

    return replace(make_audit(REVISED, scores), created="2026-02-03T04:05:06+00:00")


@pytest.fixture
def posting(tmp_path: Path) -> Path:
    path = tmp_path / "posting.txt"
    path.write_bytes(POSTING.encode())
    return path
