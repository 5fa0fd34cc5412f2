"""What a second audit of a revised posting changes: words, flags, scores and ratios."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from isogloss.audit.audit import Audit
from isogloss.audit.comparison import (
    Bars,
    Comparison,
    Difference,
    DominanceChange,
    FlagChange,
    Impact,
    RatioChange,
    ScoreChange,
    WordChange,
)
from isogloss.audit.record.content import content_of
from isogloss.audit.record.read import Record
from isogloss.audit.records import Probe
from isogloss.review.differences import differences
from isogloss.stats.results import not_estimable
from isogloss.stats.selection import FOUR_FIFTHS
from isogloss.stats.tests import paired_t


def compare(previous: Record, current: Audit) -> Comparison:
    """Compare an audit with the record of an earlier one; each change is current - previous.

    Scores are paired by role, persona and background, and only when model, personas, backgrounds
    and the wording around the posting are the same; ratios also need the same threshold, and words
    the same word lists. What keeps them apart is named in `differs`.
    """
    before, after = previous.content, content_of(current)
    differs = _differences(before, after)
    bars = {one.bars for one in differs}
    listed = "words" not in bars
    paired = "scores and ratios" not in bars
    ratios = _ratios(before, after) if paired and "ratios" not in bars else ()
    return Comparison(
        previous_sha256=previous.sha256,
        previous_created=before["created"],
        previous_posting_sha256=before["document"]["sha256"],
        differs=differs,
        words=_words(before["profile"], after["profile"]) if listed else (),
        dominance=_dominance(before["profile"], after["profile"]) if listed else (),
        scores=_scores(previous.probes, current.probes, current.settings.alpha) if paired else (),
        ratios=ratios,
        text=differences(previous.text, current.document.text),
        cautions=tuple(
            _cautions(ratios, differs, after["model"], previous.text == current.document.text)
        ),
    )


def _differences(before: dict[str, Any], after: dict[str, Any]) -> tuple[Difference, ...]:
    old, new = before["settings"], after["settings"]
    pairs: list[tuple[str, Any, Any, Bars]] = [
        ("model", before["model"]["digest"], after["model"]["digest"], "scores and ratios"),
        ("personas", _personas(before), _personas(after), "scores and ratios"),
        ("backgrounds", before["grid"]["backgrounds"], after["grid"]["backgrounds"],
         "scores and ratios"),
        ("wording around the posting or answers that count", before["wording_sha256"],
         after["wording_sha256"], "scores and ratios"),
        ("setting roles", old["roles"], new["roles"], "scores and ratios"),
        ("setting min_answer_mass", old["min_answer_mass"], new["min_answer_mass"],
         "scores and ratios"),
        ("word lists", before["lexicons"], after["lexicons"], "words"),
        ("setting threshold", old["threshold"], new["threshold"], "ratios"),
        ("setting alpha", old["alpha"], new["alpha"], "ratios"),
        *((f"setting {name}", old[name], new[name], "nothing") for name in
          ("bootstrap_draws", "seed")),
        ("version of the program", before["version"], after["version"], "nothing"),
    ]  # fmt: skip
    return tuple(
        Difference(what, _said(one), _said(other), bars)
        for what, one, other, bars in pairs
        if one != other
    )


def _personas(content: dict[str, Any]) -> list[Any]:
    return [content["grid"]["attributes"], content["grid"]["personas"]]


def _said(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def _words(before: dict[str, Any], after: dict[str, Any]) -> tuple[WordChange, ...]:
    old, new = _counts(before), _counts(after)
    names = dict.fromkeys([*new, *old])
    return tuple(
        _change(name, old.get(name, Counter()), new.get(name, Counter())) for name in names
    )


def _counts(profile: dict[str, Any]) -> dict[str, Counter[str]]:
    return {
        one["register"]: Counter(match["phrase"] for match in one["matches"])
        for one in profile["registers"]
    }


def _change(register: str, old: Counter[str], new: Counter[str]) -> WordChange:
    gone, more = old - new, new - old
    return WordChange(
        register,
        old.total(),
        new.total(),
        tuple(sorted(gone.items())),
        tuple(sorted(more.items())),
    )


def _dominance(before: dict[str, Any], after: dict[str, Any]) -> tuple[DominanceChange, ...]:
    old = {tuple(one["pair"]): one["register"] for one in before["dominance"]}
    found = []
    for one in after["dominance"]:
        pair = (one["pair"][0], one["pair"][1])
        was, now = old.get(pair), one["register"]
        changed = was != now
        found.append(
            DominanceChange(
                pair, was, now, changed and was is not None, changed and now is not None
            )
        )
    return tuple(found)


def _scores(
    before: Sequence[Probe], after: Sequence[Probe], alpha: float
) -> tuple[ScoreChange, ...]:
    old, new = _by_persona(before), _by_persona(after)
    return tuple(_score(key, old.get(key, {}), values, alpha) for key, values in new.items())


Scores = dict[str, float | None]


def _by_persona(probes: Iterable[Probe]) -> dict[tuple[str, str], Scores]:
    found: dict[tuple[str, str], Scores] = {}
    for one in probes:
        score = one.expected if one.outcome == "ok" else None
        found.setdefault((one.role, one.persona), {})[one.profile] = score
    return found


def _score(key: tuple[str, str], old: Scores, new: Scores, alpha: float) -> ScoreChange:
    pairs = [
        (was, now)
        for name, now in new.items()
        if now is not None and (was := old.get(name)) is not None
    ]
    left = len(new.keys() | old.keys()) - len(pairs)
    before, after = [was for was, _ in pairs], [now for _, now in pairs]
    if not pairs:
        nothing = not_estimable("no background has a score in both", n=0, method="paired t-test")
        return ScoreChange(*key, None, None, nothing, left)
    change = paired_t(after, before, alpha=alpha)
    return ScoreChange(*key, sum(before) / len(pairs), sum(after) / len(pairs), change, left)


def _ratios(before: dict[str, Any], after: dict[str, Any]) -> tuple[RatioChange, ...]:
    old = _impacts(before)
    return tuple(
        RatioChange(*key, was := old.get(key, Impact()), now, _flag(was.flagged, now.flagged))
        for key, now in _impacts(after).items()
    )


def _impacts(content: dict[str, Any]) -> dict[tuple[str, str, str], Impact]:
    return {
        (one["role"], one["grouping"], group["group"]): _impact(group["impact"])
        for one in content["selection"]["groupings"]
        for group in one["groups"]
    }


def _impact(impact: dict[str, Any]) -> Impact:
    # What a method does not have is left out of the JSON: the reference has no interval.
    return Impact(
        impact.get("ratio"),
        impact.get("low"),
        impact.get("high"),
        impact["flagged"],
        impact["reason"],
    )


def _flag(was: bool | None, now: bool | None) -> FlagChange:
    if was is None or now is None:
        return "not estimable"
    if was:
        return "still flagged" if now else "cleared"
    return "raised" if now else "still clear"


CAUTION = (
    "A flag that is cleared is no proof that the groups are treated alike: look at the interval of "
    "the ratio, and at whether it still reaches below four fifths."
)


def _cautions(
    ratios: Sequence[RatioChange],
    differs: Sequence[Difference],
    model: dict[str, Any],
    same_text: bool,
) -> Iterable[str]:
    if same_text:
        yield "Both audits read the same text."
    cleared = [one for one in ratios if one.flag == "cleared"]
    if cleared:
        yield CAUTION
    wide = [one for one in cleared if one.after.low is not None and one.after.low < FOUR_FIFTHS]
    if wide:
        yield (
            f"Of {len(cleared)} cleared flags, {len(wide)} have a ratio whose interval reaches "
            "below four fifths."
        )
    if any(one.bars != "nothing" for one in differs):
        yield (
            "The audits differ in more than the posting, so what changed cannot be put down to its "
            "wording; audit both postings in the same way."
        )
    if "weights_sha256" not in model:
        yield (
            "The model is reached through a server, which may change it under the same name; "
            "scores may have moved for that reason."
        )
