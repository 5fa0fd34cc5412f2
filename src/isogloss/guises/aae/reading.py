"""What stands around a word: its neighbours in the clause, and what they rule out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from isogloss.guises.aae import words as w
from isogloss.validate.tokens import Token, tokenise

START, END = "<start>", "<end>"
NEAR = 8
"""How many words back or ahead a feature looks for what rules it out."""
MOST_ADVERBS = 4
"""How many adverbs in a row are passed over."""
MOST_JOINED = 3
"""How many words that join subjects are passed over."""


@dataclass(frozen=True)
class Found:
    """A feature, by the words that show it."""

    first: int
    """Position of its first word."""
    behind: int
    """Position behind its last word."""
    device: str


class Reading:
    """The words of a text, asked about by position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: Sequence[Token] = tokenise(text)

    def word(self, i: int) -> str:
        """Return the word at a position in comparison form; empty outside the text."""
        return self.tokens[i].word if 0 <= i < len(self.tokens) else ""

    def before(self, i: int) -> str:
        """Return the word before a position in the same clause, else `START`."""
        return START if i <= 0 or self.tokens[i].opens_clause else self.word(i - 1)

    def after(self, i: int) -> str:
        """Return the word behind a position in the same clause, else `END`."""
        last = not 0 <= i < len(self.tokens) or self.tokens[i].closes_clause
        return END if last else self.word(i + 1)

    def positions(self, *words: str) -> Iterator[int]:
        """Yield the positions of words."""
        wanted = frozenset(words)
        return (i for i, token in enumerate(self.tokens) if token.word in wanted)

    def back(self, i: int) -> int:
        """Return the position before `i` and before adverbs; -1 where the clause begins there."""
        for _ in range(MOST_ADVERBS):
            i -= self.before(i) in w.ADVERBS
        return -1 if self.before(i) == START else i - 1

    def ahead(self, i: int) -> int:
        """Return the position behind `i` and behind adverbs; -1 where the clause ends there."""
        for _ in range(MOST_ADVERBS):
            i += self.after(i) in w.ADVERBS
        return -1 if self.after(i) == END else i + 1

    def begins(self, i: int) -> bool:
        """Tell whether a clause begins at a position, or after a binding word before it."""
        return self.before(i) in w.BINDING | {START}

    def begins_surely(self, i: int) -> bool:
        """Tell the same, leaving out words that may as well have an object (`before it`)."""
        return self.before(i) in (w.BINDING - w.PREPOSITIONS_TOO) | {START}

    def inverted(self, i: int) -> bool:
        """Tell whether an auxiliary stands before the subject at a position (`is she`)."""
        for _ in range(MOST_JOINED):
            if self.before(i) in {"either", "both", "neither"}:
                i -= 1
            elif self.before(i) in {"and", "or"} and self._joins_persons(i - 1):
                i -= 2
        return self.before(i) in w.AUXILIARIES | {"than", "nor"}

    def joined(self, i: int) -> bool:
        """Tell whether the pronoun at a position is the second of two joined persons."""
        return self.before(i) in {"and", "or", "nor"} and self._joins_persons(i - 1)

    def _joins_persons(self, i: int) -> bool:
        """Tell whether `and` or `or` at a position follows a person (`Ann and`, `he or`)."""
        other, person = self.word(i - 1), w.SUBJECTS | w.OTHER_SUBJECTS | w.KIN
        if self.before(i) == START:
            return False
        token = self.tokens[i - 1]
        name = token.raw[:1].isupper() and not token.opens_sentence
        return other in person - {"it"} or name

    def bound(self, i: int) -> bool:
        """Tell whether a word before a position calls for a bare verb behind it."""
        j = i - 1
        while j >= max(i - NEAR, 0):
            if self.word(j).startswith(w.MANDATIVE) or self.word(j) in w.BINDING_BARE:
                return True
            if self.tokens[j].opens_sentence:
                return False
            j -= 1
        return False

    def ends_sentence(self, i: int) -> bool:
        """Tell whether a sentence ends behind a position."""
        return i + 1 >= len(self.tokens) or self.tokens[i + 1].opens_sentence

    def verbless(self, i: int) -> bool:
        """Tell whether the sentence goes on from a position to its end, or a binding word, without
        a finite verb and without a comma.
        """
        for j in range(i, min(i + NEAR, len(self.tokens))):
            word = self.word(j)
            if word in w.FINITE or (word.endswith("ed") and len(word) > 3 and j > i):
                return False
            if self.ends_sentence(j) or self.after(j) in w.BINDING:
                return True
            if self.after(j) == END:
                return False
        return False

    def is_progressive(self, i: int) -> bool:
        """Tell whether the word at a position is a verb in `-ing`."""
        word = self.word(i)
        return len(word) > 4 and word.endswith("ing") and word not in w.NOT_VERBS_IN_ING

    def person(self, i: int) -> int:
        """Return the position of the person that a phrase opening at `i` names, else -1.

        The phrase opens a clause: `my sister`, `her little brother`.
        """
        if self.word(i) not in w.POSSESSIVES | {"they"} or not self.begins(i):
            return -1
        for j in (i + 1, i + 2):
            if self.after(j - 1) == END:
                return -1
            if self.word(j) in w.KIN:
                return j
        return -1
