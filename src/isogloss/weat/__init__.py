"""Word embedding association tests on arrays of vectors."""

from isogloss.weat.association import associations
from isogloss.weat.association_test import sc_weat, weat
from isogloss.weat.results import WeatResult

__all__ = ["WeatResult", "associations", "sc_weat", "weat"]
