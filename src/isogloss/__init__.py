"""Measure whether a language model judges content by how it is said, or who is said to say it."""

__version__ = "0.1.0"
