"""Generalised linear mixed models with random intercepts."""

from isogloss.stats.glmm.average import average_effects
from isogloss.stats.glmm.comparison import LikelihoodRatio, lr_test
from isogloss.stats.glmm.contrasts import contrasts
from isogloss.stats.glmm.fit import fit_glmm
from isogloss.stats.glmm.many import GroupFit, fit_many
from isogloss.stats.glmm.margins import Margins, marginal_means, odds_ratios
from isogloss.stats.glmm.result import GlmmFit

__all__ = [
    "GlmmFit",
    "GroupFit",
    "LikelihoodRatio",
    "Margins",
    "average_effects",
    "contrasts",
    "fit_glmm",
    "fit_many",
    "lr_test",
    "marginal_means",
    "odds_ratios",
]
