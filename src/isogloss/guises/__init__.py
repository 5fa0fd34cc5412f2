"""Guises: ways of saying the same thing, defined as data and measured in texts."""
