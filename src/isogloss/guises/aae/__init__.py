"""Features of African American English, found by the words around them.

Spelling does not show how a word is said, and no parser is asked: each feature is told by short
word classes and by what may not stand near it. The rules are made to find nothing in Standard
English rather than to find every feature.
"""

from isogloss.guises.aae.features import FEATURES, find_features

__all__ = ["FEATURES", "find_features"]
