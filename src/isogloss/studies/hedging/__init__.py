"""Hedged answers in interviews, after arXiv 2508.04939."""
