"""Words of the workloads, and generators that put them together the same way each time."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Literal

from isogloss.score.prompts import Message

SEED = "isogloss"
"""Begins the seed of every generator."""

RUBRIC = """\
You assess job interviews. You will read one question and the answer that a candidate gave. Rate \
the answer on this scale:
5 = far above what the role needs: accurate, complete, every point serves the question, and the \
result is measured
4 = above what the role needs: accurate and well supported; a detail or a result is missing
3 = what the role needs: sound on familiar ground, with some support from own experience
2 = below what the role needs: uneven, vague on the main point, little support
1 = far below what the role needs: wrong, or beside the question, or without any example
Weigh three things alike. Clear: can a listener follow each step? Relevant: does the answer meet \
the question that was asked? Thorough: does it name what was done, why, and what came of it?
Length by itself counts for nothing, and neither does the order of the points. Careful phrasing \
is a way of speaking and not a lack of skill. Do not guess at the age, origin or schooling of \
the candidate.
Reply with one line: "Rating: " and a whole number from 1 to 5."""

TRAIT_TASK = """\
How well does the trait fit the writer of a message? Reply with one line: "Rating: " and a \
whole number from 1 (not at all) to 5 (fully).
Message: """

TRAITS = (
    "friendly",
    "honest",
    "educated",
    "confident",
    "careful",
    "patient",
    "ambitious",
    "reliable",
    "funny",
    "polite",
    "stubborn",
    "nervous",
)

_POST = "{opener} {event} {when} {follow} {closer}"
_ASK = (
    "Hello. I am planning {plan} {time}, but {worry}. Where would you begin in my place?",
    "Thanks. I talked to {person}, who says that {worry}. Does that change anything?",
    "That makes sense, I had not seen it that way. What should I do {time} if {worry}?",
    "All right. And how do I explain all of this to {person}, who thinks that {worry}?",
    "One more thing before I stop asking: is it wise to wait until {person} can join {time}?",
)
_TELL = (
    "I would {step}, because {reason}.",
    "It also helps to {step}; {reason}.",
    "And {step} {time}, since {reason}.",
)

_WORDS = {
    "opener": (
        "Honestly,",
        "Good morning everyone,",
        "No joke,",
        "Small update:",
        "I can't believe it,",
        "Not going to lie,",
    ),
    "event": (
        "the bus was late again and I walked home in the rain",
        "my neighbour baked bread and left a loaf at our door",
        "the new phone died before lunch and nobody had a charger",
        "we lost the game but my brother scored twice",
        "the library stayed open and I read until midnight",
        "my sister passed her driving test on the fourth try",
        "the coffee machine at work finally got repaired",
        "I found my old bike in the garage and it still rides",
    ),
    "when": ("today", "last night", "this morning", "on Tuesday", "just now"),
    "follow": (
        "and now I can't stop thinking about it.",
        "and that made my whole day.",
        "which is just how this month has been going.",
        "so I guess the weekend starts early.",
        "and everybody acted as if that was normal.",
        "so tell me how your day has been.",
    ),
    "closer": (
        "Does anyone else feel like that?",
        "We will see what tomorrow brings us.",
        "I need a nap and a sandwich.",
        "Some days are just better than others.",
        "I am never doing that again, I swear.",
        "Thanks to all the people who helped.",
    ),
    "plan": (
        "a vegetable garden behind the house",
        "a train journey through three countries",
        "a birthday party for my grandmother",
        "a move to a smaller flat in town",
        "a reading group at the town library",
        "a bicycle workshop in our old garage",
        "an evening class in carpentry",
        "a concert in the school hall",
    ),
    "worry": (
        "the money may not last",
        "there is too little time",
        "my family sees it differently",
        "I have never done it before",
        "the weather could spoil it",
        "nobody knows whom to ask",
        "the rules are hard to follow",
        "it might be too far from home",
    ),
    "person": ("my aunt", "a friend", "my flatmate", "my father", "a colleague", "our neighbour"),
    "time": (
        "in spring",
        "next month",
        "after the holidays",
        "before June",
        "within two weeks",
        "by the end of term",
        "on the first free day",
    ),
    "step": (
        "write down what you already have and what it costs",
        "ask two people who did the same thing last year",
        "start with the part that cannot be moved to another day",
        "set aside a tenth of the sum for surprises",
        "put every fixed date into one calendar",
        "read the terms twice before you sign anything",
        "try it on a small scale before you do the rest",
        "agree in advance on who decides when you disagree",
        "visit the place once at the hour you will need it",
        "borrow the tools that you will use only once",
        "tell everyone involved what you expect of them",
        "compare three offers and throw out the cheapest",
        "keep one afternoon a week free for what comes up",
        "make a second plan for the day on which it rains",
        "take photographs of how things are today",
        "leave out whatever you would not miss",
    ),
    "reason": (
        "it is cheaper to change a plan than a result",
        "most delays come from one step that nobody owned",
        "people help more gladly when they know the date",
        "small mistakes are easy to mend early on",
        "a list on paper takes the worry out of your head",
        "the first offer is seldom the best one",
        "nobody remembers in autumn what was said in May",
        "half of the questions answer themselves that way",
        "what is visible to all gets done",
        "a short wait at the start saves a long one later",
        "you will sleep better for it",
        "others have paid for that lesson before you",
    ),
}

_SYMPTOMS = (
    "a stiff neck",
    "a dry cough",
    "a mild fever",
    "a sore knee",
    "an itchy rash",
    "dull headaches",
    "pain in one ear",
    "a swollen ankle",
    "an upset stomach",
    "blurred sight",
    "a hoarse voice",
    "a numb thumb",
    "cramps in both legs",
    "a runny nose",
    "a burning throat",
    "trouble sleeping",
    "lower back pain",
    "a tight chest",
    "red eyes",
    "toothache",
    "shaking hands",
    "dizzy spells",
    "a bleeding cut",
    "heartburn",
    "a growing bruise",
)
_DURATIONS = ("since last night", "for three days", "for two weeks", "for most of May")
_ACTIONS = (
    "see a doctor soon",
    "go to the emergency room",
    "wait and do nothing",
    "treat it myself at home",
)


class _Draws(Mapping[str, str]):
    """Fills the gaps of sentences; no word comes twice before all of its kind have come once."""

    def __init__(self, seed: str) -> None:
        draw = random.Random(f"{SEED} {seed}")
        self._words: dict[str, Iterator[str]] = {
            kind: cycle(draw.sample(words, k=len(words))) for kind, words in _WORDS.items()
        }

    def __getitem__(self, kind: str) -> str:
        return next(self._words[kind])

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


def short_texts(count: int) -> tuple[str, ...]:
    """Return messages of the length of a tweet, all different."""
    found: dict[str, None] = {}
    index = 0
    while len(found) < count:
        found[_POST.format_map(_Draws(f"text {index}"))] = None
        index += 1
    return tuple(found)


def conversation(index: int) -> tuple[Message, ...]:
    """Five exchanges between a user and an assistant about a plan; each index has its own."""
    draws = _Draws(f"conversation {index}")
    turns = []
    for question in _ASK:
        turns.append(_turn("user", [question], draws))
        turns.append(_turn("assistant", _TELL, draws))
    return tuple(turns)


def yes_no_questions() -> tuple[str, ...]:
    """One hundred questions to be answered with yes or no; few of them begin alike."""
    return tuple(
        f"I have had {symptom} {duration}. Should I {_ACTIONS[(i + j) % 4]}? Answer yes or no."
        for i, symptom in enumerate(_SYMPTOMS)
        for j, duration in enumerate(_DURATIONS)
    )


def _turn(role: Literal["user", "assistant"], sentences: Sequence[str], draws: _Draws) -> Message:
    return Message(role, " ".join(sentence.format_map(draws) for sentence in sentences))
