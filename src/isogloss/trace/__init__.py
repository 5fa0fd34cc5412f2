"""The way from a printed number back to the sources, as the record describes it."""
