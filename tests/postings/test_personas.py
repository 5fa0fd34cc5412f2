"""Personas state what they are said to state, and nothing else."""

from isogloss.postings.personas import GENDER, RACE, UNSPECIFIED, crossed, nobody, singles


def test_nobody_states_nothing() -> None:
    assert (nobody().name, nobody().fields, nobody().attributes) == (UNSPECIFIED, (), ())


def test_a_single_states_one_attribute() -> None:
    women, men = singles(GENDER)
    assert (women.name, women.fields) == ("female", (("Gender", "Female"),))
    assert men.attributes == (("gender", "male"),)


def test_crossed_personas_cover_every_combination_once() -> None:
    both = crossed([RACE, GENDER])
    assert len({persona.attributes for persona in both}) == 8
    assert both[1].name == "white, male"
    assert both[1].fields == (("Race/ethnicity", "White"), ("Gender", "Male"))


def test_references_are_values() -> None:
    assert GENDER.reference in GENDER.names
    assert RACE.reference in RACE.names
