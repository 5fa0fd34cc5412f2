"""Drafted stimuli: a baseline text and a guise in, candidates and the best valid one out."""
