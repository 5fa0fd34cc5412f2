"""The roles in which a model judges a posting, and the scale on which it does."""

from typing import Literal, get_args

Role = Literal["recruiter", "job_seeker"]
"""`recruiter` judges how well the job suits a candidate, `job_seeker` its own interest in it."""

ROLES: tuple[Role, ...] = get_args(Role)

LOW, HIGH = 1, 10
SCALE = tuple(range(LOW, HIGH + 1))
"""Scores that a reply may give."""

FIELDS: dict[Role, str] = {"recruiter": "recommendation_strength", "job_seeker": "interest_score"}
"""Field of the JSON object that holds the score."""
