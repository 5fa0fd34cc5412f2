"""The record of an audit: a folder with inputs, prompts, replies, computations and their hashes."""
