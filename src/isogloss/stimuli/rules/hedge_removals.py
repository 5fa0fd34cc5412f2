"""Hedging devices of a sentence that can be taken out of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.stimuli.rules.clauses import Sentence
from isogloss.stimuli.rules.grammar import DETERMINERS, FINITE, NOMINATIVE, PREPOSITIONS
from isogloss.stimuli.rules.hedge_phrases import ADVERBS, ASIDES, CLAUSE_FRAMES, HedgeClass
from isogloss.stimuli.rules.lexical import base_of, can_be, is_base, is_plural, verb_form
from isogloss.validate.tokens import Token, tokenise

_PHRASES = {tuple(phrase.split()): c for phrase, c in (CLAUSE_FRAMES | ASIDES | ADVERBS).items()}
_LONGEST = max(map(len, _PHRASES))
_AGREE = {"i": "am", "it": "is", "he": "is", "she": "is", "that": "is", "this": "is"} | {
    "we": "are",
    "you": "are",
    "they": "are",
    "these": "are",
    "those": "are",
}
_DEGREES = frozenset(
    {"more", "most", "less", "how", "so", "very", "quite", "too", "as", "not", "never"}
)
_BEFORE_A_KIND = frozenset(
    {"what", "which", "this", "that", "the", "any", "every", "some", "one", "each", "same"}
    | {"a", "no", "right", "different", "new", "another"}
)
_JOINTS = frozenset(
    {"and", "but", "so", "because", "since", "which", "that", "though", "although", "while"}
)
_NOT_A_CLAUSE = PREPOSITIONS | {"so", "not", "critically", "carefully", "ahead", "back", "outside"}
_SUBJECTS = (
    NOMINATIVE
    | DETERMINERS
    | {"it", "there", "you", "most", "all", "both", "what", "one", "two", "no"}
)


@dataclass(frozen=True)
class Removal:
    """A device that can be taken out, and what is put in its place."""

    start: int
    end: int
    after: str
    device: HedgeClass


def count_removable(sentence: Sentence) -> int:
    """Return how many devices `unhedge` would take out of a sentence."""
    return sum(1 for _ in removals(sentence))


def removals(sentence: Sentence) -> Iterator[Removal]:
    """Find the devices of a sentence that can be taken out, from left to right."""
    tokens = tokenise(sentence.text)
    i = 0
    while i < len(tokens):
        found = _phrase_at(sentence.text, tokens, i) or _modal_at(sentence.text, tokens, i)
        if found is None:
            i += 1
            continue
        removal, behind = found
        yield removal
        i = behind


def _phrase_at(text: str, tokens: tuple[Token, ...], i: int) -> tuple[Removal, int] | None:
    for size in range(min(_LONGEST, len(tokens) - i), 0, -1):
        words = tuple(token.word for token in tokens[i : i + size])
        device = _PHRASES.get(words)
        if device is None or not _unbroken(text, tokens[i : i + size]):
            continue
        region = _region(text, tokens, i, i + size, " ".join(words))
        return (Removal(*region, "", device), i + size) if region else None
    return None


def _region(
    text: str, tokens: tuple[Token, ...], first: int, behind: int, phrase: str
) -> tuple[int, int] | None:
    """Return the stretch to cut for a phrase; None where it cannot be taken out."""
    start, end = tokens[first].start, tokens[behind - 1].end
    left, right = _mark_before(text, start), _mark_behind(text, end)
    if left == "," and right != "word" and phrase not in {"sort of", "kind of"}:
        return _aside(text, tokens, start, end, behind)
    joint = left in {"start", ":", ";"} or _after_joint(tokens, first, left)
    if right == "," and joint:
        return start, _next(text, end + 1)
    if right == "end" and left == "word" and phrase in ASIDES:
        return len(text[:start].rstrip()), end
    if right != "word" or phrase in ASIDES:
        return None
    if phrase in CLAUSE_FRAMES:
        return _frame(text, tokens, start, behind) if joint or left == "," else None
    before = tokens[first - 1].word if left == "word" else ""
    return (start, _next(text, end)) if _is_hedge(phrase, before, tokens[behind].word) else None


def _aside(
    text: str, tokens: tuple[Token, ...], start: int, end: int, behind: int
) -> tuple[int, int]:
    """Cut a phrase with both its commas; one stays where a conjunction follows."""
    closed = text[end : end + 1] == ","
    goes_on = behind < len(tokens) and tokens[behind].word in {"and", "but", "so", "or", "which"}
    return text.rindex(",", 0, start), end + (closed and not goes_on)


def _frame(text: str, tokens: tuple[Token, ...], start: int, behind: int) -> tuple[int, int] | None:
    """Cut `I think` or `I think that` before a clause."""
    that = tokens[behind].word == "that" and _unbroken(text, tokens[behind : behind + 2])
    if that and behind + 1 < len(tokens) and _clause_follows(tokens, behind + 1):
        return start, tokens[behind + 1].start
    return (start, tokens[behind].start) if _clause_follows(tokens, behind) else None


def _is_hedge(phrase: str, before: str, behind: str) -> bool:
    if before in _DEGREES or behind in {"than", "and", "or"}:
        return False
    if phrase in {"sort of", "kind of"}:
        return before not in _BEFORE_A_KIND
    return phrase != "fairly" or can_be(behind, "ADJ") or can_be(behind, "ADV")


def _modal_at(text: str, tokens: tuple[Token, ...], i: int) -> tuple[Removal, int] | None:
    """Find `may be` behind a pronoun, `may have` before a participle, `tends to` and `seems to`."""
    words = [token.word for token in tokens[i : i + 3]]
    if len(words) < 3 or not _unbroken(text, tokens[i : i + 3]) or i == 0:
        return None
    before = tokens[i - 1].word
    subject = before in NOMINATIVE or _opens(tokens, i - 1)
    if words[0] in {"may", "might"} and words[1] == "be" and before in _AGREE and subject:
        return Removal(tokens[i].start, tokens[i + 1].end, _AGREE[before], "modal"), i + 2
    plain, device = _plain_verb(words, before)
    region = tokens[i].start, tokens[i + 2].end
    return (Removal(*region, plain, device), i + 3) if plain else None


def _opens(tokens: tuple[Token, ...], i: int) -> bool:
    """Tell whether a clause begins at a word, so that a pronoun there is a subject."""
    joined = i > 0 and tokens[i - 1].word in _JOINTS | {"if", "when", "or"}
    return tokens[i].opens_clause or joined


def _plain_verb(words: list[str], before: str) -> tuple[str | None, HedgeClass]:
    """Return the verb that stands for `may have moved`, `tends to move` or `seem to move`."""
    if words[0] in {"may", "might"} and words[1] == "have":
        base = base_of(words[2], "VBN")
        return verb_form(base, "VBD") if base else None, "modal"
    tends = words[0] in {"tend", "tends", "seem", "seems"} and words[1] == "to"
    if not tends or words[2] in {"be", "have"} or not is_base(words[2]) or before == "not":
        return None, "lexical"
    return verb_form(words[2], "VBZ") if words[0].endswith("s") else words[2], "lexical"


def _clause_follows(tokens: tuple[Token, ...], i: int) -> bool:
    i += i < len(tokens) and tokens[i].word in ADVERBS
    if i >= len(tokens) or tokens[i].word in _NOT_A_CLAUSE - {"in", "on", "at", "with", "for"}:
        return False
    word = tokens[i].word
    opens = word in _SUBJECTS | FINITE or is_plural(word)
    finite = base_of(word, "VBD") is not None or base_of(word, "VBZ") is not None
    return opens or finite or (tokens[i].raw[0].isupper() and word != "i")


def _after_joint(tokens: tuple[Token, ...], first: int, left: str) -> bool:
    joints = {
        "and",
        "but",
        "so",
        "because",
        "since",
        "which",
        "that",
        "though",
        "although",
        "while",
    }
    return left == "word" and tokens[first - 1].word in joints


def _mark_before(text: str, start: int) -> str:
    before = text[:start].rstrip(" \t")
    if not before.strip("\"'\u201c\u2018(["):
        return "start"
    return before[-1] if before[-1] in ",;:" else "word" if before[-1].isalnum() else "mark"


def _mark_behind(text: str, end: int) -> str:
    behind = text[end:].lstrip(" \t")
    if text[end : end + 1] == ",":
        return ","
    if not behind or text[end : end + 1] in {".", "!", "?"}:
        return "end"
    return "word" if text[end] in " \t" and behind[0].isalnum() else "mark"


def _next(text: str, end: int) -> int:
    return end + len(text[end:]) - len(text[end:].lstrip(" \t"))


def _gap(text: str, tokens: tuple[Token, ...], i: int) -> str:
    return text[tokens[i - 1].end : tokens[i].start]


def _unbroken(text: str, tokens: tuple[Token, ...]) -> bool:
    return all(not _gap(text, tokens, k).strip(" \t") for k in range(1, len(tokens)))
