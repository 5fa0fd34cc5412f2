"""Compute a recorded run again in a scratch folder, and compare it in numbers."""
