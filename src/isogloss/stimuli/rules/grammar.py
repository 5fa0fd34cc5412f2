"""Closed classes of English, and where a subject stands before its verb."""

from isogloss.stimuli.rules.clauses import Clause
from isogloss.stimuli.rules.lexical import can_be, is_plural, is_singular

THIRD = frozenset({"he", "she"})
"""Subject pronouns of the third person singular that are nothing else."""
PLURAL = frozenset({"we", "they", "you"})
NOMINATIVE = frozenset({"i", "he", "she", "we", "they"})
POSSESSIVES = frozenset({"my", "your", "his", "her", "our", "their", "its"})
ARTICLES = frozenset({"a", "an", "the"})
DETERMINERS = POSSESSIVES | ARTICLES | {"this", "that", "these", "those", "some", "every", "each"}
OBJECTS = frozenset({"me", "him", "them", "us", "it", "you", "everything", "everybody", "everyone"})
WH = frozenset(
    {"what", "where", "when", "why", "how", "who", "whom", "whose", "which", "whether", "whatever"}
    | {"wherever", "whenever", "however", "whoever", "whichever"}
)
CONJUNCTIONS = frozenset(
    {"and", "but", "or", "so", "because", "if", "when", "while", "that", "since", "until", "unless"}
    | {"although", "though", "whenever", "before", "after", "once", "then", "now", "maybe", "where"}
    | {"why", "how", "what", "whether", "cause", "cuz", "yes", "yeah", "no", "well", "today"}
)
SPEECH = frozenset(
    {"think", "know", "say", "said", "says", "thinks", "knows", "believe", "hope", "guess", "bet"}
    | {"see", "feel", "heard", "thought", "sure", "glad", "sorry", "afraid", "happy"}
)
"""Words behind which a clause stands without `that`."""
PREPOSITIONS = frozenset(
    {"of", "to", "for", "with", "from", "by", "about", "around", "like", "between", "behind", "at"}
    | {"in", "on", "into", "over", "under", "near", "without", "through", "against", "towards"}
)
FUNCTION_WORDS = (
    DETERMINERS
    | WH
    | CONJUNCTIONS
    | PREPOSITIONS
    | OBJECTS
    | NOMINATIVE
    | {"am", "is", "are", "was", "were", "be", "been", "being", "do", "does", "did", "have", "has"}
    | {"had", "can", "could", "will", "would", "shall", "should", "may", "might", "must", "not"}
    | {"as", "than", "too", "also", "either", "neither", "there", "here", "any", "no", "never"}
)
FINITE = frozenset(
    {"am", "is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "can", "could"}
    | {"will", "would", "shall", "should", "may", "might", "must", "isn't", "aren't", "wasn't"}
    | {"weren't", "don't", "doesn't", "didn't", "hasn't", "haven't", "can't", "won't", "ain't"}
)
ALWAYS = frozenset({"always", "usually", "often", "sometimes", "constantly"})
"""Adverbs that say that something happens again and again."""
BETWEEN = ALWAYS | {"really", "still", "just", "also", "only", "never", "even", "probably"}
"""Adverbs that stand between subject and verb."""


def opens_at(clause: Clause, i: int) -> bool:
    """Tell whether a grammatical clause can begin at a word, by what stands before it."""
    if i == 0:
        return clause.opens
    return clause.word(i - 1) in CONJUNCTIONS | SPEECH | WH


def pronoun_subject(clause: Clause, i: int) -> bool:
    """Tell whether the pronoun at a place is a subject with its verb to follow."""
    return opens_at(clause, i) and not _is_joined(clause, i)


def noun_subject(clause: Clause, end: int) -> str | None:
    """Return the noun that ends just before place `end` when it is a whole subject.

    A subject is whole when a determiner opens the clause, or stands behind a conjunction, and at
    most one word lies between it and the noun.
    """
    noun = clause.word(end - 1)
    if noun in FUNCTION_WORDS or not can_be(noun, "NOUN"):
        return None
    for start in (end - 2, end - 3):
        inner = clause.words[start + 1 : end - 1] if start >= 0 else ()
        if (
            start >= 0
            and clause.word(start) in DETERMINERS - {"that"}
            and all(_is_modifier(word) for word in inner)
            and _opens_subject(clause, start)
        ):
            return noun
    return None


def agrees(noun: str, verb: str) -> bool:
    """Tell whether a noun goes with `is` (singular) or `are` (plural) beyond doubt."""
    return is_singular(noun) if verb in {"is", "has", "was"} else is_plural(noun)


def _opens_subject(clause: Clause, i: int) -> bool:
    """Tell whether a noun phrase at a place opens a clause; behind `before` it need not."""
    clear = {"because", "if", "when", "while", "although", "though", "unless", "whenever"}
    return clause.opens if i == 0 else clause.word(i - 1) in clear


def _is_modifier(word: str) -> bool:
    return word not in FUNCTION_WORDS and (can_be(word, "ADJ") or is_singular(word))


def _is_joined(clause: Clause, i: int) -> bool:
    """Tell whether a pronoun is the second of two joined subjects (`you and they`)."""
    joined = clause.word(i - 1) in {"and", "or", "nor"}
    return joined and clause.word(i - 2) in NOMINATIVE | OBJECTS
