"""Judge candidates by the checks that validation makes of a pair by itself."""

from collections.abc import Sequence

from isogloss.stimuli.draft.records import Drafted, Judge, Judged
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments
from isogloss.validate.meaning_checks import texts_to_embed
from isogloss.validate.records import Check, Pair
from isogloss.validate.similarity import embed
from isogloss.validate.validation import check_pair, unreadable


def judge_with(comparison: Comparison, instruments: Instruments) -> Judge:
    """Return a judge of candidates for a comparison.

    A candidate is valid when it passes every check that validation makes of a pair by itself. It
    is not compared with other items, which are candidates for other texts.
    """

    def judge(drafted: Sequence[Drafted]) -> list[Judged]:
        pairs = [_pair(one, comparison) for one in drafted]
        texts = [
            text
            for pair in pairs
            if not unreadable(pair, comparison)
            for text in texts_to_embed(pair, comparison, instruments)
        ]
        vectors = embed(texts, instruments.encode)
        return [_judged(check_pair(pair, comparison, instruments, vectors)) for pair in pairs]

    return judge


def _pair(drafted: Drafted, comparison: Comparison) -> Pair:
    return Pair(
        item_id=drafted.item_id,
        contrast=comparison.name,
        guise=comparison.guise,
        guise_text=drafted.guise_text,
        reference=comparison.reference,
        reference_text=drafted.reference_text,
    )


def _judged(checks: Sequence[Check]) -> Judged:
    reasons = dict.fromkeys(check.reason for check in checks if not check.passed)
    similarity = next((check.value for check in checks if check.check == "similarity"), None)
    return Judged(not reasons, "; ".join(reasons), similarity)
