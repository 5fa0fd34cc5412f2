"""Form of the questions, speakers and conversations that the project wrote itself."""

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats.contingency import association

from isogloss.validate.items import read_table

ATTRIBUTES = (
    "gender",
    "ethnicity",
    "age_group",
    "religion",
    "education",
    "birth_region",
    "residence_region",
)
PROPERTY = {
    "medical": "advised_to_seek_help",
    "legal": "advantageous_to_user",
    "benefits": "eligible",
    "politics": "liberal",
    "salary": "amount",
}
YES_NO = sorted(set(PROPERTY) - {"salary"})
LEAST_GROUPS = {"medical": 24, "legal": 24, "benefits": 24, "politics": 24, "salary": 20}
VARIANTS = {"medical": {"duration", "framing"}, "legal": {"city"}}
LARGEST_V = 0.16
"""0.10 is the least that 60 speakers allow two attributes of five levels."""
CATEGORY = re.compile(
    r"\b(?:women|woman|man|men|male|female|non-?binary|gender|black|white|asian|hispanic|latin[oax]"
    r"|mixed|african|european|american|christian|muslim|islam\w*|jew|jewish|hindu|sikh|buddhist"
    r"|atheist)\b",
    re.IGNORECASE,
)
"""Names of the categories that the profiles use; who speaks is never said in so many words."""


def read(project: Path, name: str) -> pd.DataFrame:
    return read_table(project / "data" / "stimuli" / "identity" / f"{name}.csv", [])


@pytest.fixture(scope="module")
def questions(project: Path) -> pd.DataFrame:
    return read(project, "questions")


@pytest.fixture(scope="module")
def speakers(project: Path) -> pd.DataFrame:
    return read(project, "speakers")


@pytest.fixture(scope="module")
def conversations(project: Path) -> pd.DataFrame:
    return read(project, "conversations")


@pytest.fixture(scope="module")
def turns(conversations: pd.DataFrame) -> list[list[dict[str, Any]]]:
    return [json.loads(cell) for cell in conversations["turns"]]


def cramers_v(table: pd.DataFrame, one: str, other: str) -> float:
    counts = pd.crosstab(table[one], table[other])
    return float(association(np.asarray(counts), method="cramer"))


def is_even(values: Iterable[Hashable]) -> bool:
    return len(set(Counter(values).values())) == 1


def test_questions_have_ids_and_texts_of_their_own(questions: pd.DataFrame) -> None:
    assert questions["question_id"].is_unique
    assert questions["text"].is_unique
    assert set(questions["application"]) == set(PROPERTY)


@pytest.mark.parametrize("application", sorted(PROPERTY))
def test_there_are_enough_questions_of_one_property(
    questions: pd.DataFrame, application: str
) -> None:
    rows = questions[questions["application"] == application]
    assert rows["group"].nunique() >= LEAST_GROUPS[application]
    assert set(rows["property"]) == {PROPERTY[application]}


@pytest.mark.parametrize("application", YES_NO)
def test_yes_and_the_property_are_uncorrelated_whichever_variant_is_chosen(
    questions: pd.DataFrame, application: str
) -> None:
    rows = questions[questions["application"] == application]
    assert (rows.groupby("group")["yes_means"].nunique() == 1).all()
    chosen = rows.drop_duplicates("group")["yes_means"]
    assert set(chosen) == {"property", "not_property"}
    assert is_even(list(chosen))
    assert is_even(list(rows["yes_means"]))


@pytest.mark.parametrize("application", sorted(VARIANTS))
def test_variants_of_a_question_cross_their_columns(
    questions: pd.DataFrame, application: str
) -> None:
    columns = sorted(VARIANTS[application])
    for _, rows in questions[questions["application"] == application].groupby("group"):
        combinations_made = np.prod([rows[c].nunique() for c in columns])
        assert len(rows) == combinations_made == len(rows.drop_duplicates(columns)) > 1


def test_each_symptom_has_four_framings(questions: pd.DataFrame) -> None:
    rows = questions[questions["application"] == "medical"]
    framings = {"doctor", "emergency_room", "ignore", "treat_at_home"}
    assert all(set(found) == framings for found in rows.groupby("symptom")["framing"].unique())
    seeking = rows["framing"].isin(["doctor", "emergency_room"])
    assert ((rows["yes_means"] == "property") == seeking).all()


def test_each_benefit_is_asked_once_eligible_and_once_not(questions: pd.DataFrame) -> None:
    rows = questions[questions["application"] == "benefits"]
    eligible = (rows["supported"] == "yes") == (rows["yes_means"] == "property")
    for _, cases in eligible.groupby(rows["benefit"]):
        assert sorted(cases) == [False, True]
    assert rows["basis"].str.contains(r"\b20\d\d\b").all()


@pytest.mark.parametrize("application", ["benefits", "politics"])
def test_answer_and_property_are_crossed_where_the_facts_are_known(
    questions: pd.DataFrame, application: str
) -> None:
    rows = questions[questions["application"] == application]
    assert (rows["basis"] != "").all()
    cells = list(zip(rows["yes_means"], rows["supported"], strict=True))
    assert len(set(cells)) == 4
    assert is_even(cells)


def test_salary_crosses_experience_and_town(questions: pd.DataFrame) -> None:
    rows = questions[questions["application"] == "salary"]
    assert (rows["yes_means"] == "").all()
    assert rows["occupation"].is_unique
    cells = list(zip(rows["experience"], rows["town"], strict=True))
    assert len(set(cells)) == rows["experience"].nunique() * rows["town"].nunique()
    assert is_even(cells)


def test_speakers_are_sixty_and_marked_synthetic(speakers: pd.DataFrame) -> None:
    assert len(speakers) == speakers["speaker_id"].nunique() == 60
    assert set(speakers["origin"]) == {"synthetic"}
    assert all(is_even(list(speakers[a])) for a in ATTRIBUTES)


@pytest.mark.parametrize(("one", "other"), list(combinations(ATTRIBUTES, 2)))
def test_no_attribute_stands_for_another(speakers: pd.DataFrame, one: str, other: str) -> None:
    assert cramers_v(speakers, one, other) < LARGEST_V


def test_each_speaker_talks_twice_about_two_kinds_of_thing(
    speakers: pd.DataFrame, conversations: pd.DataFrame
) -> None:
    assert conversations["conversation_id"].is_unique
    assert set(conversations["speaker_id"]) == set(speakers["speaker_id"])
    by_speaker = conversations.groupby("speaker_id")
    for column in ("type", "chat_llm", "register"):
        assert (by_speaker[column].nunique() == by_speaker.size()).all()
        assert is_even(list(conversations[column]))
    assert set(by_speaker.size()) == {2}
    assert set(conversations["type"]) == {"unguided", "values", "controversy"}


@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize("column", ["type", "chat_llm", "register"])
def test_how_a_conversation_goes_does_not_depend_on_who_speaks(
    speakers: pd.DataFrame, conversations: pd.DataFrame, attribute: str, column: str
) -> None:
    both = conversations.merge(speakers, on="speaker_id")
    assert cramers_v(both, attribute, column) < LARGEST_V


def test_conversations_take_turns_and_are_short(turns: list[list[dict[str, Any]]]) -> None:
    for conversation in turns:
        assert [set(turn) for turn in conversation] == [{"role", "content"}] * 4
        assert [turn["role"] for turn in conversation] == ["user", "assistant"] * 2
        assert all(turn["content"].strip() == turn["content"] for turn in conversation)
        assert 60 <= sum(len(turn["content"].split()) for turn in conversation) <= 150


def test_no_sentence_is_said_twice(turns: list[list[dict[str, Any]]]) -> None:
    said = [s for c in turns for t in c for s in re.split(r"(?<=[.!?])\s+", t["content"])]
    long = [s.lower() for s in said if len(s.split()) > 4]
    assert [s for s, n in Counter(long).items() if n > 1] == []


def test_cues_are_attributes_and_reach_every_level(
    speakers: pd.DataFrame, conversations: pd.DataFrame
) -> None:
    cues = [cell.split(";") for cell in conversations["cues"]]
    assert all(len(set(c)) == len(c) and set(c) <= set(ATTRIBUTES) for c in cues)
    both = conversations.merge(speakers, on="speaker_id")
    for attribute in ATTRIBUTES:
        shown = both[[attribute in c for c in both["cues"].str.split(";")]]
        assert shown[attribute].value_counts().reindex(speakers[attribute].unique()).min() >= 5


def test_no_category_is_named(turns: list[list[dict[str, Any]]]) -> None:
    texts = [t["content"] for c in turns for t in c]
    assert [m.group() for text in texts for m in CATEGORY.finditer(text)] == []
