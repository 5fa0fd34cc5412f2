"""Names of the files that an analysis writes."""

TABLE_NAMES = (
    "effects",
    "paper_test",
    "means",
    "distributions",
    "decisions",
    "decision_tests",
    "mitigation",
    "missing",
    "missing_tests",
    "exclusions",
    "validation_summary",
)
"""The result tables, in order; `tables.TABLES` says what is in each."""

PLAN = "plan.json"
"""The plan that the tables follow, beside them."""

RESULT_FILES = (*(f"{name}.csv" for name in TABLE_NAMES), PLAN)
