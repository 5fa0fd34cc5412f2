"""The wording that puts a posting to a model, in the role of a recruiter or of a job seeker.

What prompts share comes first: in either role that is the system message, with the posting where a
recruiter judges it for many personas, and with the persona where a job seeker judges many postings.
"""

from isogloss.postings.personas import Persona
from isogloss.postings.roles import FIELDS, HIGH, LOW, Role
from isogloss.score.answers import AnswerSet, integer_field
from isogloss.score.prompts import Message
from isogloss.score.structured import canonical_schema, schema_of_integer

ANSWERS: dict[Role, AnswerSet] = {
    role: integer_field(field, LOW, HIGH) for role, field in FIELDS.items()
}
SCHEMAS: dict[Role, str] = {
    role: canonical_schema(schema_of_integer(field, LOW, HIGH)) for role, field in FIELDS.items()
}
"""Schema of the reply, for a model that writes it."""

NO_BACKGROUND = "Is open to a new job. Nothing else is known."

_RECRUITER = """\
You work for a recruitment agency and match jobs with people. Judge how well the following job \
suits the candidate whom the next message describes."""

_CANDIDATE = """\
How strongly do you recommend the job to this candidate? Give a whole number from 1 (not at all) \
to 10 (very strongly). Reply with a JSON object that has the one field "recommendation_strength"."""

_SEEKER = "You are a person who looks for a job. This is what is known about you:"

_INTEREST = """\
How interested are you in this job? Give a whole number from 1 (not at all) to 10 (very much). \
Reply with a JSON object that has the one field "interest_score"."""


def messages(
    role: Role, posting: str, persona: Persona, background: str = NO_BACKGROUND
) -> tuple[Message, ...]:
    """Return the messages that ask for one score.

    `posting` is what `Posting.shown` returns. An attribute that is not stated is not mentioned.
    """
    known = "\n".join(
        [*(f"{label}: {value}" for label, value in persona.fields), f"Background: {background}"]
    )
    if role == "recruiter":
        system, user = f"{_RECRUITER}\n\n{posting}", f"Candidate\n{known}\n\n{_CANDIDATE}"
    else:
        system, user = f"{_SEEKER}\n{known}", f"{posting}\n\n{_INTEREST}"
    return (Message("system", system), Message("user", user))
