"""Features of African American English, where they belong and where they do not.

The contexts are those of the literature (Labov 1969, 1972; Rickford 1999; Green 2002); the
sentences are this project's own.
"""

import pytest

from isogloss.stimuli.rules import RULES
from isogloss.stimuli.rules.aae import FEATURES, AfricanAmericanEnglish

APPLIED = [
    # habitual be
    ("She usually works late on Fridays.", "She usually be working late on Fridays."),
    ("The kids are always playing outside.", "The kids always be playing outside."),
    ("I am always late.", "I always be late."),
    ("I'm always working on Sundays.", "I always be working on Sundays."),
    ("We meet every day after class.", "We be meeting every day after class."),
    ("The kids are tired every day.", "The kids be tired every day."),
    ("My brother always drives too fast.", "My brother always be driving too fast."),
    ("He's usually at work by noon.", "He usually be at work by noon."),
    # zero copula
    ("They are walking to the store.", "They walking to the store."),
    ("He's tired, and we're hungry.", "He tired, and we hungry."),
    ("She is a teacher.", "She a teacher."),
    ("They are in the kitchen.", "They in the kitchen."),
    ("My sister is running late.", "My sister running late."),
    ("We are going to leave now.", "We gonna leave now."),
    ("She is taller than they are.", "She taller than they are."),
    ("I know what they are doing.", "I know what they doing."),
    ("I think you're right about that.", "I think you right about that."),
    ("He’s so happy today.", "He so happy today."),
    # ain't
    ("She isn't ready.", "She ain't ready."),
    ("She isn’t ready.", "She ain’t ready."),
    ("I am not going.", "I ain't going."),
    ("It's not my fault.", "It ain't my fault."),
    ("She has not called.", "She ain't called."),
    ("I haven't been there.", "I ain't been there."),
    # negative concord
    ("I didn't see anybody at the park.", "I didn't see nobody at the park."),
    ("They don't have any money.", "They don't have no money."),
    ("We can't find any of them.", "We can't find none of them."),
    ("They don't live here anymore.", "They don't live here no more."),
    ("Nobody said anything.", "Nobody said nothing."),
    ("I don't know anybody in town.", "I don't know nobody in town."),
    ("They aren't any better.", "They ain't no better."),
    # third person without -s
    ("He runs the shop and cleans the floor.", "He run the shop and clean the floor."),
    ("When she comes home, she cooks.", "When she come home, she cook."),
    ("It doesn't matter to me.", "It don't matter to me."),
    ("He has a new job.", "He have a new job."),
    ("The team still runs it.", "The team still run it."),
    ("My uncle fixes the cars.", "My uncle fix the cars."),
    # completive done
    ("I've already eaten my lunch.", "I done already eaten my lunch."),
    ("The teacher has already left.", "The teacher done already left."),
    ("He's already finished the book.", "He done already finished the book."),
    # was with every subject
    ("We were late and they weren't home.", "We was late and they wasn't home."),
    ("The lights were off.", "The lights was off."),
    # possessives
    ("I saw their car.", "I saw they car."),
    ("My brother's phone broke.", "My brother phone broke."),
    # existential it
    ("There is a dog in the yard.", "It's a dog in the yard."),
    ("There were two men outside.", "It was two men outside."),
    ("There isn't anything to eat.", "It ain't nothing to eat."),
    # finna
    ("I'm about to leave, and they're about to eat.", "I'm finna leave, and they finna eat."),
    ("It was about to rain.", "It was finna rain."),
    # them, y'all
    ("I want those shoes.", "I want them shoes."),
    ("I told you guys.", "I told y'all."),
]

NOT_APPLIED = [
    # the copula after I, in the past, at the end of a clause, before a gap, under stress, turned
    "I am tired.",
    "I was at work and she was at home.",
    "Tell me where they are.",
    "I know where he is on Sundays.",
    "That's how tall he is.",
    "Yes, they are.",
    "He is, and so is she.",
    "He IS ready.",
    "HE IS TIRED.",
    "Is he ready?",
    "Are they coming?",
    "The teacher he is in class is strict.",
    "The friends you are with matter.",
    "Whoever he is in private, I like him.",
    "He is to leave at noon.",
    "You and she are right.",
    # it, that, what keep the copula
    "It's raining.",
    "That's my car.",
    "What's that?",
    # 's that is has
    "He's finished the report.",
    "She's gone home.",
    "They've been here since noon.",
    # habitual be: no state, one occasion, past, modal, question
    "They usually have lunch at noon.",
    "I always know the answer.",
    "We are always the same.",
    "He was always late.",
    "She usually worked late.",
    "She used to always work late.",
    "She may always work late.",
    "We always put it there.",
    "Do they always work late?",
    "Today they often work late.",
    # negative concord stops at the clause; free choice, conditions, questions
    "Didn't you see anyone?",
    "Does anybody know?",
    "Anybody can see that.",
    "I don't think anyone came.",
    "You can't just ask anybody.",
    "Not long ago anybody could do it.",
    "I didn't go because any delay would cost us.",
    "If you need anything, call me.",
    "I doubt anything happened.",
    "We don't do it that way in any case.",
    # ain't: not only; have as a full verb
    "We haven't a clue.",
    "It is late, and not only for us.",
    "She isn't only smart, I hear.",
    # third person -s: plurals, nouns, reported words, relative clauses
    "The kids like music.",
    "My work plans are done.",
    "His looks and her moves matter.",
    "I read that the man who works there knows.",
    # were that is no past
    "If they were rich, they would move.",
    "I wish you were here.",
    "Were you there?",
    # done: pluperfect, modal, question, states
    "He will have already left.",
    "Have you already eaten?",
    "She had already eaten.",
    "They have already known it for years.",
    "I have already been there.",
    # their, possessive -s
    "Their plan works for us.",
    "The house is theirs.",
    "My mother's here.",
    "My mother's sick.",
    "My mother's cooking was great.",
    # there that points, or asks
    "There he is.",
    "There is the dog we saw.",
    "Over there is a dog.",
    "Is there a doctor here?",
    # about to, those
    "I know about this.",
    "We had a talk about it.",
    "Those who know, know.",
    # quotations, names, addresses, code
    'I read “she works late” and "they are late".',
    "I love the song You Are Here.",
    "See https://example.com/they-are-late and `they are late`.",
]


@pytest.mark.parametrize(("text", "wanted"), APPLIED)
def test_features_are_brought_in_where_they_are_grammatical(text: str, wanted: str) -> None:
    rewriting = RULES["aae"](text)
    assert rewriting.text == wanted
    assert rewriting.undone() == text


@pytest.mark.parametrize("text", NOT_APPLIED)
def test_features_are_left_out_where_they_are_not(text: str) -> None:
    rewriting = RULES["aae"](text)
    assert (rewriting.text, rewriting.spans) == (text, ())


def test_each_feature_is_shown_by_a_sentence() -> None:
    devices = {span.device for text, _ in APPLIED for span in RULES["aae"](text).spans}
    assert devices == set(FEATURES)


@pytest.mark.parametrize(("_", "text"), APPLIED)
def test_a_text_with_features_gets_no_more_of_them(_: str, text: str) -> None:
    assert RULES["aae"](text).text == text


def test_features_can_be_chosen() -> None:
    rule = AfricanAmericanEnglish(features=("aint",))
    rewriting = rule("They're late and she isn't here.")
    assert rewriting.text == "They're late and she ain't here."
    assert [span.device for span in rewriting.spans] == ["aint"]
