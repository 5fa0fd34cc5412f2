"""Check that two wordings of an item differ in manner and in nothing else."""
