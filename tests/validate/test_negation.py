import pytest
from tests.validate.dialect import PAIRS

from isogloss.validate.negated import find_negations
from isogloss.validate.negation import compare_negations

SAME = [
    *PAIRS,
    ("He don't know nothing about it.", "He doesn't know anything about it."),
    ("Ain't nobody got time for that.", "Nobody has time for that."),
    ("She ain't never said nothing to nobody.", "She never said anything to anybody."),
    ("They don't have no money, no car, no nothing.", "They don't have money, a car, or anything."),
    ("Nobody don't want that.", "Nobody wants that."),
    ("I don't think nobody knows him.", "I don't think anybody knows him."),
    ("They won't let us in without no ticket.", "They won't let us in without a ticket."),
    ("He ain't home and she ain't neither.", "He isn't home and she isn't either."),
    ("I'm not going.", "I am not going."),
    ("I dont know him", "I don’t know him"),
    ("I am not able to go.", "I am unable to go."),
    ("We met every target and missed none.", "We met every target and didn't miss any."),
    ("It was not possible.", "It was impossible."),
    ("We didn't miss the deadline.", "We met the deadline."),
    ("He works here, doesn't he?", "He works here, right?"),
    ("No, I left.", "I left."),
    ("We not only shipped but sold it.", "We shipped and sold it."),
    ("She failed to reply.", "She did not reply."),
    ("I didn't approve the plan.", "I refused to approve the plan."),
    ("", ""),
    ("שלום 🙂 12", "עולם"),
]
LOST_OR_ADDED = [
    ("I approved the plan.", "I did not approve the plan.", ("not approve",), ()),
    ("We never ship on Friday.", "We ship on Friday.", (), ("never ship",)),
    ("Nobody complained and nobody left.", "Nobody complained.", (), ("nobody left",)),
    ("We shipped with tests.", "We shipped without tests.", ("without tests",), ()),
    ("He ain't working.", "He working.", (), ("ain't working",)),
    ("The tests passed.", "The tests did not pass.", ("not pass",), ()),
    (
        "I approved it but I did not ship it.",
        "I did not approve it but I shipped it.",
        ("not approve",),
        ("not ship",),
    ),
]


@pytest.mark.parametrize(("text", "reference"), SAME)
def test_the_same_negations(text: str, reference: str) -> None:
    assert compare_negations(text, reference).size == 0
    assert compare_negations(reference, text).size == 0


@pytest.mark.parametrize(("text", "reference", "lost", "added"), LOST_OR_ADDED)
def test_lost_and_added_negations_are_named(
    text: str, reference: str, lost: tuple[str, ...], added: tuple[str, ...]
) -> None:
    forth, back = compare_negations(text, reference), compare_negations(reference, text)
    assert (forth.lost, forth.added) == (lost, added)
    assert (back.lost, back.added) == (added, lost)


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("I ain't seen nobody, and he never called.", ["ain't", "never"]),
        ("I didn't stop and nobody helped.", ["didn't", "nobody"]),
        ("We had neither time nor money.", ["neither"]),
        ("No doubt it works, whether or not you like it.", []),
        ("No. 5 is a no-code tool.", []),
        ("No.", ["no"]),
    ],
)
def test_a_clause_counts_once(text: str, markers: list[str]) -> None:
    assert [negation.marker for negation in find_negations(text)] == markers


def test_ignored_spans_hold_no_negation() -> None:
    text, reference = "I'm not sure, but it works.", "It works."
    assert compare_negations(text, reference).added == ("not sure",)
    assert compare_negations(text, reference, ignored_text=[(0, 12)]).size == 0


def test_long_texts_are_compared() -> None:
    text = "I didn't stop, and nobody helped without a plan. " * 1000
    assert compare_negations(text, text).size == 0
    assert len(compare_negations(text, "We stopped.").added) == 3000
    assert find_negations("not " * 50_000)
