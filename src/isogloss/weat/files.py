"""Names of the tables that the stage weat writes."""

TABLE_NAMES = ("classic", "contrasts", "associations", "vocabulary", "embeddings")
"""Each is written as `<name>.csv`; `records.WEAT_TABLES` says what is in it."""
