"""Names of the files that sum up item sets, and of those that calibration writes."""

INVENTORY_NAMES = ("sets", "validation_summary", "exclusions", "generated", "reviews")
"""The tables, in order; `records.INVENTORY_TABLES` says what is in each."""

INVENTORY_FILES = tuple(f"{name}.csv" for name in INVENTORY_NAMES)

CALIBRATION_FILES = ("checks.csv", "performance.csv", "verdicts.csv", "misses.csv")
