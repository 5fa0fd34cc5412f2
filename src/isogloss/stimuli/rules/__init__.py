"""Rules that rewrite a text without a model: deterministic, documented in `docs/rules.md`."""

from isogloss.stimuli.rules.aae import AfricanAmericanEnglish
from isogloss.stimuli.rules.articles import ArticleOmission
from isogloss.stimuli.rules.contractions import Contraction, Expansion
from isogloss.stimuli.rules.hedge_phrases import CLASSES
from isogloss.stimuli.rules.hedges import HedgeInsertion
from isogloss.stimuli.rules.rewriting import Rewriting, Rule, Span
from isogloss.stimuli.rules.unhedge import HedgeRemoval

__all__ = ["RULES", "Rewriting", "Rule", "Span"]

_RULES: tuple[Rule, ...] = (
    ArticleOmission(),
    HedgeInsertion(),
    *(HedgeInsertion(f"hedges_{name}", (name,)) for name in CLASSES),
    HedgeRemoval(),
    Contraction(),
    Expansion(),
    AfricanAmericanEnglish(),
)

RULES: dict[str, Rule] = {rule.name: rule for rule in _RULES}
"""Rules by name."""
