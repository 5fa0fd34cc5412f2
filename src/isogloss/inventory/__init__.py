"""Stage `inventory`: sum up every item set, what was generated, and what people decided."""
