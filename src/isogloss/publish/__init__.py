"""Checks of a rendered site before it is put on the web."""
