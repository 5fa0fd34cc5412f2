"""From responses to long tables of estimates; every function takes values and returns a table."""
