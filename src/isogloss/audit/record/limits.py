"""What an audit does not say."""

from collections.abc import Iterator

from isogloss.audit.audit import Audit


def limits(audit: Audit) -> Iterator[str]:
    """Yield the limits of an audit, one sentence or two each."""
    yield (
        "The numbers are scores of one language model for invented candidates. No applicant was "
        "looked at, and no hiring was."
    )
    yield (
        "One model and one posting were audited. Another model, another version of it, or another "
        "posting can give other results."
    )
    yield (
        f"The candidates are {len(audit.grid.personas)} personas with "
        f"{len(audit.grid.backgrounds)} backgrounds each, written for audits. They are no sample "
        "of real people, and who is not among the personas was not looked at."
    )
    yield (
        "Each attribute is told to the model in one word or a few. Names, schools, photographs and "
        "manners of writing, by which a model may tell groups apart in use, were not tested."
    )
    yield (
        "An interval says how far a number may move if other backgrounds of the same kind were "
        f"drawn, at a confidence of {1 - audit.settings.alpha:.0%}. It says nothing about other "
        "models, other wordings of the question, or real candidates."
    )
    yield (
        "No flag does not mean no difference: with few backgrounds a difference can be missed. A "
        "flag is a reason to look closer, and no finding of law."
    )
    yield (
        "Stage S1 counts words of fixed lists in English. A word on a list is no fault in itself, "
        "and wording that no list has is not seen."
    )
