"""The zero copula: a predicate without a form of `be` that Standard English needs."""

from collections.abc import Iterator

from isogloss.guises.aae import words as w
from isogloss.guises.aae.reading import END, START, Found, Reading

_FUTURE = w.listed("gonna gon finna fitna tryna bout")
_SETTING = w.listed("again today now tonight too yet")


def zero_copula(text: Reading) -> Iterator[Found]:
    """Find a subject with a predicate and nothing between them (`she working`, `they at home`)."""
    for i, token in enumerate(text.tokens):
        subject = token.word
        behind = text.ahead(i)
        if behind < 0:
            continue
        if subject in w.SUBJECTS - {"i"}:
            found = not text.inverted(i) and _predicate(text, behind, subject)
        elif subject in w.OTHER_SUBJECTS:
            begins = text.begins_surely(i) or (subject == "y'all" and text.begins(i))
            found = begins and _predicate(text, behind, subject)
        elif subject in w.INDEFINITE and text.begins(i):
            found = _future(text, behind) or _adjective(text, behind)
        else:
            found = _nominal(text, i)
        if found:
            yield Found(i, behind + 1, "zero_copula")
    yield from _questions(text)


def _predicate(text: Reading, i: int, subject: str) -> bool:
    return (
        _future(text, i)
        or text.is_progressive(i)
        or (_adjective(text, i) and not _may_be_verb(text, i, subject))
        or _noun(text, i, subject)
        or _place(text, i, subject)
    )


def _may_be_verb(text: Reading, i: int, subject: str) -> bool:
    return subject in {"we", "they", "you"} and text.word(i) in w.VERB_TOO and text.after(i) != END


def _future(text: Reading, i: int) -> bool:
    """Tell whether a form that needs `be` stands there: `gonna`, `about to`, `supposed to`."""
    word = text.word(i)
    return word in _FUTURE or (word in {"about", "supposed"} and text.after(i) == "to")


def _adjective(text: Reading, i: int) -> bool:
    if text.word(i) == "right" and text.after(i) in {"now", "after", "before", "up", "in", "out"}:
        return False
    if text.word(i) in {"kind", "tired"} and text.after(i) == "of":
        return False
    return text.word(i) in w.ADJECTIVES and text.after(i) in w.BEHIND_ADJECTIVE | {END}


def _noun(text: Reading, i: int, subject: str) -> bool:
    """Tell whether a noun phrase stands there (`she a nurse`)."""
    opener = text.word(i)
    if text.after(i) == END or text.word(i + 1) in w.NOT_PREDICATES:
        return False
    if subject in {"you", "it", "y'all", "we"}:
        return opener in {"a", "an"}
    return opener in {"a", "an", "the", "my", "your", "our"}


def _place(text: Reading, i: int, subject: str) -> bool:
    """Tell whether the place stands there at which somebody is (`he at work`)."""
    word, after = text.word(i), text.after(i)
    if subject in {"you", "it", "y'all"}:
        return word in {"at", "from"} and after == END and text.word(i - 2) == "where"
    if word in w.PLACE_ADVERBS:
        return after in {END, *_SETTING, *w.BINDING, "with", "every", "all", "this"}
    if word in {"over", "out", "up", "down", "right"}:
        return after in {"there", "here"} and text.after(i + 1) in {END, *w.BINDING, *_SETTING}
    if word not in w.PLACE_PREPOSITIONS:
        return False
    if text.word(i - 1) == subject and text.before(i - 1) == "where" and after == END:
        return True
    if after not in w.BEHIND_PREPOSITION or text.word(i + 2) in w.NOT_PLACES:
        return False
    return text.verbless(i) if subject == "we" else _ends_or_goes_on(text, i)


def _ends_or_goes_on(text: Reading, i: int) -> bool:
    """Tell whether the clause of a phrase of place has no finite verb behind it."""
    return text.verbless(i) or text.after(i + 1) in {END, *w.BINDING, *_SETTING}


def _nominal(text: Reading, i: int) -> bool:
    """Tell whether the word at a position ends a noun phrase with such a predicate."""
    behind = text.ahead(i)
    if text.word(behind) in _FUTURE:
        return _is_free_noun(text, i)
    person = next((j for j in (i - 1, i - 2) if j >= 0 and text.person(j) == i), -1)
    if person >= 0:
        predicate = (
            _adjective(text, behind) or text.is_progressive(behind) or _at_place(text, behind)
        )
        return (predicate and text.verbless(behind)) or _future(text, behind)
    return _is_determined(text, i) and _adjective(text, behind) and _stops(text, behind)


def _at_place(text: Reading, i: int) -> bool:
    word = text.word(i)
    if word in w.PLACE_ADVERBS:
        return True
    return word in w.PLACE_PREPOSITIONS and text.after(i) in w.BEHIND_PREPOSITION


def _is_free_noun(text: Reading, i: int) -> bool:
    """Tell whether a word may be a noun that no form of `be` comes before in its clause."""
    word = text.word(i)
    closed = w.AUXILIARIES | w.BINDING | w.PREPOSITIONS | w.ADVERBS | {"i", "and", "or", "to", "me"}
    if word in closed or word.endswith(("'s", "'re", "'m", "n't", "'ll", "'d", "ly")):
        return False
    for j in range(i, max(i - 6, -1), -1):
        if text.word(j) in w.BE | {"i'm"} or text.word(j).endswith(("'re", "'s")):
            return False
        if text.begins(j):
            return j < i or text.tokens[j].raw[:1].isupper()
    return False


def _is_determined(text: Reading, i: int) -> bool:
    """Tell whether a determiner and one noun open the clause and end at a position."""
    return (
        text.before(i) in {"my", "your", "our", "their", "the", "her"}
        and text.begins(i - 1)
        and text.word(i).isalpha()
        and text.word(i) not in w.FINITE | w.ADJECTIVES | w.NOT_PREDICATES
    )


def _stops(text: Reading, i: int) -> bool:
    """Tell whether an adjective ends its sentence, or all but ends it."""
    if text.after(i) in _SETTING:
        return text.ends_sentence(i + 1)
    return text.ends_sentence(i) or text.word(i + 1) in {"because", "cause", "but", "so"}


def _questions(text: Reading) -> Iterator[Found]:
    """Find questions without a verb (`Where my keys?`, `What wrong with it?`)."""
    for i in text.positions("where", "what", "who"):
        if not text.tokens[i].opens_sentence or text.after(i) == END:
            continue
        thing = text.word(i) == "where" and text.word(i + 1) in w.POSSESSIVES | {"the"}
        named = text.word(i) == "what" and text.word(i + 1) in w.POSSESSIVES
        wrong = text.word(i) == "what" and text.word(i + 1) == "wrong"
        if wrong or ((thing or named) and _is_short_question(text, i)):
            yield Found(i, i + 2, "zero_copula")


def _is_short_question(text: Reading, i: int) -> bool:
    end = next((j for j in range(i + 2, i + 6) if text.ends_sentence(j)), -1)
    if not i < end < len(text.tokens) or any(text.before(j) == START for j in range(i + 1, end)):
        return False
    words = {text.word(j) for j in range(i, end + 1)}
    asked = text.text[text.tokens[end].end :].lstrip("\"'\u201d\u2019")[:1] == "?"
    return asked and words.isdisjoint(w.FINITE | {"heck", "hell"})
