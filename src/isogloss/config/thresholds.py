"""The thresholds that validation holds its measures to."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from isogloss.config.base import Strict

Cosine = Annotated[float, Field(ge=-1, le=1)]
Share = Annotated[float, Field(ge=0, le=1)]
PerThousand = Annotated[float, Field(ge=0)]


class Thresholds(Strict):
    """What a pair of wordings, or a text by itself, is held to.

    The defaults were set on the development half of the labelled pairs in `data/calibration`; how
    well they do on the other half stands in the report. Densities of a guise's own devices are
    part of its definition in `data/guises`; the three values here replace them where given. The
    encoder all-MiniLM-L6-v2 reads at most 256 word pieces; 1,000 characters stay within it.
    """

    max_characters: Annotated[int, Field(gt=0)] = 1000
    """Longest text, in characters."""
    min_similarity: Cosine = 0.70
    """Least cosine between the embeddings of the two wordings."""
    min_claim_coverage: Share = 0.40
    """Least share of a clause's content that the other wording must hold."""
    min_guise_markers: PerThousand | None = None
    """Least devices per 1,000 words of the guise."""
    max_guise_markers: PerThousand | None = None
    """Most devices per 1,000 words of the guise."""
    max_reference_markers: PerThousand | None = None
    """Most of the guise's devices per 1,000 words of the reference."""
    max_other_markers: PerThousand = 45
    """Most that the density of any other guise may differ between the wordings."""
    min_articles: Annotated[int, Field(ge=1)] = 1
    """Least articles of a reference from which the articles are to be removed."""
    min_length_ratio: Annotated[float, Field(gt=0)] = 0.67
    """Least words of the guise per word of the reference."""
    max_length_ratio: Annotated[float, Field(gt=0)] = 1.5
    """Most words of the guise per word of the reference."""
    max_grade_difference: Annotated[float, Field(ge=0)] = 4.0
    """Most that the reading grades (Flesch-Kincaid) of the wordings may differ."""
    max_sentiment_difference: Annotated[float, Field(ge=0, le=2)] = 0.6
    """Most that the valences of the wordings, each from -1 to 1, may differ."""
    max_politeness_difference: PerThousand = 40
    """Most that the politeness markers per 1,000 words of the wordings may differ."""
    min_english_margin: Cosine = 0.0
    """Least P(English) minus P(the likeliest other language), over stretches of 12 words."""
    max_misspelt: Annotated[int, Field(ge=0)] = 0
    """Most words of the guise that are neither known words nor in the reference."""
    near_duplicate_question: Cosine = 0.90
    """Cosine with an earlier question from which on a question counts as asked again."""
    near_duplicate_text: Share = 0.30
    """Share of common word sequences from which on a text counts as written before."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min_length_ratio > self.max_length_ratio:
            raise ValueError("min_length_ratio is above max_length_ratio")
        least, most = self.min_guise_markers, self.max_guise_markers
        if least is not None and most is not None and least > most:
            raise ValueError("min_guise_markers is above max_guise_markers")
        return self
