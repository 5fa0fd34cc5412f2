"""The audit of one job posting: what it says, how a model judges it, and the record of both."""
