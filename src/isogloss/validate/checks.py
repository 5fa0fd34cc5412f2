"""Which checks a contrast gets, and the thresholds they are held to."""

from typing import Literal

from pydantic import Field, model_validator

from isogloss.config.schema import Strict

ChecksKind = Literal["markers", "articles"]
"""`markers`: the guise adds markers of a lexicon; `articles`: the guise drops the articles."""

_ONLY_FOR: dict[str, ChecksKind] = {
    "min_similarity": "markers",
    "min_guise_markers": "markers",
    "max_reference_markers": "markers",
    "min_length_ratio": "markers",
    "max_length_ratio": "markers",
    "min_articles": "articles",
}


class ContrastChecks(Strict):
    """Checks of one contrast.

    Why these defaults: hedges run at 20 to 22 per 1,000 words in the speech of job interviews
    (Arnell 2020), so a guise below 20 is no more hedged than anyone is, and a reference above 8 is
    closer to that rate than to none. In a text of fewer than 125 words a limit of 8 means none.
    The encoder all-MiniLM-L6-v2 reads at most 256 word pieces; 1,000 characters stay within it.
    """

    kind: ChecksKind
    """What the guise does to the reference."""
    max_characters: int = Field(default=1000, gt=0)
    """Longest question or answer, in characters."""
    near_duplicate: float = Field(default=0.90, gt=0, le=1)
    """Cosine with an earlier question from which on a question counts as asked again."""
    min_similarity: float = Field(default=0.70, ge=-1, le=1)
    """Least cosine between guise and reference."""
    min_guise_markers: float = Field(default=20, ge=0)
    """Least markers per 1,000 words of the guise."""
    max_reference_markers: float = Field(default=8, ge=0)
    """Most markers per 1,000 words of the reference."""
    min_length_ratio: float = Field(default=0.67, gt=0)
    """Least words of the guise per word of the reference."""
    max_length_ratio: float = Field(default=1.5, gt=0)
    """Most words of the guise per word of the reference."""
    min_articles: int = Field(default=1, ge=1)
    """Least articles of the reference."""

    @model_validator(mode="after")
    def _fits_kind(self) -> "ContrastChecks":
        unused = sorted(
            n for n in self.model_fields_set if _ONLY_FOR.get(n, self.kind) != self.kind
        )
        if unused:
            raise ValueError(f"{unused[0]} has no effect on checks of kind {self.kind}; remove it")
        if self.min_length_ratio > self.max_length_ratio:
            raise ValueError("min_length_ratio is above max_length_ratio")
        return self


class MarkerChecks(ContrastChecks):
    """Checks of a contrast whose guise adds markers."""

    kind: Literal["markers"] = "markers"


class ArticleChecks(ContrastChecks):
    """Checks of a contrast whose guise drops the articles."""

    kind: Literal["articles"] = "articles"
