"""Features of the verb: aspect, agreement and tense."""

from collections.abc import Iterator

from isogloss.guises.aae import words as w
from isogloss.guises.aae.reading import END, START, Found, Reading

_NEGATED = frozenset({"don't", "dont"})
_NOT_IN_SUBJECTS = (w.AUXILIARIES | w.PREPOSITIONS | w.ADVERBS) | w.listed(
    "please then now try remember first maybe instead better to and or not"
)


def habitual_be(text: Reading) -> Iterator[Found]:
    """Find uninflected `be` with a subject and no auxiliary (`she be working`)."""
    for i in text.positions("be"):
        subject = text.back(i)
        if subject >= 0 and text.after(i) != "done" and _is_habitual(text, subject, i):
            yield Found(i, i + 1, "habitual_be")


def _is_habitual(text: Reading, subject: int, i: int) -> bool:
    word = text.word(subject)
    if word in _NEGATED:
        return _is_negated(text, subject)
    if text.bound(i):
        return False
    ahead = text.ahead(i)
    doing = ahead >= 0 and text.is_progressive(ahead)
    if word in w.SUBJECTS:
        return _is_pronoun_s(text, subject, doing)
    if word in w.OTHER_SUBJECTS:
        bare = doing or (word != "you" and text.after(i) != END and text.before(subject) != "if")
        return bare and (text.begins_surely(subject) or text.before(subject) in w.DO)
    if word == "who":
        return doing and text.before(subject) not in {START, *w.AUXILIARIES}
    return _is_nominal(text, subject, doing)


def _is_negated(text: Reading, i: int) -> bool:
    """Tell whether `don't` has a subject, so that `don't be` is no command."""
    subject = text.back(i)
    return subject >= 0 and text.word(subject) in (w.SUBJECTS | w.KIN | {"it"})


def _is_pronoun_s(text: Reading, subject: int, doing: bool) -> bool:
    before = text.before(subject)
    if before in w.DO:
        return True
    return not text.inverted(subject) and (before != "if" or doing)


def _is_nominal(text: Reading, last: int, doing: bool) -> bool:
    """Tell whether a noun phrase of at most four words opens the clause and ends at `last`."""
    for first in range(last, max(last - 4, -1), -1):
        word = text.word(first)
        if word in _NOT_IN_SUBJECTS:
            return False
        if text.begins(first):
            return _may_be_subject(text, first, last, doing)
        if text.before(first) == "that" and doing:
            return True
    return False


def _may_be_subject(text: Reading, first: int, last: int, doing: bool) -> bool:
    opener = text.word(first)
    if opener in w.INDEFINITE and first == last:
        return True
    determined = opener in w.POSSESSIVES | {"the", "them", "these", "those", "some", "most", "they"}
    if determined and first < last:
        return doing or text.before(first) != "if"
    return doing and text.tokens[first].raw[:1].isupper() and last - first < 2


def completive_done(text: Reading) -> Iterator[Found]:
    """Find `done` before a past form, without `have` or `be` (`I done told you`)."""
    for i in text.positions("done"):
        verb = text.ahead(i)
        if verb < 0 or not _is_past(text.word(verb)):
            continue
        subject = text.back(i)
        if subject >= 0 and _is_actor(text, subject, text.word(verb)):
            yield Found(i, verb + 1, "completive_done")


def _is_actor(text: Reading, i: int, verb: str) -> bool:
    word = text.word(i)
    if word == "be" and text.back(i) >= 0:
        return verb in w.STRONG_PAST and text.word(text.back(i)) in w.SUBJECTS | {"i'll", "will"}
    if word in w.SUBJECTS | w.OTHER_SUBJECTS | w.INDEFINITE:
        return not text.inverted(i)
    if word in w.KIN:
        return _opens_with_person(text, i)
    noun = text.before(i) in {"the", "that", "my"} and text.begins(i - 1)
    return noun and word in w.THINGS_WITH_TIMES


def _opens_with_person(text: Reading, i: int) -> bool:
    return any(text.person(first) == i for first in (i - 1, i - 2) if first >= 0)


def _is_past(word: str) -> bool:
    return word in w.STRONG_PAST or (len(word) > 4 and word.endswith("ed"))


def remote_been(text: Reading) -> Iterator[Found]:
    """Find `been` without `have` (`she been married`, `I been knew that`)."""
    for i in text.positions("been"):
        subject = text.back(i)
        if subject < 0 or text.after(i) == END:
            continue
        word = text.word(subject)
        person = word in w.KIN and _opens_with_person(text, subject)
        pronoun = word in w.SUBJECTS and not text.inverted(subject)
        other = word in w.OTHER_SUBJECTS and text.before(subject) in w.BINDING | {START, "long"}
        if person or pronoun or other:
            yield Found(i, i + 1, "remote_been")


def preterite_had(text: Reading) -> Iterator[Found]:
    """Find `had` before a preterite that is no participle (`they had went`)."""
    for i in text.positions("had"):
        verb = text.ahead(i)
        if verb >= 0 and text.word(verb) in w.DISTINCT_PRETERITES and text.before(i) != START:
            yield Found(i, verb + 1, "preterite_had")


def zero_third_s(text: Reading) -> Iterator[Found]:
    """Find a third person singular with a bare verb (`he work`, `she don't`)."""
    for i, token in enumerate(text.tokens):
        if token.word in {"he", "she", "it"}:
            yield from _bare_after_pronoun(text, i)
        elif token.word in {"everybody", "everyone", "somebody", "nobody"} and text.begins(i):
            yield from _bare_at(text, text.ahead(i), w.BARE_VERBS | _NEGATED)
        elif token.word in {"the", "this"} and text.begins(i) and text.after(i) != END:
            yield from _bare_after_noun(text, i + 1)
        elif token.word == "that" and text.before(i) == START and text.after(i) in _NEGATED:
            yield Found(i + 1, i + 2, "zero_third_s")
        elif (person := text.person(i)) >= 0:
            yield from _bare_at(text, text.ahead(person), w.BARE_VERBS | _NEGATED)


def _bare_after_pronoun(text: Reading, i: int) -> Iterator[Found]:
    before = text.before(i)
    if text.word(i) != "it" and before in {"do", "don't", "dont"}:
        if text.after(i) not in {END, "and", "or"} and not text.bound(i):
            yield Found(i - 1, i, "zero_third_s")
        return
    free = text.begins_surely(i) or (text.word(i) != "it" and not text.inverted(i))
    free = free or (text.word(i) == "it" and before == "and")
    if free and not text.joined(i):
        yield from _bare_at(text, text.ahead(i), w.BARE_VERBS | _NEGATED | {"do", "have"})


def _bare_after_noun(text: Reading, i: int) -> Iterator[Found]:
    if text.word(i) in w.THINGS_WITH_TIMES:
        yield from _bare_at(text, text.ahead(i), w.CLEAR_VERBS | _NEGATED)
        return
    for j in range(i, i + 3):
        noun = text.word(j)
        plural = noun.endswith("s") and noun not in w.PLACE_ADVERBS
        if plural or noun in w.COLLECTIVES | w.AUXILIARIES | w.BINDING | {"and", "i"}:
            return
        if text.after(j) in _NEGATED:
            yield Found(j + 1, j + 2, "zero_third_s")
            return
        if text.after(j) == END:
            return


def _bare_at(text: Reading, verb: int, verbs: frozenset[str]) -> Iterator[Found]:
    if verb < 0 or text.word(verb) not in verbs or text.after(verb) == "not":
        return
    if not text.bound(verb):
        yield Found(verb, verb + 1, "zero_third_s")


def was_levelling(text: Reading) -> Iterator[Found]:
    """Find `was` or `is` with a plural pronoun or `you` (`we was`, `you is`)."""
    for i in text.positions("was", "wasn't", "is", "isn't"):
        subject = text.back(i)
        if subject >= 0 and text.word(subject) in {"we", "they"} and not text.inverted(subject):
            yield Found(i, i + 1, "was_levelling")
        elif subject >= 0 and text.word(subject) in {"you", "y'all", "yall"}:
            if text.begins_surely(subject):
                yield Found(i, i + 1, "was_levelling")
        elif text.after(i) in {"you", "we", "they", "y'all"} and _asks(text, i):
            yield Found(i, i + 1, "was_levelling")


def _asks(text: Reading, i: int) -> bool:
    """Tell whether an auxiliary at a position opens a question that goes on behind its subject."""
    wh = {START, "where", "what", "how", "when", "why"}
    return text.before(i) in wh and text.after(i + 1) not in {END, "who", "that"}


def steady(text: Reading) -> Iterator[Found]:
    """Find `steady` as a marker of an act that goes on (`they steady talking`)."""
    subjects = w.SUBJECTS | w.OTHER_SUBJECTS | {"be"}
    for i in text.positions("steady"):
        if text.before(i) in subjects and text.after(i) != END and text.is_progressive(i + 1):
            yield Found(i, i + 1, "steady")
