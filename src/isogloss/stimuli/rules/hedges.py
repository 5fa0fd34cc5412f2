"""Insertion of hedging devices: which places of a text get one, and which one."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from isogloss.stimuli.rules.clauses import LONGEST_SENTENCE, Sentence, sentences
from isogloss.stimuli.rules.hedge_phrases import CLASSES, SOURCES, HedgeClass
from isogloss.stimuli.rules.hedge_removals import count_removable
from isogloss.stimuli.rules.hedge_slots import Slot, slots
from isogloss.stimuli.rules.protected import protected_regions
from isogloss.stimuli.rules.rewriting import Edit, Region, Rewriting, compatible, rewrite
from isogloss.stimuli.rules.unhedge import HedgeRemoval
from isogloss.validate.tokens import count_words

_UNHEDGE = HedgeRemoval()


@dataclass(frozen=True)
class HedgeInsertion:
    """Put hedging devices into the statements of a text.

    The rule takes places in an order that the seed and the text settle, the class used least so far
    first, until the density is reached. A stretch between two marks of punctuation gets at most one
    device, and only a device that `unhedge` can take out again is put in.
    """

    name: str = "hedges"
    classes: tuple[HedgeClass, ...] = CLASSES
    per_thousand: float = 50
    """Devices per 1,000 words that are aimed at; at least one in a text of ten words."""
    sources: tuple[str, ...] = SOURCES

    def __call__(self, text: str, seed: int = 0) -> Rewriting:
        """Return the text with devices, and where each stands."""
        parts = [s for s in sentences(text) if len(s.text) <= LONGEST_SENTENCE]
        present = sum(map(count_removable, parts))
        words = count_words(_UNHEDGE(text).text if present else text)
        wanted = round(words * self.per_thousand / 1000 + 0.2) - present
        chosen = self._choose(text, parts, wanted, random.Random(f"{seed}:{text}"))
        return rewrite(text, chosen)

    def _choose(
        self, text: str, parts: Sequence[Sentence], wanted: int, draw: random.Random
    ) -> list[Edit]:
        protected = protected_regions(text)
        open_slots = [
            (sentence, slot)
            for sentence in parts
            if not count_removable(sentence)
            for slot in slots(sentence)
            if slot.device in self.classes
        ]
        draw.shuffle(open_slots)
        taken: list[Edit] = []
        used: Counter[str] = Counter()
        full: set[tuple[int, int | str]] = set()
        while open_slots and len(taken) < wanted:
            sentence, slot = _least_used(open_slots, used)
            open_slots.remove((sentence, slot))
            places = _places(sentence, slot)
            if not full.isdisjoint(places):
                continue
            edit = _fitting(sentence, slot, used, protected, draw)
            if edit is not None:
                taken.append(edit)
                full |= places
                used.update([edit.device, edit.after.strip(" ,").lower()])
        return compatible(taken, protected)


def _least_used(
    open_slots: Sequence[tuple[Sentence, Slot]], used: Counter[str]
) -> tuple[Sentence, Slot]:
    return min(open_slots, key=lambda pair: used[pair[1].device])


def _places(sentence: Sentence, slot: Slot) -> set[tuple[int, int | str]]:
    """Return what a device at a slot takes up: its stretch, and an edge of its sentence."""
    edge = {(sentence.start, "edge")} if slot.edge else set()
    return {(sentence.start, slot.clause), *edge}


def _fitting(
    sentence: Sentence,
    slot: Slot,
    used: Counter[str],
    protected: Sequence[Region],
    draw: random.Random,
) -> Edit | None:
    """Return a change of a slot that can be taken back, one that was used least."""
    changes = draw.sample(slot.edits, len(slot.edits))
    for change in sorted(changes, key=lambda edit: used[edit.after.strip(" ,").lower()]):
        moved = change.moved(sentence.start)
        hedged = rewrite(sentence.text, [change]).text
        if compatible([moved], protected) and _UNHEDGE(hedged).text == sentence.text:
            return moved
    return None
