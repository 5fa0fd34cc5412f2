"""What the checks measure with: encoder, guises, lexicons, words."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isogloss.guises.definition import GuiseDefinition
from isogloss.guises.measure import Finder, finder_of
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.similarity import Encode
from isogloss.validate.spelling import Vocabulary, load_vocabulary

LEXICONS: Final = Path("data") / "lexicons"


@dataclass(frozen=True)
class Instruments:
    """Everything that is loaded once and measured with many times."""

    encode: Encode
    finders: Mapping[str, Finder]
    """What finds the devices of each guise that has a density."""
    vocabulary: Vocabulary
    """Words that are spelled right although no word list has them."""
    politeness: Lexicon
    demographics: Lexicon


def load_instruments(
    guises: Mapping[str, GuiseDefinition], project: Path, encode: Encode
) -> Instruments:
    """Load what the checks measure with; raise `ItemError` naming the file at fault."""
    measured = {name: guise for name, guise in guises.items() if guise.density is not None}
    return Instruments(
        encode,
        {name: finder_of(guise, project) for name, guise in measured.items()},
        load_vocabulary(project / LEXICONS / "vocabulary.yaml"),
        load_lexicon(project / LEXICONS / "politeness.yaml"),
        load_lexicon(project / LEXICONS / "demographics.yaml"),
    )
