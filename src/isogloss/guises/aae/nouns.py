"""Features of the noun phrase, and words that belong to the variety."""

from collections.abc import Iterator

from isogloss.guises.aae import words as w
from isogloss.guises.aae.reading import END, START, Found, Reading
from isogloss.validate.quantities import is_number

_MANY = w.listed("some many plenty several few lots two three four five six ten")
_HERE = w.listed(
    "at in on around behind under near here there home outside inside upstairs downstairs up down "
    "out waiting"
)
_PERSONS = w.listed("somebody someone nobody anybody")
_INDEFINITES = w.listed("nothing something anything")
_SPOTS = w.listed(
    "fridge refrigerator freezer oven table counter kitchen cabinet closet drawer shelf porch "
    "yard door corner street block room garage basement hallway car trunk park mailbox sink stove"
)


def possessive_they(text: Reading) -> Iterator[Found]:
    """Find `they` before what is had (`they mama`, `in they house`)."""
    for i in text.positions("they"):
        if text.after(i) == END:
            continue
        behind_preposition = text.before(i) in w.PREPOSITIONS
        noun = text.word(i + 1)
        clear = noun in w.OWNED and not _may_be_predicate(text, i)
        described = noun in w.BEFORE_OWNED and text.after(i + 1) != END
        if clear or (behind_preposition and (noun in w.OWNED_TOO or described)):
            yield Found(i, i + 2, "possessive_they")


def _may_be_predicate(text: Reading, i: int) -> bool:
    """Tell whether `they` and a noun that ends the clause may be `they are` and the noun."""
    return text.begins(i) and text.after(i + 1) == END


def zero_possessive(text: Reading) -> Iterator[Found]:
    """Find a person and what is theirs without the ending (`my mama house`)."""
    for i in range(len(text.tokens)):
        opens = text.word(i) in w.POSSESSIVES
        person = next((j for j in (i + 1, i + 2) if text.word(j) in w.KIN), -1) if opens else -1
        if person >= 0 and text.after(person) in w.POSSESSED and text.after(i) != END:
            yield Found(person, person + 2, "zero_possessive")


def zero_plural(text: Reading) -> Iterator[Found]:
    """Find a number before a measure in the singular (`two mile from here`)."""
    for i, token in enumerate(text.tokens[:-1]):
        if not is_number(token) or token.word in {"1", "one", "a", "half"}:
            continue
        gap = text.text[token.end : text.tokens[i + 1].start]
        free = text.before(i) not in {"a", "an", "the", "this", "that", "every", "each"}
        follows = {END, "ago", "away", "from", "down", *w.BINDING}
        measure = text.word(i + 1) in w.MEASURES and text.after(i + 1) in follows
        if gap.isspace() and free and measure:
            yield Found(i, i + 2, "zero_plural")


def demonstrative_them(text: Reading) -> Iterator[Found]:
    """Find `them` as a demonstrative (`them shoes`)."""
    for i in text.positions("them"):
        free = text.begins(i) or text.before(i) in w.PREPOSITIONS
        if free and text.after(i) in w.PLURALS_POINTED_AT:
            yield Found(i, i + 2, "demonstrative_them")


def associative_plural(text: Reading) -> Iterator[Found]:
    """Find `and them` or `nem` behind a person (`my mama and them`)."""
    for i in text.positions("nem"):
        if text.before(i) != START:
            yield Found(i, i + 1, "associative_plural")
    for i in text.positions("them"):
        person = text.before(i) == "and" and text.before(i - 1) in w.KIN
        if person and not any(text.word(j) == "between" for j in range(max(i - 5, 0), i)):
            yield Found(i - 1, i + 1, "associative_plural")


def existential_it(text: Reading) -> Iterator[Found]:
    """Find `it` where Standard English has `there` (`it's some people outside`)."""
    for i, token in enumerate(text.tokens):
        be = i if token.word in {"it's", "it'll"} else i + 1
        opens = token.word in {"it's"} or (
            token.word == "it" and text.after(i) in {"is", "was", "ain't", "wasn't", "isn't"}
        )
        if opens and text.before(i) in {START, "and", "that", *w.BINDING} and _exists(text, be + 1):
            yield Found(i, be + 1, "existential_it")


def _exists(text: Reading, i: int) -> bool:
    """Tell whether something indefinite stands there and then where it is."""
    if i >= len(text.tokens) or text.before(i) == START:
        return False
    if text.word(i) in w.ADVERBS:
        i = text.ahead(i)
    word, after = text.word(i), text.after(i)
    if word in _PERSONS:
        return after in _HERE
    if word in _INDEFINITES:
        return after in _HERE - w.PREPOSITIONS or _in_spot(text, i)
    if word == "a" and after == "lot":
        return text.after(i + 1) == "of" and _placed(text, i + 3)
    if word in _MANY:
        return _placed(text, i + 1) or (word == "some" and _in_spot(text, i + 1))
    return word in {"a", "an", "no", "another"} and _in_spot(text, i + 1)


def _placed(text: Reading, i: int) -> bool:
    """Tell whether a plural, with at most one word before it, has a place behind it."""
    for j in (i, i + 1):
        noun = text.word(j)
        plural = noun.endswith("s") and noun[:-1] not in w.MEASURES
        plural = plural or noun in {"people", "children", "traffic", "noise"}
        if plural and text.after(j) in _HERE:
            return True
    return False


def _in_spot(text: Reading, i: int) -> bool:
    """Tell whether a noun has a place in or near a house behind it (`in the fridge`)."""
    for j in (i, i + 1):
        if text.after(j) in {"in", "on", "at", "by", "under", "down"}:
            return any(text.word(k) in _SPOTS for k in (j + 2, j + 3, j + 4))
    return False


def finna(text: Reading) -> Iterator[Found]:
    """Find words for what is about to be done (`finna`, `fixing to`, `tryna`)."""
    for i in text.positions("finna", "fitna", "finta", "tryna"):
        yield Found(i, i + 1, "finna")
    for i in text.positions("fixing", "fixin"):
        subject = text.before(i)
        ready = subject in w.BE | w.SUBJECTS | {"i'm"} or subject.endswith(("'re", "'s"))
        if ready and text.after(i) == "to" and text.after(i + 1) not in {"the", "a", "an", "my"}:
            yield Found(i, i + 2, "finna")


def yall(text: Reading) -> Iterator[Found]:
    """Find `y'all`, with what is joined to it."""
    forms = ("y'all", "ya'll", "yall")
    return (Found(i, i + 1, "yall") for i, t in enumerate(text.tokens) if t.word.startswith(forms))


def multiple_modals(text: Reading) -> Iterator[Found]:
    """Find two modals in a row (`might could`)."""
    seconds = w.listed("can could should would will oughta can't couldn't")
    for i in text.positions("might", "may", "must", "used"):
        j = i + 1 if text.word(i) != "used" else i + 2
        joined = text.word(i) != "used" or text.after(i) == "to"
        noun = text.tokens[i].raw == "May" or text.before(i) in w.ARTICLES
        if joined and not noun and text.after(j - 1) in seconds:
            yield Found(i, j + 1, "multiple_modals")
