"""Prompts hold what they must, where the role puts it, and no word more for one persona."""

import json

import pytest

from isogloss.postings.personas import GENDER, RACE, Persona, crossed, nobody, singles
from isogloss.postings.prompts import (
    ANSWERS,
    NO_BACKGROUND,
    SCHEMAS,
    messages,
)
from isogloss.postings.roles import FIELDS, ROLES, Role

PERSONAS = [nobody(), *singles(GENDER), *singles(RACE), *crossed([RACE, GENDER])]
POSTING = "Job title: Baker\nJob description: Bake bread."


def said(role: Role, persona: Persona) -> tuple[str, str]:
    system, user = messages(role, POSTING, persona, "Bakes well.")
    assert (system.role, user.role) == ("system", "user")
    return system.content, user.content


@pytest.mark.parametrize("persona", PERSONAS, ids=lambda p: p.name)
def test_the_role_decides_where_posting_and_persona_stand(persona: Persona) -> None:
    stated = [f"{label}: {value}" for label, value in persona.fields]
    system, user = said("recruiter", persona)
    assert POSTING in system
    assert POSTING not in user
    assert all(line in user.splitlines() and line not in system for line in stated)
    system, user = said("job_seeker", persona)
    assert POSTING in user
    assert POSTING not in system
    assert all(line in system.splitlines() and line not in user for line in stated)


@pytest.mark.parametrize("role", ROLES)
def test_personas_differ_in_their_fields_alone(role: Role) -> None:
    bare = "\n".join(said(role, nobody()))
    for persona in PERSONAS:
        text = "\n".join(said(role, persona))
        for label, value in persona.fields:
            text = text.replace(f"{label}: {value}\n", "", 1)
        assert text == bare


@pytest.mark.parametrize("role", ROLES)
def test_what_is_asked_for_is_what_is_read(role: Role) -> None:
    _, user = said(role, nobody())
    assert f'"{FIELDS[role]}"' in user
    assert ANSWERS[role].labels == tuple(str(n) for n in range(1, 11))
    assert ANSWERS[role].json_field == FIELDS[role]
    schema = json.loads(SCHEMAS[role])["properties"][FIELDS[role]]
    assert (schema["minimum"], schema["maximum"]) == (1, 10)


@pytest.mark.parametrize("role", ROLES)
def test_without_a_background_the_same_is_said_of_everyone(role: Role) -> None:
    text = "".join(m.content for m in messages(role, POSTING, nobody()))
    assert f"Background: {NO_BACKGROUND}" in text
