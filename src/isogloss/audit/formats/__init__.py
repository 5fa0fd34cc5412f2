"""Readers of the formats in which job postings come: each turns bytes into plain text."""
