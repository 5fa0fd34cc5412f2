"""Attested morphosyntactic features of African American English, each where it is grammatical."""

from isogloss.stimuli.rules.aae.rule import FEATURES, AfricanAmericanEnglish

__all__ = ["FEATURES", "AfricanAmericanEnglish"]
