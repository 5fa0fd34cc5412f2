"""Hedging devices that the rules put in and take out, by class.

The classes are those of `data/lexicons/hedges.yaml`, which counts every phrase listed here under
the same class. Sources: Lakoff 1973; Prince, Frader and Bosk 1982; Holmes 1990; Hyland 1998, 2005.
"""

from typing import Literal, get_args

HedgeClass = Literal["lexical", "modal", "approximator", "discourse"]
CLASSES: tuple[HedgeClass, ...] = get_args(HedgeClass)

SOURCES = ("lakoff1973", "prince1982", "holmes1990", "hyland1998", "hyland2005")

CLAUSE_FRAMES: dict[str, HedgeClass] = {
    "i think": "lexical",
    "i believe": "lexical",
    "i guess": "lexical",
    "i suppose": "lexical",
    "i suspect": "lexical",
    "i imagine": "lexical",
    "i reckon": "lexical",
    "i assume": "lexical",
    "it seems": "lexical",
    "it appears": "lexical",
    "i would say": "modal",
    "i'd say": "modal",
    "i would argue": "modal",
    "i'd argue": "modal",
}
"""They take a clause as their object, and can stand aside between commas."""

ASIDES: dict[str, HedgeClass] = {
    "in my view": "discourse",
    "in my opinion": "discourse",
    "in my experience": "discourse",
    "from my perspective": "discourse",
    "from my point of view": "discourse",
    "as far as i know": "discourse",
    "as far as i can tell": "discourse",
    "as far as i remember": "discourse",
    "as far as i recall": "discourse",
    "from what i remember": "discourse",
    "from what i've seen": "discourse",
    "from what i know": "discourse",
    "to my knowledge": "discourse",
    "if i remember correctly": "discourse",
    "if i recall correctly": "discourse",
    "if i'm not mistaken": "discourse",
    "you know": "discourse",
    "i mean": "discourse",
    "so to speak": "discourse",
    "if that makes sense": "discourse",
    "for what it's worth": "discourse",
    "in general": "lexical",
    "on the whole": "lexical",
    "for the most part": "lexical",
    "to some extent": "approximator",
}
"""They stand between commas, before a comma or at the end of a sentence."""

ADVERBS: dict[str, HedgeClass] = {
    "probably": "lexical",
    "perhaps": "lexical",
    "possibly": "lexical",
    "presumably": "lexical",
    "arguably": "lexical",
    "apparently": "lexical",
    "seemingly": "lexical",
    "hopefully": "lexical",
    "maybe": "lexical",
    "usually": "lexical",
    "generally": "lexical",
    "typically": "lexical",
    "normally": "lexical",
    "basically": "discourse",
    "essentially": "discourse",
    "somewhat": "approximator",
    "fairly": "approximator",
    "reasonably": "approximator",
    "relatively": "approximator",
    "sort of": "approximator",
    "kind of": "approximator",
    "more or less": "approximator",
    "pretty much": "approximator",
}
"""They stand before the word that they hedge, and the sentence is whole without them."""

MEMORY = ("if I remember correctly", "as far as I remember", "as far as I recall")
"""Asides that go with the past."""
KNOWLEDGE = ("as far as I can tell", "in my view", "in my experience", "from my perspective")
"""Asides that go with the present and with a judgement."""
CERTAINTY = ("probably", "perhaps")
"""Adverbs that go behind a form of `be`, `have` or `will`."""
HABIT = ("generally", "usually")
"""Adverbs that go between a subject in the plural, or `I`, and a verb in the present."""
DEGREE = ("fairly", "reasonably", "relatively", "somewhat")
"""Adverbs that go before an adjective or an adverb of manner that has degrees."""
MANNER = ("sort of", "kind of", "more or less")
"""Phrases that go before a verb that can hold to a degree."""

GRADABLE = frozenset(
    {"quickly", "slowly", "closely", "clearly", "easily", "often", "early", "late", "close"}
    | {"small", "large", "simple", "complex", "hard", "easy", "strong", "weak", "broad", "narrow"}
    | {"high", "low", "long", "short", "new", "old", "clear", "quick", "slow", "reliable", "stable"}
    | {"useful", "helpful", "common", "rare", "dull", "demanding", "difficult", "well", "cheap"}
    | {"expensive", "calm", "quiet", "heavy", "light", "strict", "careful", "smooth", "regular"}
    | {"steady"}
)
"""Words with degrees, which an adverb of degree can hold down."""
DEGREE_VERBS = frozenset(
    {"change", "help", "teach", "shape", "improve", "prepare", "show", "depend", "rely", "solve"}
    | {"enjoy", "prefer", "like", "follow", "match", "suit", "fit", "know", "guide", "rebuild"}
    | {"reshape", "simplify", "resemble", "explain", "combine", "support", "drive", "understand"}
    | {"organise", "organize", "repair", "mirror", "cover", "steer", "grow", "trust", "redesign"}
)
"""Verbs that can hold to a degree, so that `sort of` and `more or less` go with them."""
