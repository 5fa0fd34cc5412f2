import pytest

from isogloss.stimuli.rules import RULES

contract, expand = RULES["contract"], RULES["expand"]

BOTH_WAYS = [
    ("I do not know.", "I don't know."),
    ("Do not wait.", "Don't wait."),
    ("We cannot stay and they will not.", "We can't stay and they won't."),
    ("I am late, and you are early.", "I'm late, and you're early."),
    ("They are not here.", "They aren't here."),
    ("I have never seen it.", "I've never seen it."),
    ("She will call.", "She'll call."),
    ("It is a start.", "It's a start."),
    ("There is a dog.", "There's a dog."),
    ("She is very tired.", "She's very tired."),
    ("It has been long.", "It's been long."),
    ("He should not have gone.", "He shouldn't have gone."),
    ("She is not only quick but right.", "She's not only quick but right."),
    ("I know he is working.", "I know he's working."),
    ("I do not think it’s so.", "I don’t think it’s so."),
]
NOT_CONTRACTED = [
    "Yes, I am.",
    "I know where they are.",
    "I have a dog.",
    "We have not a clue.",
    "Is not the sky blue?",
    "The people around you are kind.",
    "The ones who help you are kind.",
    "You and they are late.",
    "I would go, and he had gone.",
    "I do  not know.",
    "IT IS NOT SO.",
    "Is she late, or are they?",
    "What I like about it is the sound.",
]
NOT_EXPANDED = [
    "He'd go.",
    "It's over.",
    "Let's go.",
    "My mother's here.",
    "I ain't late.",
    "Don't you think so?",
    "Isn't it late?",
    "Why didn't anyone call?",
    "It wasn't just me.",
    "Y'all know.",
    "I couldn't've known.",
]


@pytest.mark.parametrize(("long", "short"), BOTH_WAYS)
def test_contracting_and_expanding_undo_each_other(long: str, short: str) -> None:
    assert contract(long).text == short
    assert expand(short).text == long


@pytest.mark.parametrize("text", NOT_CONTRACTED)
def test_stress_gaps_and_ambiguity_keep_the_long_form(text: str) -> None:
    assert contract(text).text == text


@pytest.mark.parametrize("text", NOT_EXPANDED)
def test_what_has_two_readings_or_is_turned_round_stays_short(text: str) -> None:
    assert expand(text).text == text


def test_expanding_undoes_contracting_wherever_there_was_no_contraction(
    texts: tuple[str, ...],
) -> None:
    plain = [text for text in texts if "'" not in text and "’" not in text]
    assert len(plain) > 80
    for text in plain:
        assert expand(contract(text).text).text == text
