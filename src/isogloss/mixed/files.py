"""Names of the files that the stage glmm writes."""

MIXED_NAMES = ("mixed_coefficients", "mixed_margins", "mixed_fits")
"""The tables, in order; `records.MIXED_TABLES` says what is in each."""

MIXED_FILES = tuple(f"{name}.csv" for name in MIXED_NAMES)
