"""Stage `record`: the workflow's artifacts as DVC stages, and the check of their bytes."""
