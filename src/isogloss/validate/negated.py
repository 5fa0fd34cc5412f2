"""Negations of a text, one for each clause that is negated, however it is negated.

A clause counts once: `He didn't say nothing to nobody` (negative concord, as African American
English and other dialects have it) and `He didn't say anything to anybody` have one negation each,
and so have `isn't`, `is not`, `ain't` and `isnt`. Where clauses part is told by marks and joining
words, not by parsing, so a rare sentence is counted wrongly.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from isogloss.validate.sentences import Span, sentence_spans
from isogloss.validate.stems import is_content, stem
from isogloss.validate.tokens import Token, tokenise

_BARE = """
not cannot aint dont didnt doesnt isnt wasnt arent werent wont wouldnt couldnt shouldnt havent
hasnt hadnt mustnt cant
"""
_AGREEING = """
no never nobody nothing none nowhere neither nor noone nothin nuthin nuttin hardly scarcely barely
"""
_ALWAYS_NEW = "without unable refuse refused refuses refusing lack lacks lacked lacking"
_SUBJECTS = """
i you he she we they it there this that these those who which i'm you're he's she's we're they're
it's there's that's i've you've we've they've i'd you'd he'd she'd we'd they'd it'd i'll you'll
he'll she'll we'll they'll it'll y'all
"""
_JOINING = """
and or but so because although though while whereas when if unless until before after since that
which who where yet then
"""
_RAISING = """
think believe want seem expect suppose feel guess reckon imagine say mean know sure certain
necessarily exactly really quite entirely able unable
"""
_IDIOMS = re.compile(
    r"""
    \bnot\ (?:only|just|merely|simply|least|to\ mention)\b | \b(?:whether\ )?or\ not\b
    | \bthan\ not\b
    | \bno\ (?:doubt|wonder|matter|problem|worries|sooner|later\ than)\b | \bno\.\ ?\d | \bno-(?=\w)
    | \bnothing\ (?:but|short\ of)\b | \bnone\ other\b | \bif\ (?:not|nothing\ else)\b
    | \bwhy\ not\b
    | \bcan(?:'t|\ ?not)\ (?:wait|help\ but)\b | \bcouldn't\ agree\ more\b
    | \bwithout\ (?:a\ )?(?:doubt|question)\b
    """,
    re.VERBOSE,
)
_PARTICLE = re.compile(r"(?:no|nah|naw|nope)\s*[,.!\u2013\u2014-]\s*\w", re.IGNORECASE)
_STRONG = re.compile(r"[;:()\u2013\u2014]|\s-\s")
_LONGEST_SCOPE = 6
_REACH = 30


@dataclass(frozen=True)
class Negation:
    """A negated clause."""

    marker: str
    """The first word that negates it, in lower case."""
    scope: tuple[str, ...]
    """Stems of the content words that it negates, at most six, the nearest first."""
    phrase: str
    """The marker and the nearest of these words, as the text has them."""

    @property
    def head(self) -> str | None:
        """The stem nearest to the marker; None where the clause has no content word."""
        return self.scope[0] if self.scope else None


def find_negations(text: str, ignored: Sequence[Span] = ()) -> tuple[Negation, ...]:
    """Return the negated clauses of a text in order.

    `ignored` are spans of the text in which no negation is looked for, for instance those of hedges
    (`I'm not sure, but`). Fixed phrases that negate nothing (`not only`, `no doubt`) are left out,
    and so are tags (`isn't it?`) and a `No` before the sentence that it answers with.
    """
    plain = re.sub("[\u2019\u02bc\u2018\uff07]", "'", text).lower()
    skipped = [*ignored, *(match.span() for match in _IDIOMS.finditer(plain))]
    tokens = tokenise(text)
    position = 0
    found: list[Negation] = []
    for start, end in sentence_spans(text):
        while position < len(tokens) and tokens[position].start < start:
            position += 1
        first = position
        while position < len(tokens) and tokens[position].end <= end:
            position += 1
        found += _in_sentence(text, tokens[first:position], skipped)
    return tuple(found)


def _in_sentence(text: str, tokens: Sequence[Token], skipped: Sequence[Span]) -> Iterator[Negation]:
    previous: int | None = None
    for i, token in enumerate(tokens):
        if not _negates(tokens, i) or _is_inside(token, skipped) or _is_aside(text, tokens, i):
            continue
        if previous is None or _is_new(text, tokens, previous, i):
            scope = _scope(text, tokens, i)
            nearest = [scope[0].raw] if scope else []
            stems = tuple(stem(word.word) for word in scope)
            yield Negation(token.word, stems, " ".join([token.raw, *nearest]))
        previous = i


def _negates(tokens: Sequence[Token], i: int) -> bool:
    word = tokens[i].word
    if word.startswith("fail") and i + 1 < len(tokens) and tokens[i + 1].word == "to":
        return True
    if word == "no" and i + 1 < len(tokens) and tokens[i + 1].word == "one":
        return True
    return word.endswith("n't") or word in _ALL


def _is_inside(token: Token, spans: Sequence[Span]) -> bool:
    return any(start <= token.start < end for start, end in spans)


def _is_aside(text: str, tokens: Sequence[Token], i: int) -> bool:
    """Tell whether a word is an answer before its sentence, or the verb of a tag."""
    token = tokens[i]
    if i == 0 and _PARTICLE.match(text, token.start) and len(tokens) > 1:
        return True
    is_tag = token.word.endswith("n't") and i == len(tokens) - 2 and tokens[-1].word in _SUBJECT
    return is_tag and i > 0 and tokens[i - 1].closes_clause


def _is_new(text: str, tokens: Sequence[Token], previous: int, i: int) -> bool:
    """Tell whether a negating word opens a negation of its own after an earlier one."""
    word = tokens[i].word
    between = [token.word for token in tokens[previous + 1 : i]]
    gap = text[tokens[previous].end : tokens[i].start]
    if word in _NEW or word.startswith("fail") or _STRONG.search(gap):
        return True
    if word not in _AGREE and (tokens[previous].word not in _AGREE or len(between) > 2):
        return True
    joined = [k for k, other in enumerate(between) if other in _JOIN]
    if not joined and "," not in gap:
        return False
    behind = between[joined[-1] + 1 :] if joined else re.findall(r"[\w']+", gap.split(",")[-1])
    is_clause = any(other.lower() in _SUBJECT for other in behind)
    opens = bool(joined) and not behind and between[joined[-1]] not in ("or", "nor")
    return is_clause or (opens and word in ("nobody", "nothing", "noone", "never", "none"))


def _scope(text: str, tokens: Sequence[Token], i: int) -> list[Token]:
    """Return the content words that a negating word bears on, behind it or else before it."""
    behind: list[Token] = []
    for k in range(i + 1, min(i + 1 + _REACH, len(tokens))):
        gap = text[tokens[k - 1].end : tokens[k].start]
        closes = "," in gap or _STRONG.search(gap) is not None
        if behind and (closes or (tokens[k].word in _JOIN and tokens[k].word != "that")):
            break
        if is_content(tokens[k].word):
            behind.append(tokens[k])
    before = [token for token in reversed(tokens[max(i - _REACH, 0) : i]) if is_content(token.word)]
    plain = [token for token in behind if stem(token.word) not in _RAISE]
    return (plain or behind or before)[:_LONGEST_SCOPE]


_AGREE = frozenset(_AGREEING.split())
_NEW = frozenset(_ALWAYS_NEW.split())
_ALL = frozenset(_BARE.split()) | _AGREE | _NEW
_SUBJECT = frozenset(_SUBJECTS.split())
_JOIN = frozenset(_JOINING.split())
_RAISE = frozenset(stem(word) for word in _RAISING.split())
