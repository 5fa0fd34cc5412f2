"""Stage `stimuli`: bring item sets into one form, and make new wordings of their texts."""

from isogloss.stimuli.stage import read_set, write_items

__all__ = ["read_set", "write_items"]
